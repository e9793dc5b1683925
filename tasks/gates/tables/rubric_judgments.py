"""The tables of the gates of judgments by rubrics: rows are constraints, pairs and answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import isfinite

import polars as pl

from tasks.contracts.rubric_measures import PairResult, RubricScore
from tasks.contracts.rubric_results import (
    AtomSet,
    Covered,
    NearMiss,
    QueryCoverage,
    Refinement,
    ScoredAnswer,
)
from tasks.contracts.rubrics import Criterion, Rubric
from tasks.gates.tables.rows import table


@dataclass(frozen=True, slots=True)
class ConstraintRow:
    """One constraint; ``id`` is the set, the query, the side and its place."""

    id: str
    axis: str
    is_due: bool
    verdicts: int


@dataclass(frozen=True, slots=True)
class PairRow:
    """One pair by one rubric and judge."""

    id: str
    decision: str
    runs: int
    orders_missing: int
    not_the_plurality: bool
    is_not_finite: bool
    changes: int


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """One answer judged by the gold rubric; ``id`` is the set, or base, and the query."""

    id: str
    verdicts_missing: int
    lacks_reason: bool
    is_another_score: bool


Score = Callable[[Sequence[Criterion], Sequence[bool]], RubricScore]
BASE = "base"


def coverage_table(
    judged: Iterable[tuple[AtomSet, AtomSet, QueryCoverage]],
) -> pl.DataFrame:
    """The table ``rubric-coverage``: gold constraints, own constraints, verdicts."""
    rows = [
        row
        for gold, own, found in judged
        for side, atoms, verdicts in (("gold", gold, found.gold), ("own", own, found.own))
        for row in _constraints(f"{found.name} {found.query_id} {side}", atoms, verdicts)
    ]
    return table(rows, ConstraintRow)


def pair_table(judged: Iterable[tuple[NearMiss, PairResult]]) -> pl.DataFrame:
    """The table ``rubric-pairs``."""
    return table([_pair(pair, result) for pair, result in judged], PairRow)


def refinement_table(
    base: Iterable[ScoredAnswer],
    refined: Iterable[Refinement],
    gold: Callable[[str], Rubric],
    score: Score,
) -> pl.DataFrame:
    """The table ``rubric-refinements``; ``gold`` is the physicians' rubric of a query."""
    rows = [_answer(BASE, one, one.reason, gold(one.query_id), score) for one in base]
    rows += [
        _answer(f"edited by {one.name}", one.scored, one.reason, gold(one.query_id), score)
        for one in refined
    ]
    return table(rows, AnswerRow)


def _answer(
    name: str, found: ScoredAnswer | None, reason: str, gold: Rubric, score: Score
) -> AnswerRow:
    met = None if found is None else found.met
    missing = 0 if met is None else abs(len(gold.criteria) - len(met))
    expected = score(gold.criteria, met) if met is not None and not missing else None
    return AnswerRow(
        id=f"{name} {gold.query_id}",
        verdicts_missing=missing,
        lacks_reason=met is None and not reason,
        is_another_score=found is not None and not missing and found.score != expected,
    )


def _constraints(name: str, atoms: AtomSet, verdicts: Sequence[Covered]) -> Iterable[ConstraintRow]:
    count = max(len(atoms.atoms), len(verdicts))
    for place in range(count):
        is_due = place < len(atoms.atoms)
        axis = atoms.atoms[place].axis if is_due else verdicts[place].axis
        yield ConstraintRow(
            id=f"{name} {place + 1}", axis=axis, is_due=is_due, verdicts=int(place < len(verdicts))
        )


def _pair(pair: NearMiss, result: PairResult) -> PairRow:
    orders = {(one.trial, one.reference_first) for one in result.runs}
    values = [value for one in result.runs for value in (one.reference, one.near_miss)]
    values += [] if result.delta is None else [result.delta]
    wins = sum(one.delta > 0 for one in result.runs)
    losses = sum(one.delta < 0 for one in result.runs)
    ties = len(result.runs) - wins - losses
    counts = {"win": wins, "loss": losses, "tie": ties}
    most = [name for name, count in counts.items() if count == max(counts.values())]
    plurality = "error" if result.failed_runs else most[0] if len(most) == 1 else "tie"
    return PairRow(
        id=f"{result.name} {result.judge} {result.query_id}",
        decision=result.decision,
        runs=len(result.runs) + result.failed_runs,
        orders_missing=6 - len(orders) if result.decision != "error" else 0,
        not_the_plurality=result.decision != plurality,
        is_not_finite=not all(map(isfinite, values)),
        changes=_changes(pair),
    )


def _changes(pair: NearMiss) -> int:
    """1 where the near-miss is the reference with one piece replaced, else 0 or how often."""
    if pair.reference.replace(pair.original, pair.replacement, 1).strip() != pair.text:
        return 0
    return pair.reference.count(pair.original) if pair.text != pair.reference else 0
