"""Builds memories chunk by chunk: mem0, mem0-star (add-only) and mem-alpha (add-only, typed)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial

from tasks.adapters.embedders import Embedder
from tasks.answering.chunks import Chunk, chunked
from tasks.answering.counting import CountedModel
from tasks.answering.memory_log import MemoryLog, Observation
from tasks.answering.memory_messages import (
    render_decisions,
    render_extraction,
    render_summary,
)
from tasks.answering.memory_shapes import (
    MOST_CANDIDATES,
    MOST_SUMMARY_CHARACTERS,
    Candidate,
    CandidatesReply,
    DecideInput,
    DecisionsReply,
    ExtractInput,
    SummaryInput,
    SummaryReply,
    TypedCandidate,
    TypedCandidatesReply,
)
from tasks.answering.ranking import MakeRanker, RememberingEmbedder, ranker_maker
from tasks.answering.systems import SystemSpec
from tasks.answering.timeline import ContextLine, TimelineText
from tasks.contracts.chat import ChatModel, ChatRequest, Reply
from tasks.contracts.clock import parse_time
from tasks.contracts.errors import ItemFailed, ModelFailed
from tasks.contracts.evaluation import Baseline, Budget, Strategy
from tasks.contracts.memories import FailedChunk, Memory, MemoryKind, MemoryStore

MOST_CHUNK_TOKENS = 12_000
SIMILAR_SHOWN = 10
EXISTING_SHOWN = 64
"""Latest memories that mem0-star shows when it looks for new ones."""

_KINDS: tuple[MemoryKind, ...] = ("core", "episodic", "semantic")
_SMALLER_HELPS = ("truncated", "invalid", "refused", "filtered", "context_too_long")
_TIME = re.compile(r"(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)(:\d\d)?")


@dataclass
class MemoryBuilder:
    """Makes the memories of one patient."""

    strategy: Strategy | Baseline
    model: CountedModel
    budget: Budget
    make_ranker: MakeRanker
    log: MemoryLog = field(default_factory=MemoryLog)
    summary: str = ""
    failed: list[FailedChunk] = field(default_factory=list[FailedChunk])

    def build(self, subject_id: str, system: str, timeline: TimelineText) -> MemoryStore:
        """Read the whole timeline; raises ItemFailed where nothing of it could be remembered."""
        limit = min(MOST_CHUNK_TOKENS, self.budget.prompt_tokens // 2)
        chunks = list(chunked(timeline, limit))
        for chunk in chunks:
            self._remember(chunk)
        if chunks and not self.log.updates and self.failed:
            raise ItemFailed(
                f"patient {subject_id}: no part of the timeline could be remembered; "
                f"{self.failed[0].reason}"
            )
        used = self.model.model.used
        return MemoryStore(
            subject_id=subject_id,
            system=system,
            summary=self.summary,
            memories=tuple(self.log.memories),
            updates=tuple(self.log.updates),
            refused_updates=self.log.refused,
            failed_chunks=tuple(self.failed),
            requests=self.model.replies,
            input_tokens=used.input_tokens or 0,
            output_tokens=used.output_tokens or 0,
        )

    def _remember(self, chunk: Chunk) -> None:
        """Remember one chunk, by halves where it is too much; what fails is noted, others go on."""
        try:
            seen = self._observed(chunk)
            if self.strategy == "mem0" and seen and self.log.active:
                self._decide(seen)
            else:
                for one in seen:
                    self.log.add(one)
        except ModelFailed as failure:
            if len(chunk.turns) > 1 and failure.outcome in _SMALLER_HELPS:
                middle = len(chunk.turns) // 2
                for half in (chunk.turns[:middle], chunk.turns[middle:]):
                    self._remember(Chunk(chunk.hadm_id, chunk.number, half))
            else:
                self._note_failure(chunk, f"{failure.outcome}: {failure}")
            return
        self._refresh_summary(chunk, seen)

    def _observed(self, chunk: Chunk) -> list[Observation]:
        existing = self.log.active[-EXISTING_SHOWN:] if self.strategy == "mem0-star" else []
        given = ExtractInput(
            summary=self.summary, existing=tuple(map(memory_line, existing)), lines=chunk.lines
        )
        found: Sequence[Candidate]
        if self.strategy == "mem-alpha":
            found = self._ask(render_extraction, given, TypedCandidatesReply, typed=True).candidates
        else:
            found = self._ask(render_extraction, given, CandidatesReply, typed=False).candidates
        observed = (_observation(one, chunk) for one in found)
        return [one for one in observed if one.text][:MOST_CANDIDATES]

    def _decide(self, seen: list[Observation]) -> None:
        shown = self._similar([one.text for one in seen])
        given = DecideInput(
            memories=tuple(map(memory_line, shown)),
            candidates=tuple(ContextLine(one.time, "note", one.text) for one in seen),
        )
        decided = self._ask(render_decisions, given, DecisionsReply).decisions
        self.log.decide(seen, shown, decided)

    def _similar(self, texts: Sequence[str]) -> list[Memory]:
        """The memories most like any of the candidates, ten for each, in order of creation."""
        active = self.log.active
        rankings = self.make_ranker([(one.text,) for one in active]).rank(texts)
        return [active[place] for place in sorted({n for r in rankings for n in r[:SIMILAR_SHOWN]})]

    def _refresh_summary(self, chunk: Chunk, seen: Sequence[Observation]) -> None:
        if not seen:
            return
        added = tuple(ContextLine(one.time, "note", one.text) for one in seen)
        given = SummaryInput(summary=self.summary, added=added)
        try:
            reply = self._ask(render_summary, given, SummaryReply)
        except ModelFailed as failure:
            self._note_failure(chunk, f"summary not refreshed: {failure.outcome}: {failure}")
            return
        self.summary = shortened(reply.summary, MOST_SUMMARY_CHARACTERS) or self.summary

    def _note_failure(self, chunk: Chunk, reason: str) -> None:
        self.failed.append(FailedChunk(hadm_id=chunk.hadm_id, chunk=chunk.number, reason=reason))

    def _ask(
        self,
        render: Callable[..., tuple[str, str]],
        given: ExtractInput | DecideInput | SummaryInput,
        shape: type[Reply],
        **how: bool,
    ) -> Reply:
        request = ChatRequest(
            partial(render, given, **how),
            given,
            shape,
            maximum_output_tokens=self.budget.output_tokens,
        )
        return self.model.complete(request).parsed


def build_store(
    subject_id: str,
    system: SystemSpec,
    timeline: TimelineText,
    model: ChatModel,
    embedder: Embedder | None,
) -> MemoryStore:
    """The memories of one patient; raises ItemFailed where nothing could be remembered."""
    ranker = ranker_maker(RememberingEmbedder(embedder) if embedder else None)
    builder = MemoryBuilder(system.strategy, CountedModel(model), system.budget, ranker)
    return builder.build(subject_id, system.name, timeline)


def memory_line(memory: Memory) -> ContextLine:
    """A memory as models read it."""
    return ContextLine(memory.time, "note" if memory.kind == "fact" else memory.kind, memory.text)


def shortened(text: str, most_characters: int) -> str:
    """A text on one line, cut between words where it is longer."""
    line = " ".join(text.split())
    if len(line) <= most_characters:
        return line
    return line[: most_characters + 1].rpartition(" ")[0] or line[:most_characters]


def _observation(candidate: Candidate, chunk: Chunk) -> Observation:
    return Observation(
        text=" ".join(candidate.text.split()),
        time=_time_of(candidate.time, chunk),
        hadm_id=chunk.hadm_id,
        chunk=chunk.number,
        kind=_kind_of(candidate),
    )


def _kind_of(candidate: Candidate) -> MemoryKind:
    """The kind a candidate states; what happened at a time, where it states none that is known."""
    if not isinstance(candidate, TypedCandidate):
        return "fact"
    stated = candidate.kind.strip().lower()
    for kind in _KINDS:
        if kind == stated:
            return kind
    return "episodic"


def _time_of(stated: str, chunk: Chunk) -> datetime:
    """The time a candidate names where a line of the chunk could have it, else the first line's."""
    first, last = chunk.turns[0].shown.time, chunk.turns[-1].shown.time
    found = _TIME.search(stated)
    if found is None:
        return first
    try:
        time = parse_time(f"{found[1]} {found[2]}{found[3] or ':00'}")
    except ValueError:
        return first
    return time if first <= time <= last else first
