"""Whether a record mentions something: the ground for calling a target absent or a count right."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from tasks.contracts.questions import ChartAdmission
from tasks.contracts.records import FactKind
from tasks.qa.kinds import is_broad, stem, telling_roots
from tasks.terminology.normalization import words
from tasks.terminology.synonyms import generic_words, spellings

TOLD_FREELY = frozenset({"reason", "finding"})
"""Groups whose targets are phrases of the record, which it may tell in other words too."""

PROBLEM = "problem"
"""Group of diagnoses, some of which are kinds of others."""

_PROBLEMS = frozenset({FactKind.DIAGNOSIS, FactKind.PAST_CONDITION, FactKind.COURSE})
_SHARE_OF_WORDS = 0.6
_VAGUE = frozenset([
    "after", "before", "during", "high", "likely", "low", "marked", "mild", "moderate", "new", "no",
    "persistent", "possible", "recurrent", "severe", "small", "without", "worsening",
])  # fmt: skip
_SENTENCE_END = re.compile(r"(?<=[.;:!?#])\s+|\n\s*\n")


class RecordText:
    """An index of sentences, rows and turns that is generous in finding a mention.

    A label counts as mentioned when a sentence holds most of its specific words (or of a synonym's
    or abbreviation's), so that only what is surely absent is called absent.
    """

    def __init__(self, chunks: Iterable[Sequence[str]], problems: Iterable[str] = ()) -> None:
        """Index chunks that are given as their words, and the problems that are named as such."""
        named = (telling_roots(_telling(problem)) for problem in problems)
        self._problems = frozenset[str]().union(*named)
        self._chunks_by_word: dict[str, list[int]] = defaultdict(list)
        for position, chunk in enumerate(chunks):
            for word in set(map(stem, chunk)):
                self._chunks_by_word[word].append(position)
        self._known: dict[str, bool] = {}

    def mentions(self, label: str) -> bool:
        """Whether the label, a synonym or an abbreviation of it occurs."""
        if label not in self._known:
            self._known[label] = any(self._has(spelling) for spelling in spellings(label))
        return self._known[label]

    def touches(self, label: str) -> bool:
        """Whether any specific word of the label, a synonym or an abbreviation of it occurs.

        For reasons and findings: a record may tell the same in another order and other words.
        """
        return any(
            word in self._chunks_by_word
            for spelling in spellings(label)
            for word in _telling(spelling)
        )

    def lacks(self, label: str, group: str) -> bool:
        """Whether a target is surely absent, by the vocabulary that it comes from.

        A diagnosis is so only if none of the problems is of its kind, or it of theirs.
        """
        if group in TOLD_FREELY:
            return not self.touches(label)
        if group == PROBLEM and (is_broad(label) or self._has_kind_of(label)):
            return False
        return not self.mentions(label)

    def _has_kind_of(self, label: str) -> bool:
        return not self._problems.isdisjoint(telling_roots(_telling(label)))

    def _has(self, spelling: str) -> bool:
        wanted, needed = _wanted(spelling)
        # Most labels are asked for in vain: look whether enough of their words occur at all first.
        known = [self._chunks_by_word[word] for word in wanted if word in self._chunks_by_word]
        if len(known) < needed or needed < 2:
            return len(known) >= needed
        hits: Counter[int] = Counter()
        for chunks in known:
            hits.update(chunks)
        return max(hits.values(), default=0) >= needed


def admission_chunks(admission: ChartAdmission) -> Iterator[str]:
    """Sentences of the notes, event rows, facts, the previous summary and the turns of a stay."""
    bundle = admission.bundle
    for note in (*bundle.discharge_notes, *bundle.radiology_notes):
        yield from _SENTENCE_END.split(note.text)
    for row in (*bundle.diagnoses, *bundle.procedures):
        yield row.long_title
    for event in bundle.microbiology:
        yield f"{event.spec_type_desc} {event.test_name}"
        yield f"{event.org_name} {event.ab_name}"
        yield event.comments
    for fact in admission.facts:
        yield f"{fact.label} {fact.value}"
    for line in admission.lines:
        yield from _SENTENCE_END.split(line.text)
    if bundle.previous_admission_summary is not None:
        yield from _SENTENCE_END.split(bundle.previous_admission_summary.summary_paragraph)
        yield from bundle.previous_admission_summary.problems


def named_problems(admission: ChartAdmission) -> Iterator[str]:
    """Diagnoses and problems of a stay, coded or told."""
    yield from (row.long_title for row in admission.bundle.diagnoses)
    yield from (fact.label for fact in admission.facts if fact.kind in _PROBLEMS)


@cache
def _telling(spelling: str) -> tuple[str, ...]:
    """Words that tell what a reason or finding is about; all words where it has no such word."""
    wanted, _ = _wanted(spelling)
    return tuple(word for word in wanted if word not in _VAGUE) or wanted


@cache
def _wanted(spelling: str) -> tuple[tuple[str, ...], int]:
    """The words that tell a spelling from others, and how many of them a sentence must hold."""
    stems = tuple(dict.fromkeys(stem(word) for word in words(spelling)))
    specific = tuple(word for word in stems if word not in generic_words())
    return (
        (specific, math.ceil(_SHARE_OF_WORDS * len(specific))) if specific else (stems, len(stems))
    )
