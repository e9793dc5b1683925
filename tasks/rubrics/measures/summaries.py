"""Figures of a rubric set over all queries: coverage, refinement, ablations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from tasks.contracts.rubric_measures import (
    AblationRow,
    CoverageScores,
    Interval,
    MeanScore,
    PairResult,
    RefinementScores,
    RubricScore,
)
from tasks.contracts.rubric_results import QueryCoverage, Refinement, ScoredAnswer
from tasks.contracts.rubrics import AXES, Axis
from tasks.rubrics.measures.proportions import harmonic_mean, mcnemar, share_of
from tasks.rubrics.measures.resampling import bootstrap
from tasks.rubrics.measures.scoring import clip, mean_score

QueryResult = TypeVar("QueryResult", QueryCoverage, PairResult)


def coverage_scores(
    name: str,
    results: Sequence[QueryCoverage],
    baseline: tuple[str, Sequence[QueryCoverage]] | None = None,
) -> CoverageScores:
    """CIA, precision and F1 of a set over all constraints; unread verdicts are in no share."""
    gold = [one for result in results for one in result.gold]
    own = [one for result in results for one in result.own]
    recall = share_of(one.entailed for one in gold if one.entailed is not None)
    precision = share_of(one.entailed for one in own if one.entailed is not None)
    return CoverageScores(
        name=name,
        queries=len(results),
        recall=recall,
        precision=precision,
        f1=harmonic_mean(precision.value, recall.value),
        by_axis={
            axis: share_of(
                one.entailed for one in gold if one.axis == axis and one.entailed is not None
            )
            for axis in AXES
        },
        errors=sum(one.errors for one in results),
        mcnemar=None if baseline is None else mcnemar(baseline[0], _paired(results, baseline[1])),
    )


def refinement_scores(
    name: str, refined: Sequence[Refinement], base: Mapping[str, ScoredAnswer]
) -> RefinementScores:
    """Scores of the answers that could be judged before and after."""
    pairs: list[tuple[RubricScore, RubricScore]] = []
    for one in refined:
        before = base[one.query_id].score if one.query_id in base else None
        after = one.scored.score if one.scored else None
        if before is not None and after is not None:
            pairs.append((before, after))
    gains = [
        clip(after.overall) - clip(before.overall)
        for before, after in pairs
        if before.overall is not None and after.overall is not None
    ]
    return RefinementScores(
        name=name,
        queries=len(pairs),
        errors=len(refined) - len(pairs),
        before=mean_score([before.overall for before, _ in pairs]),
        after=mean_score([after.overall for _, after in pairs]),
        gain=bootstrap(gains, "mean"),
        before_by_axis=_by_axis(before for before, _ in pairs),
        after_by_axis=_by_axis(after for _, after in pairs),
    )


def ablation_row(
    name: str,
    coverage: tuple[Sequence[QueryCoverage], Sequence[QueryCoverage]],
    pairs: tuple[Sequence[PairResult], Sequence[PairResult]],
) -> AblationRow:
    """An ablation (second of each) minus the whole pipeline, on what was judged of both.

    A constraint or pair that was unreadable for one of the two is in no difference.
    """
    whole_coverage, ablated_coverage = _common(*coverage)
    verdicts = _paired(ablated_coverage, whole_coverage)
    whole_pairs, ablated_pairs = _common(*map(_decided, pairs))
    queries = {one.query_id for one in (*ablated_coverage, *ablated_pairs)}
    return AblationRow(
        name=name,
        queries=len(queries),
        cia=_difference(
            share_of(ablated for ablated, _ in verdicts).value,
            share_of(whole for _, whole in verdicts).value,
        ),
        win_rate=_difference(_wins(ablated_pairs).value, _wins(whole_pairs).value),
        mean_delta=_difference(_mean_delta(ablated_pairs), _mean_delta(whole_pairs)),
    )


def _paired(
    these: Sequence[QueryCoverage], others: Sequence[QueryCoverage]
) -> list[tuple[bool, bool]]:
    by_query = {one.query_id: one.gold for one in others}
    return [
        (this.entailed, other.entailed)
        for one in these
        for this, other in zip(one.gold, by_query.get(one.query_id, ()), strict=False)
        if this.entailed is not None and other.entailed is not None
    ]


def _common(
    whole: Sequence[QueryResult], ablated: Sequence[QueryResult]
) -> tuple[list[QueryResult], list[QueryResult]]:
    both = {one.query_id for one in whole} & {one.query_id for one in ablated}
    return (
        [one for one in whole if one.query_id in both],
        [one for one in ablated if one.query_id in both],
    )


def _decided(pairs: Sequence[PairResult]) -> list[PairResult]:
    return [one for one in pairs if one.decision != "error"]


def _wins(pairs: Sequence[PairResult]) -> Interval:
    return bootstrap([float(one.decision == "win") for one in pairs], "mean")


def _mean_delta(pairs: Sequence[PairResult]) -> float | None:
    return bootstrap([one.delta for one in pairs if one.delta is not None], "mean").value


def _difference(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one - other


def _by_axis(scores: Iterable[RubricScore]) -> dict[Axis, MeanScore]:
    seen = list(scores)
    return {axis: mean_score([one.by_axis.get(axis) for one in seen]) for axis in AXES}
