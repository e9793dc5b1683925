"""A patient made ready for a strategy: what doesn't depend on a question is done once."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from tasks.adapters.embedders import Embedder
from tasks.answering.blocks import TurnBlocks
from tasks.answering.memory_view import MemoryRecall
from tasks.answering.ranking import Document, Ranker, ranker_maker
from tasks.answering.timeline import TimelineText
from tasks.answering.views import AdmissionRetrieval, FullContext, TurnRetrieval, View
from tasks.contracts.evaluation import Baseline, Strategy
from tasks.contracts.memories import MemoryStore


@dataclass
class ReadyPatient:
    """A timeline with its index, and the memories where a strategy has some.

    Safe to read from several threads: they wait while one of them builds the index.
    """

    timeline: TimelineText
    strategy: Strategy | Baseline
    embedder: Embedder | None
    memories: MemoryStore | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def view(self, questions: Sequence[str]) -> View:
        """What the strategy shows for these questions, ranked together."""
        match self.strategy:
            case "bm25" | "dense":
                ranked = self._ranked(questions)
                return AdmissionRetrieval(self.timeline, self._blocks, ranked, self._split)
            case "bm25-turns" | "dense-turns":
                ranked = self._ranked(questions)
                return TurnRetrieval(self.timeline, self._blocks, ranked, self._split)
            case "mem0" | "mem0-star" | "mem-alpha":
                return MemoryRecall(
                    summary=self._store.summary,
                    memories=self._store.active,
                    rankings=self._ranked(questions),
                    all_turns=len(self.timeline.turns),
                    split_documents=self._split,
                )
            case _:
                return FullContext(self.timeline, self._blocks)

    def _ranked(self, questions: Sequence[str]) -> dict[str, tuple[int, ...]]:
        with self._lock:
            ranker = self._ranker
        return dict(zip(questions, ranker.rank(questions), strict=True))

    @property
    def _split(self) -> int:
        return self._ranker.split_documents

    @property
    def _store(self) -> MemoryStore:
        if self.memories is None:
            raise ValueError(f"strategy {self.strategy} answers from memories; none were given")
        return self.memories

    @cached_property
    def _blocks(self) -> TurnBlocks:
        return TurnBlocks(self.timeline)

    @cached_property
    def _ranker(self) -> Ranker:
        return ranker_maker(self.embedder)(self._documents())

    def _documents(self) -> list[Document]:
        turns = self.timeline.turns
        match self.strategy:
            case "bm25" | "dense":
                return [
                    tuple(turns[one].line for one in session.positions)
                    for session in self.timeline.sessions
                ]
            case "bm25-turns" | "dense-turns":
                return [(turn.line,) for turn in turns]
            case _:
                return [(one.text,) for one in self._store.active]
