"""The predictions gate's tables: a row a question and system, and a row a system."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import polars as pl

from tasks.contracts.evaluation import BenchmarkPatient, Prediction, PredictionSet
from tasks.gates.tables.rows import table

_TIMES_ASKED_BEFORE_MISSING = 2


@dataclass(frozen=True, slots=True)
class PredictionRow:
    """One question a system was asked; ``id`` is system, patient and qa_id."""

    id: str
    subject_id: str
    predictions: int
    is_asked: bool
    outcome: str
    blank_answer: bool
    answer_though_none: bool
    reason_missing: bool
    given_up_early: bool
    turns_beyond: int
    unknown_sessions: int


@dataclass(frozen=True, slots=True)
class SystemRow:
    """One system; ``id`` is its name."""

    id: str
    patients_missing: int
    questions: int
    predictions_missing: int


def prediction_tables(
    patients: Sequence[BenchmarkPatient], predicted: Iterable[PredictionSet]
) -> dict[str, pl.DataFrame]:
    """The tables ``predictions_items`` and ``predictions_systems``."""
    known = {one.subject_id: _Asked.of(one) for one in patients}
    rows: list[PredictionRow] = []
    seen: dict[str, Counter[str]] = {}
    for given in predicted:
        asked = known.get(given.subject_id, _NOBODY)
        made = _rows(given, asked)
        rows += made
        found = seen.setdefault(given.system, Counter())
        found["predictions"] += sum(one.predictions > 0 and one.is_asked for one in made)
        found["patients"] += 1
    questions = sum(len(one.qa_ids) for one in known.values())
    systems = [
        SystemRow(
            id=system,
            patients_missing=len(known) - found["patients"],
            questions=questions,
            predictions_missing=questions - found["predictions"],
        )
        for system, found in seen.items()
    ]
    return {
        "predictions_items": table(rows, PredictionRow),
        "predictions_systems": table(systems, SystemRow),
    }


@dataclass(frozen=True)
class _Asked:
    """What predictions about a patient may speak of."""

    qa_ids: tuple[str, ...]
    sessions: frozenset[str]

    @classmethod
    def of(cls, patient: BenchmarkPatient) -> _Asked:
        return cls(
            tuple(one.qa_id for one in patient.questions),
            frozenset(one.hadm_id for one in patient.sessions),
        )


_NOBODY = _Asked((), frozenset())


def _rows(given: PredictionSet, asked: _Asked) -> list[PredictionRow]:
    """A row for every question of the patient, and for every answer to none of them."""
    answers: dict[str, list[Prediction]] = {}
    for one in given.predictions:
        answers.setdefault(one.qa_id, []).append(one)
    known = set(asked.qa_ids)
    names = [*asked.qa_ids, *(name for name in answers if name not in known)]
    return [_row(given, name, answers.get(name, []), name in known, asked) for name in names]


def _row(
    given: PredictionSet, qa_id: str, made: Sequence[Prediction], is_asked: bool, asked: _Asked
) -> PredictionRow:
    one = made[0] if made else Prediction(qa_id=qa_id, outcome="failed", reason="none")
    answered = one.outcome == "answered"
    return PredictionRow(
        id=f"{given.system} {given.subject_id} {qa_id}",
        subject_id=given.subject_id,
        predictions=len(made),
        is_asked=is_asked,
        outcome=one.outcome,
        blank_answer=answered and not one.answer.strip(),
        answer_though_none=not answered and bool(one.answer),
        reason_missing=one.outcome == "failed" and not one.reason,
        given_up_early=one.outcome == "missing" and one.asked_times < _TIMES_ASKED_BEFORE_MISSING,
        turns_beyond=max(0, one.shown_turns - one.all_turns),
        unknown_sessions=len(set(one.shown_sessions) - asked.sessions),
    )
