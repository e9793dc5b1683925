"""Figures of every system: means over questions and over patients, each with n and interval."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar, get_args

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from tasks.contracts.base import Contract
from tasks.contracts.evaluation import (
    ErrorKind,
    Estimated,
    GroupScores,
    ItemScore,
    Recipe,
    SystemCounts,
    SystemScores,
)
from tasks.contracts.questions import QuestionType, Scope
from tasks.scoring.bootstrap import Floats, Resampling, sum_by_patient
from tasks.scoring.columns import (
    RECIPES,
    adversarial_rows,
    columns_of,
    group_scores,
    is_adversarial,
    without_half_scores,
)
from tasks.scoring.groups import (
    LENGTHS,
    POSITIONS,
    SPANS,
    length_group,
    position_group,
    span_group,
)
from tasks.scoring.retrieval import ADMISSIONS_AT, TURNS_AT

RESAMPLES = 1_000
ERROR_SHARE_LIMIT = 0.05
"""Largest share of failed calls and judge errors among a system's questions; above, invalid."""

Key = TypeVar("Key")


class SystemUsage(Contract):
    """What a system's answers took; scores don't hold it."""

    requests: int = Field(default=0, ge=0, description="Replies of the model")
    input_tokens: int = Field(default=0, ge=0, description="Prompt tokens")
    output_tokens: int = Field(default=0, ge=0, description="Completion tokens")
    usd: float | None = Field(default=None, description="Cost; null without a price table")


def summarise(
    scores: Iterable[ItemScore],
    *,
    seed: int,
    resamples: int = RESAMPLES,
    error_share_limit: float = ERROR_SHARE_LIMIT,
    usage: Mapping[str, SystemUsage] | None = None,
) -> tuple[SystemScores, ...]:
    """Figures of every system and judge among the scores of one release, sorted by name.

    The order of the scores doesn't matter. ``usage`` is by name of the system.
    """
    systems = by_system(scores)
    subjects = sorted({item.subject_id for items in systems.values() for item in items})
    resampling = Resampling(len(subjects), resamples, seed)
    codes = {subject_id: code for code, subject_id in enumerate(subjects)}
    return tuple(
        _summary(
            _SystemTable(tuple(items), codes, resampling),
            error_share_limit,
            (usage or {}).get(system, SystemUsage()),
        )
        for (system, _), items in systems.items()
    )


def by_system(scores: Iterable[ItemScore]) -> dict[tuple[str, str], list[ItemScore]]:
    """Scores by (system, judge), sorted, and each by patient and question.

    Raises ValueError for scores of several releases: their questions differ.
    """
    items = sorted(scores, key=lambda item: (item.system, item.judge, item.subject_id, item.qa_id))
    releases = {item.release for item in items}
    if len(releases) > 1:
        raise ValueError(f"expected the scores of one release, found {len(releases)}")
    systems: dict[tuple[str, str], list[ItemScore]] = {}
    for item in items:
        systems.setdefault((item.system, item.judge), []).append(item)
    return systems


@dataclass(frozen=True)
class _SystemTable:
    """One system's scores, and how its patients are drawn again."""

    items: tuple[ItemScore, ...]
    codes: Mapping[str, int]
    resampling: Resampling

    @cached_property
    def patients(self) -> NDArray[np.intp]:
        return np.array([self.codes[item.subject_id] for item in self.items], dtype=np.intp)

    @cached_property
    def columns(self) -> Floats:
        return columns_of(self.items)

    @cached_property
    def adversarial(self) -> NDArray[np.bool_]:
        return adversarial_rows(self.items)

    def scores(self, rows: NDArray[np.intp], *, macro: bool = False) -> GroupScores:
        """Figures of some of the questions."""
        values = without_half_scores(self.columns[rows], self.adversarial[rows])
        sums = sum_by_patient(values, self.patients[rows], len(self.codes))
        numbers = sums.counts.sum(axis=0)
        return group_scores(self.resampling.estimate(sums.macro() if macro else sums, numbers))

    def grouped(
        self, group: Callable[[ItemScore], Key], order: Sequence[Key]
    ) -> dict[Key, GroupScores]:
        """Figures by group, in order, without groups that have no question."""
        rows: dict[Key, list[int]] = {}
        for row, item in enumerate(self.items):
            rows.setdefault(group(item), []).append(row)
        return {key: self.scores(np.array(rows[key])) for key in order if key in rows}

    def estimates(self, values: Sequence[Sequence[float]]) -> tuple[Estimated, ...]:
        """Estimates of other values: items x columns."""
        table = np.array(values, dtype=np.float64)
        return self.resampling.estimate(sum_by_patient(table, self.patients, len(self.codes)))


def _summary(table: _SystemTable, error_share_limit: float, usage: SystemUsage) -> SystemScores:
    first, everything = table.items[0], np.arange(len(table.items))
    counts = _counts(table.items)
    errors = counts.failed + counts.judge_errors
    kinds = Counter(item.error_kind for item in table.items)
    admissions, turns = _recalls(table)
    (agreement,) = table.estimates([[_number(one.judge_agreement)] for one in table.items])
    return SystemScores(
        system=first.system,
        model=first.model,
        strategy=first.strategy,
        judge=first.judge,
        recipes=first.recipes,
        valid=errors <= error_share_limit * counts.questions,
        counts=counts,
        overall=table.scores(everything),
        macro=table.scores(everything, macro=True),
        by_scope=table.grouped(lambda item: item.scope, get_args(Scope)),
        by_type=table.grouped(lambda item: item.question_type, tuple(QuestionType)),
        by_position=table.grouped(position_group, POSITIONS),
        by_span=table.grouped(span_group, SPANS),
        by_length=table.grouped(length_group, LENGTHS),
        errors={kind: kinds[kind] for kind in get_args(ErrorKind)},
        abstention_counts={recipe: _abstention_errors(table.items, recipe) for recipe in RECIPES},
        recall_admissions=admissions,
        recall_turns=turns,
        judge_agreement=agreement,
        **usage.model_dump(),
    )


def _counts(items: Sequence[ItemScore]) -> SystemCounts:
    outcomes = Counter(item.outcome for item in items)
    return SystemCounts(
        questions=len(items),
        answered=outcomes["answered"],
        missing=outcomes["missing"],
        failed=outcomes["failed"],
        judge_errors=sum(map(_lacks_verdict, items)),
        truncated=sum(item.truncated for item in items),
    )


def _lacks_verdict(item: ItemScore) -> bool:
    """Whether a judge was asked for a verdict on a question and gave none."""
    to_judge = bool(item.judge) and not is_adversarial(item) and item.outcome != "failed"
    return to_judge and item.judged not in ("right", "wrong")


def _abstention_errors(items: Sequence[ItemScore], recipe: Recipe) -> tuple[int, int]:
    """Abstentions on answerable questions, and answers to adversarial ones."""
    answered = [item for item in items if item.outcome == "answered" and item.abstained]
    abstained = [bool(item.abstained and item.abstained[recipe]) for item in answered]
    pairs = list(zip(map(is_adversarial, answered), abstained, strict=True))
    return pairs.count((False, True)), pairs.count((True, False))


def _recalls(table: _SystemTable) -> tuple[dict[int, Estimated], dict[int, Estimated]]:
    """Evidence recall of answerable questions: an adversarial one cites no answer."""
    found = [None if is_adversarial(item) else item.retrieval for item in table.items]
    if not any(found):
        return {}, {}
    rows = [
        [_number(one and one.admissions_at.get(k)) for k in ADMISSIONS_AT]
        + [_number(one and one.turns_at and one.turns_at.get(k)) for k in TURNS_AT]
        for one in found
    ]
    estimates = table.estimates(rows)
    split = len(ADMISSIONS_AT)
    admissions = dict(zip(ADMISSIONS_AT, estimates[:split], strict=True))
    turns = dict(zip(TURNS_AT, estimates[split:], strict=True))
    return _with_values(admissions), _with_values(turns)


def _with_values(estimates: dict[int, Estimated]) -> dict[int, Estimated]:
    return {k: one for k, one in estimates.items() if one.n}


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else float("nan")
