"""HealthBench's rule: points of met criteria over all positive points."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from tasks.contracts.rubric_measures import MeanScore, RubricScore
from tasks.contracts.rubrics import AXES, Axis, Criterion


def value_of(criteria: Sequence[Criterion], met: Sequence[bool]) -> int:
    """V: the sum of the points of met criteria; raises ValueError unless all are judged."""
    return sum(one.points for one, is_met in zip(criteria, met, strict=True) if is_met)


def score_answer(criteria: Sequence[Criterion], met: Sequence[bool]) -> RubricScore:
    """The unclipped score; null where no criterion has positive points, as for an empty rubric.

    Raises ValueError unless there is one verdict a criterion.
    """
    pairs = list(zip(criteria, met, strict=True))
    by_axis: dict[Axis, float] = {
        axis: score
        for axis in AXES
        if (score := _score([one for one in pairs if one[0].axis == axis])) is not None
    }
    return RubricScore(overall=_score(pairs), by_axis=by_axis)


def mean_score(scores: Sequence[float | None]) -> MeanScore:
    """The mean of those that exist, by both conventions: clip the mean, or each score."""
    seen = [one for one in scores if one is not None]
    if not seen:
        return MeanScore(n=0, raw=None, clip_after_mean=None, clip_each=None)
    raw = fmean(seen)
    return MeanScore(
        n=len(seen),
        raw=raw,
        clip_after_mean=clip(raw),
        clip_each=fmean(clip(one) for one in seen),
    )


def clip(score: float) -> float:
    """A score within 0 to 1."""
    return min(1.0, max(0.0, score))


def _score(pairs: Sequence[tuple[Criterion, bool]]) -> float | None:
    most = sum(one.points for one, _ in pairs if one.points > 0)
    if most <= 0:
        return None
    return sum(one.points for one, is_met in pairs if is_met) / most
