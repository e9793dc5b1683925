"""Questions, and whole sessions, that say nearly the same as others of the release."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from tasks.audit.masking import (
    Kept,
    Vocabulary,
    mask_dates,
    slot_words,
    text_tokens,
    without_opening,
)
from tasks.audit.duplicates_sessions import Sketches
from tasks.audit.shares import share_of
from tasks.contracts.audit import AuditDuplicates, AuditPatient
from tasks.contracts.questions import CitedTurn, QuestionType
from tasks.terminology.normalization import normalize_question

ALIKE = 0.8
"""Share of their words, taken together, that near-duplicate questions have in common."""

ITEMS_SHOWN = 50


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
            self._sessions.add(session.hadm_id, (line.text for line in session.lines))

    def figures(self) -> AuditDuplicates:
        """The figures of all patients taken so far."""
        rows = sorted(self._rows)
        kept = self._vocabulary.frame()
        within = _within(rows, kept)
        across = _across(rows, kept)
        alike = self._sessions.alike()
        return AuditDuplicates(
            within_patients=share_of(len(within), len(rows)),
            within_items=tuple(sorted(within.items())[:ITEMS_SHOWN]),
            across_patients=share_of(len(across), len(rows)),
            across_items=tuple(sorted(across.items())[:ITEMS_SHOWN]),
            sessions=share_of(len({one for pair in alike for one in pair}), len(self._sessions)),
            session_items=tuple(alike[:ITEMS_SHOWN]),
        )


def _place(turn: CitedTurn) -> str:
    return f"{turn.hadm_id}:{turn.turn_number}"


def _within(rows: Sequence[_Row], kept: Kept) -> dict[str, str]:
    """Each question that repeats an earlier one of its patient, with the first that it repeats."""
    terms = {row.qa_id: slot_words(row.text, kept) for row in rows}
    found: dict[str, str] = {}
    equal = _buckets(rows, lambda row: (row.subject_id, normalize_question(row.text)))
    same_fact = _buckets(
        (row for row in rows if row.turns and not row.adversarial),
        lambda row: (row.subject_id, row.turns, row.answer, terms[row.qa_id]),
    )
    for bucket in (*equal, *same_fact):
        for row in bucket[1:]:
            found.setdefault(row.qa_id, bucket[0].qa_id)
    alike = _buckets(
        rows, lambda row: (row.subject_id, row.admissions, row.answer, terms[row.qa_id])
    )
    for bucket in alike:
        for row, others in _near(bucket, lambda row: frozenset(text_tokens(row.text))):
            earlier = next((other for other in others if other.qa_id < row.qa_id), None)
            if earlier:
                found.setdefault(row.qa_id, earlier.qa_id)
    return found


def _across(rows: Sequence[_Row], kept: Kept) -> dict[str, str]:
    """Each question that is asked of another patient with the same answer, with the first such."""
    found: dict[str, str] = {}
    for bucket in _buckets(rows, lambda row: (row.answer, slot_words(row.text, kept))):
        for row, others in _near(bucket, _undated):
            other = next((one for one in others if one.subject_id != row.subject_id), None)
            if other:
                found[row.qa_id] = other.qa_id
    return found


def _undated(row: _Row) -> frozenset[str]:
    return frozenset(text_tokens(mask_dates(without_opening(row.text))))


def _buckets(rows: Iterable[_Row], key: Callable[[_Row], Hashable]) -> list[list[_Row]]:
    """Rows with an equal key, in order; only keys that more than one row has."""
    found: defaultdict[Hashable, list[_Row]] = defaultdict(list)
    for row in rows:
        found[key(row)].append(row)
    return [bucket for bucket in found.values() if len(bucket) > 1]


def _near(
    bucket: Sequence[_Row], words_of: Callable[[_Row], frozenset[str]]
) -> Iterator[tuple[_Row, Iterable[_Row]]]:
    """Each row of a bucket, and the rows of nearly the same words (itself among them) in order.

    Rows of equal words are compared once, so that a text that a release repeats a thousand times
    costs no more than one that it has twice.
    """
    groups: defaultdict[frozenset[str], list[_Row]] = defaultdict(list)
    for row in bucket:
        groups[words_of(row)].append(row)
    for words, rows in groups.items():
        others = [group for other, group in groups.items() if _alike(words, other)]
        for row in rows:
            yield row, chain.from_iterable(others)


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two sets of words have so large a share of their union in common."""
    shared = len(one & other)
    return shared >= ALIKE * (len(one) + len(other) - shared)
