"""Discrimination: six runs a pair, their decision, and the figures over all pairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import numpy as np

from tasks.contracts.rubric_measures import (
    Decision,
    DiscriminationScores,
    JudgeAgreement,
    PairResult,
    RunValues,
)
from tasks.contracts.rubrics import NONE
from tasks.rubrics.measures.proportions import share_of
from tasks.rubrics.measures.resampling import bootstrap

TRIALS = 3
RUNS = 2 * TRIALS
"""Every trial in both orders."""


def decide(deltas: Sequence[float]) -> Decision:
    """The sign that more runs show than each other sign; a tie where there is none."""
    counts = Counter[Decision](
        "win" if delta > 0 else "loss" if delta < 0 else "tie" for delta in deltas
    )
    ranked = counts.most_common(2)
    if not ranked or (len(ranked) == 2 and ranked[0][1] == ranked[1][1]):
        return "tie"
    return ranked[0][0]


def pair_result(
    query_id: str, name: str, judge: str, runs: Sequence[RunValues], failed_runs: int
) -> PairResult:
    """What six runs say together; an error unless all of them could be read."""
    whole = failed_runs == 0 and len(runs) == RUNS
    deltas = [one.delta for one in runs]
    weighed = whole and name != NONE
    return PairResult(
        query_id=query_id,
        name=name,
        judge=judge,
        decision=decide(deltas) if whole else "error",
        delta=sum(deltas) / len(deltas) if weighed else None,
        runs=tuple(runs),
        failed_runs=failed_runs,
    )


def discrimination(name: str, judge: str, results: Sequence[PairResult]) -> DiscriminationScores:
    """The figures of one rubric set by one judge; pairs with an error are in no mean."""
    pairs = [one for one in results if one.decision != "error"]
    deltas = [one.delta for one in pairs if one.delta is not None]
    decisions = Counter(one.decision for one in pairs)
    return DiscriminationScores(
        name=name,
        judge=judge,
        pairs=len(pairs),
        errors=len(results) - len(pairs),
        wins=decisions["win"],
        ties=decisions["tie"],
        losses=decisions["loss"],
        win_rate=bootstrap([float(one.decision == "win") for one in pairs], "mean"),
        mean_delta=bootstrap(deltas, "mean"),
        median_delta=bootstrap(deltas, "median"),
        auroc_by_win=auroc(
            [(one.decision == "win", one.delta) for one in pairs if one.delta is not None]
        ),
        auroc_n=len(deltas),
        auroc_of_values=auroc(
            [labelled for one in pairs if one.delta is not None for labelled in _values(one)]
        ),
        positive_deltas=share_of(delta > 0 for delta in deltas),
    )


def auroc(labelled: Sequence[tuple[bool, float]]) -> float | None:
    """Area under the ROC curve, ties half; null where all labels are the same."""
    positive = np.array([score for label, score in labelled if label], dtype=np.float64)
    negative = np.sort(np.array([score for label, score in labelled if not label]))
    if not len(positive) or not len(negative):
        return None
    below = np.searchsorted(negative, positive, side="left").sum()
    not_above = np.searchsorted(negative, positive, side="right").sum()
    return float(below + not_above) / (2 * len(positive) * len(negative))


def agreement(results: Sequence[PairResult]) -> tuple[JudgeAgreement, ...]:
    """Every two judges on the pairs that both decided, by rubric set."""
    found: list[JudgeAgreement] = []
    for name in dict.fromkeys(one.name for one in results):
        of_set = [one for one in results if one.name == name and one.decision != "error"]
        judges = list(dict.fromkeys(one.judge for one in of_set))
        for first, second in combinations(judges, 2):
            found.append(_agreement(name, first, second, of_set))
    return tuple(found)


def _agreement(name: str, first: str, second: str, results: Sequence[PairResult]) -> JudgeAgreement:
    one = {result.query_id: result.decision for result in results if result.judge == first}
    other = {result.query_id: result.decision for result in results if result.judge == second}
    both = [query for query in one if query in other]
    if not both:
        return JudgeAgreement(
            name=name, first=first, second=second, n=0, agreement=None, kappa=None
        )
    n = len(both)
    same = sum(one[query] == other[query] for query in both) / n
    counts = Counter(one[query] for query in both), Counter(other[query] for query in both)
    chance = sum(counts[0][key] * counts[1][key] for key in counts[0]) / n**2
    return JudgeAgreement(
        name=name,
        first=first,
        second=second,
        n=n,
        agreement=same,
        kappa=None if chance == 1 else (same - chance) / (1 - chance),
    )


def _values(one: PairResult) -> list[tuple[bool, float]]:
    runs = len(one.runs)
    return [
        (True, sum(run.reference for run in one.runs) / runs),
        (False, sum(run.near_miss for run in one.runs) / runs),
    ]
