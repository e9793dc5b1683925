"""Questions, and whole sessions, that say nearly the same as others of the release."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from tasks.audit.shares import share_of
from tasks.audit.texts.like_sessions import Sketches
from tasks.audit.texts.masking import (
    Kept,
    Vocabulary,
    mask_dates,
    slot_words,
    text_tokens,
    without_opening,
)
from tasks.contracts.audit import AuditDuplicates, AuditPatient
from tasks.contracts.questions import CitedTurn, QuestionType
from tasks.terminology.normalization import normalize_question

ALIKE = 0.8
"""Share of their words, taken together, that near-duplicate questions have in common."""

ITEMS_SHOWN = 50


_Pairs = dict[int, int]
"""The place of a row among the sorted ones, and the place of the row that it repeats."""


class _Row(NamedTuple):
    """A question as this audit keeps it."""

    subject_id: str
    qa_id: str
    text: str
    answer: str
    adversarial: bool
    admissions: tuple[str, ...]
    turns: tuple[str, ...]


class DuplicatesAudit:
    """Takes a release patient by patient; the order of patients doesn't matter."""

    def __init__(self, vocabulary: Vocabulary | None = None) -> None:
        self._vocabulary = vocabulary or Vocabulary()
        self._rows: list[_Row] = []
        self._sessions = Sketches()

    def add(self, patient: AuditPatient) -> None:
        """Take a patient's questions and sessions."""
        self._vocabulary.add(patient)
        self._rows += [
            _Row(
                patient.subject_id,
                one.qa_id,
                one.question,
                normalize_question(one.answer),
                one.question_type is QuestionType.ADVERSARIAL,
                one.evidence.admissions,
                tuple(sorted(map(_place, one.evidence.turns))),
            )
            for one in patient.questions
        ]
        for session in patient.sessions:
            key = (patient.subject_id, session.hadm_id)
            self._sessions.add(key, (line.text for line in session.lines))

    def figures(self) -> AuditDuplicates:
        """The figures of all patients taken so far."""
        rows = sorted(self._rows)
        kept = self._vocabulary.frame()
        within = _within(rows, kept)
        across = _across(rows, kept)
        alike = self._sessions.alike()
        return AuditDuplicates(
            within_patients=share_of(len(within), len(rows)),
            within_items=_named(rows, within),
            across_patients=share_of(len(across), len(rows)),
            across_items=_named(rows, across),
            sessions=share_of(len({one for pair in alike for one in pair}), len(self._sessions)),
            session_items=tuple((one[1], other[1]) for one, other in alike[:ITEMS_SHOWN]),
        )


def _place(turn: CitedTurn) -> str:
    return f"{turn.hadm_id}:{turn.turn_number}"


def _within(rows: Sequence[_Row], kept: Kept) -> _Pairs:
    """Each question that repeats an earlier one of its patient, with the first that it repeats."""
    terms = [slot_words(row.text, kept) for row in rows]
    found: _Pairs = {}
    equal = _buckets(rows, lambda row, _: (row.subject_id, normalize_question(row.text)))
    same_fact = _buckets(
        rows,
        lambda row, place: (
            (row.subject_id, row.turns, row.answer, terms[place])
            if row.turns and not row.adversarial
            else None
        ),
    )
    for bucket in (*equal, *same_fact):
        for place in bucket[1:]:
            found.setdefault(place, bucket[0])
    alike = _buckets(
        rows, lambda row, place: (row.subject_id, row.admissions, row.answer, terms[place])
    )
    for bucket in alike:
        words = {place: frozenset(text_tokens(rows[place].text)) for place in bucket}
        for place, others in _near(words):
            earlier = next((other for other in others if other < place), None)
            if earlier is not None:
                found.setdefault(place, earlier)
    return found


def _across(rows: Sequence[_Row], kept: Kept) -> _Pairs:
    """Each question that is asked of another patient with the same answer, with the first such."""
    found: _Pairs = {}
    for bucket in _buckets(rows, lambda row, _: (row.answer, slot_words(row.text, kept))):
        for place, others in _near({place: _undated(rows[place]) for place in bucket}):
            asked_of = rows[place].subject_id
            other = next((one for one in others if rows[one].subject_id != asked_of), None)
            if other is not None:
                found[place] = other
    return found


def _named(rows: Sequence[_Row], pairs: _Pairs) -> tuple[tuple[str, str], ...]:
    return tuple(
        (rows[place].qa_id, rows[other].qa_id)
        for place, other in sorted(pairs.items())[:ITEMS_SHOWN]
    )


def _undated(row: _Row) -> frozenset[str]:
    return frozenset(text_tokens(mask_dates(without_opening(row.text))))


def _buckets(rows: Sequence[_Row], key: Callable[[_Row, int], Hashable | None]) -> list[list[int]]:
    """Places of rows with an equal key, in order; only keys that more than one row has."""
    found: defaultdict[Hashable, list[int]] = defaultdict(list)
    for place, row in enumerate(rows):
        if (value := key(row, place)) is not None:
            found[value].append(place)
    return [bucket for bucket in found.values() if len(bucket) > 1]


def _near(words: Mapping[int, frozenset[str]]) -> Iterator[tuple[int, Iterable[int]]]:
    """Each place, and the places of nearly the same words (itself among them).

    Places of equal words are compared once, so that a text that a release repeats a thousand times
    costs no more than one that it has twice.
    """
    groups: defaultdict[frozenset[str], list[int]] = defaultdict(list)
    for place, held in words.items():
        groups[held].append(place)
    for held, places in groups.items():
        others = [group for other, group in groups.items() if _alike(held, other)]
        for place in places:
            yield place, chain.from_iterable(others)


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two sets of words have so large a share of their union in common."""
    shared = len(one & other)
    return shared >= ALIKE * (len(one) + len(other) - shared)
