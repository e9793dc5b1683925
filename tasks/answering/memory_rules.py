"""Memories by rules, for the programmatic provider: doctor's sentences that state something."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tasks.answering.extracting import words_of
from tasks.answering.memory_shapes import (
    MOST_CANDIDATES,
    MOST_SUMMARY_CHARACTERS,
    Candidate,
    CandidatesReply,
    DecideInput,
    Decision,
    DecisionsReply,
    ExtractInput,
    SummaryInput,
    SummaryReply,
    TypedCandidate,
    TypedCandidatesReply,
)
from tasks.answering.timeline import ContextLine
from tasks.contracts.clock import format_date, format_time

SAYS_THE_SAME = 0.85
"""Share of words in common above which a candidate is known."""

SAYS_IT_ANEW = 0.6
"""Share above which it replaces a memory of the same day's stay with another figure."""

_FEWEST_WORDS = 4
_SENTENCE = re.compile(r"(?<=[.?!])\s+")
_DIGIT = re.compile(r"\d")
_CORE = re.compile(r"\ballerg|\bhistory of\b|\bchronic\b|\bfor (?:many )?years\b", re.IGNORECASE)
_SEMANTIC = re.compile(
    r"\bbecause\b|\bdue to\b|\bso that\b|\bto prevent\b|\breason\b", re.IGNORECASE
)


def extract_by_rules(given: ExtractInput) -> CandidatesReply:
    """The sentences with most to say, at most 32, in time order."""
    known = [words_of(one.text) for one in given.existing]
    said = [
        (line, sentence)
        for line in given.lines
        for sentence in _SENTENCE.split(line.text)
        if _states(line, sentence)
        and all(_alike(words_of(sentence), one) < SAYS_THE_SAME for one in known)
    ]
    ranked = sorted(range(len(said)), key=lambda place: (-_weight(said[place][1]), place))
    return CandidatesReply(
        candidates=[
            Candidate(time=format_time(said[place][0].time), text=said[place][1].strip())
            for place in sorted(ranked[:MOST_CANDIDATES])
        ]
    )


def extract_typed_by_rules(given: ExtractInput) -> TypedCandidatesReply:
    """The same with kinds."""
    found = extract_by_rules(given).candidates
    return TypedCandidatesReply(
        candidates=[
            TypedCandidate(time=one.time, text=one.text, kind=_kind(one.text)) for one in found
        ]
    )


def decide_by_rules(given: DecideInput) -> DecisionsReply:
    """By words in common with the nearest memory: known, the same with another figure, or new."""
    return DecisionsReply(
        decisions=[
            _decision(number, candidate, given.memories)
            for number, candidate in enumerate(given.candidates, 1)
        ]
    )


def summarise_by_rules(given: SummaryInput) -> SummaryReply:
    """One observation a chunk, with its day; the oldest go where there is no room."""
    if not given.added:
        return SummaryReply(summary=given.summary)
    first = max(given.added, key=lambda one: _weight(one.text))
    said = [given.summary] if given.summary else []
    parts = [*"\n".join(said).split(" / "), f"{format_date(first.time)}: {first.text}"]
    while len(" / ".join(parts)) > MOST_SUMMARY_CHARACTERS and len(parts) > 1:
        del parts[0]
    return SummaryReply(summary=" / ".join(part for part in parts if part))


def _states(line: ContextLine, sentence: str) -> bool:
    return (
        line.speaker == "Doctor"
        and not sentence.rstrip().endswith("?")
        and len(sentence.split()) >= _FEWEST_WORDS
    )


def _weight(sentence: str) -> int:
    """How much a sentence has to say: its words, figures three times."""
    words = words_of(sentence)
    return len(words) + 2 * sum(bool(_DIGIT.search(word)) for word in words)


def _kind(text: str) -> str:
    if _CORE.search(text):
        return "core"
    return "semantic" if _SEMANTIC.search(text) else "episodic"


def _decision(number: int, candidate: ContextLine, memories: Sequence[ContextLine]) -> Decision:
    words = words_of(candidate.text)
    near = [(_alike(words, words_of(one.text)), place) for place, one in enumerate(memories, 1)]
    share, place = max(near, key=lambda one: (one[0], one[1]), default=(0.0, 0))
    if share >= SAYS_THE_SAME:
        return Decision(observation=number, operation="NOOP", memory=place)
    if share >= SAYS_IT_ANEW and memories[place - 1].time.date() == candidate.time.date():
        text = candidate.text
        return Decision(observation=number, operation="UPDATE", memory=place, text=text)
    return Decision(observation=number, operation="ADD")


def _alike(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / max(1, len(one | other))
