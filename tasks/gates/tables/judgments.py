"""The judgments gate's table: a row an answer to an answerable question."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import polars as pl

from tasks.contracts.evaluation import BenchmarkPatient, Judgment, JudgmentSet, PredictionSet
from tasks.contracts.questions import QuestionType
from tasks.gates.tables.rows import table


@dataclass(frozen=True, slots=True)
class JudgmentRow:
    """One answer that a judge has to judge; ``id`` is system, patient and qa_id."""

    id: str
    subject_id: str
    judgments: int
    is_due: bool
    outcome: str
    verdicts_missing: int
    not_the_majority: bool
    right_unasked: bool
    reason_missing: bool


def judgment_tables(
    patients: Sequence[BenchmarkPatient],
    judged: Iterable[tuple[PredictionSet, JudgmentSet]],
    repeats: int,
) -> dict[str, pl.DataFrame]:
    """The table ``judgments``; each answer should have been judged ``repeats`` times."""
    answerable = {
        one.subject_id: frozenset(
            asked.qa_id
            for asked in one.questions
            if asked.question_type is not QuestionType.ADVERSARIAL
        )
        for one in patients
    }
    rows = [
        row
        for predicted, found in judged
        for row in _rows(predicted, found, answerable[predicted.subject_id], repeats)
    ]
    return {"judgments": table(rows, JudgmentRow)}


def _rows(
    predicted: PredictionSet, found: JudgmentSet, answerable: frozenset[str], repeats: int
) -> list[JudgmentRow]:
    due = [
        one.qa_id
        for one in predicted.predictions
        if one.qa_id in answerable and one.outcome != "failed"
    ]
    given: dict[str, list[Judgment]] = {}
    for one in found.judgments:
        given.setdefault(one.qa_id, []).append(one)
    known = set(due)
    names = [*due, *(name for name in given if name not in known)]
    return [_row(predicted, name, given.get(name, []), name in known, repeats) for name in names]


def _row(
    predicted: PredictionSet, qa_id: str, made: Sequence[Judgment], is_due: bool, repeats: int
) -> JudgmentRow:
    one = made[0] if made else Judgment(qa_id=qa_id, outcome="error", verdicts=(), reason="none")
    right, wrong = one.verdicts.count(True), one.verdicts.count(False)
    majority = "right" if right > wrong else "wrong" if wrong > right else "error"
    failed = one.asked and one.outcome == "error"
    return JudgmentRow(
        id=f"{predicted.system} {predicted.subject_id} {qa_id}",
        subject_id=predicted.subject_id,
        judgments=len(made),
        is_due=is_due,
        outcome=one.outcome,
        verdicts_missing=max(0, repeats - len(one.verdicts)) if one.asked and not failed else 0,
        not_the_majority=one.asked and one.outcome != majority,
        right_unasked=not one.asked and one.outcome != "wrong",
        reason_missing=failed and not one.reason,
    )
