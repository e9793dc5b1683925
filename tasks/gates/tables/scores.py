"""The scores gate's tables: a row a scored answer, and a row a system."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import polars as pl

from tasks.contracts.evaluation import ItemScore
from tasks.contracts.questions import QuestionType
from tasks.gates.tables.rows import table


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """One scored answer; ``id`` is system, patient and qa_id."""

    id: str
    subject_id: str
    is_asked: bool
    lines: int
    values_out_of_bounds: int
    overlap_misplaced: bool
    abstention_misplaced: bool
    verdict_misplaced: bool
    missing_not_zero: bool


@dataclass(frozen=True, slots=True)
class SystemScoreRow:
    """One system; ``id`` is its name."""

    id: str
    questions: int
    lines_missing: int
    error_share: float


def score_tables(
    asked: Mapping[tuple[str, str], str], scores: Iterable[ItemScore], systems: Iterable[str]
) -> dict[str, pl.DataFrame]:
    """The tables ``scores_items`` and ``scores_systems``.

    ``asked`` holds the type of every question by subject_id and qa_id.
    """
    lines = list(scores)
    times = Counter((one.system, one.subject_id, one.qa_id) for one in lines)
    rows = [_row(one, times[one.system, one.subject_id, one.qa_id], asked) for one in lines]
    of_system: dict[str, list[ItemScore]] = {name: [] for name in systems}
    for one in lines:
        of_system.setdefault(one.system, []).append(one)
    return {
        "scores_items": table(rows, ScoreRow),
        "scores_systems": table(
            [_system_row(name, found, asked) for name, found in of_system.items()], SystemScoreRow
        ),
    }


def _row(one: ItemScore, lines: int, asked: Mapping[tuple[str, str], str]) -> ScoreRow:
    answerable = one.question_type is not QuestionType.ADVERSARIAL
    failed = one.outcome == "failed"
    return ScoreRow(
        id=f"{one.system} {one.subject_id} {one.qa_id}",
        subject_id=one.subject_id,
        is_asked=asked.get((one.subject_id, one.qa_id)) == one.question_type,
        lines=lines,
        values_out_of_bounds=sum(not 0 <= value <= 1 for value in _values(one)),
        overlap_misplaced=(one.overlap is None) == (answerable and not failed),
        abstention_misplaced=(one.abstained is None) != failed,
        verdict_misplaced=(one.judged is None) == (answerable and not failed),
        missing_not_zero=one.outcome == "missing" and _counts_for_something(one),
    )


def _values(one: ItemScore) -> list[float]:
    """Every share of a line; NaN lies outside of any bounds."""
    values = [
        value
        for overlap in (one.overlap or {}).values()
        for value in (overlap.precision, overlap.recall, overlap.f1)
    ]
    values += [one.judge_agreement] if one.judge_agreement is not None else []
    if one.retrieval is not None:
        values += [*one.retrieval.admissions_at.values(), *(one.retrieval.turns_at or {}).values()]
    return values


def _counts_for_something(one: ItemScore) -> bool:
    gained = any(overlap.f1 > 0 for overlap in (one.overlap or {}).values())
    return gained or one.judged == "right" or any((one.abstained or {}).values())


def _system_row(
    name: str, lines: list[ItemScore], asked: Mapping[tuple[str, str], str]
) -> SystemScoreRow:
    found = {(one.subject_id, one.qa_id) for one in lines}
    total = max(1, len(asked))
    return SystemScoreRow(
        id=name,
        questions=len(asked),
        lines_missing=len(asked.keys() - found),
        error_share=sum(one.outcome == "failed" or one.judged == "error" for one in lines) / total,
    )
