"""Means of scores with intervals, and two sets of scores compared (spec section 2, step 7)."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np
from pydantic import Field

from tasks.contracts.base import Contract
from tasks.contracts.preconsultation import NOT_THE_DOCTORS, HistoryScores, ScoreLine
from tasks.preconsultation.distributions import f_tails, t_tails
from tasks.scoring.bootstrap import Resampling, Sums

SCORES = tuple(HistoryScores.model_fields)
ACCURACIES = ("top_1", "top_k")
MEASURES = (*SCORES, *ACCURACIES)

Population = Literal["clean", "all"]
"""``clean``: dialogues of the right form. ``all``: those the doctor spoilt too, each as 0."""

RESAMPLES = 1_000
ALPHA = 0.05
_DIGITS = 10
_SPOILT = ("early_stop", "qa_format_error")
MOST_MISSING = 0.1
"""Share of a row's dialogues that may lack scores or a diagnosis without being the doctor's fault;
the scores gate has the same."""


class Summary(Contract):
    """One measure over some interviews; null where nothing was measured."""

    n: int = Field(description="Interviews that have the measure")
    missing: int = Field(description="Interviews of the population that lack it")
    mean: float | None = Field(description="Null for none")
    median: float | None = Field(description="Null for none")
    sd: float | None = Field(description="Sample standard deviation; null for fewer than two")
    lower: float | None = Field(description="2.5th percentile of resampled means")
    upper: float | None = Field(description="97.5th percentile of resampled means")


class Comparison(Contract):
    """Two sets of scores: an F-test of equal variances, then the t-test that fits."""

    n: tuple[int, int] = Field(description="Scores in each")
    means: tuple[float | None, float | None] = Field(description="Null for none")
    f: float | None = Field(description="Ratio of the variances, first to second")
    f_p: float | None = Field(description="Two-sided")
    equal_variances: bool | None = Field(description="Not refuted at 5 %")
    t: float | None = Field(description="Student's if the variances are equal, else Welch's")
    degrees: float | None = Field(description="Degrees of freedom of t")
    t_p: float | None = Field(description="Two-sided")


@dataclass(frozen=True)
class View:
    """Which interviews count, and which of their units."""

    population: Population = "clean"
    with_negatives: bool = True
    with_leaks: bool = True


def measure(line: ScoreLine, name: str, with_negatives: bool = True) -> float | None:
    """One measure of an interview; an accuracy is 1 or 0; null where it has none."""
    if name in ACCURACIES:
        found = getattr(line, name)
        return None if found is None else float(found)
    scores = line.scores if with_negatives else line.scores_without_negatives
    return None if scores is None else float(getattr(scores, name))


def values(lines: Sequence[ScoreLine], name: str, view: View) -> tuple[list[float], int]:
    """The values of a measure by a view, and how many interviews of its population lack it.

    What failed for reasons that aren't the doctor's is never a 0, but missing.
    """
    found: list[float] = []
    missing = 0
    for line in lines:
        if line.leaked_turns and not view.with_leaks:
            continue
        if line.status in _SPOILT:
            found += [0.0] if view.population == "all" else []
            continue
        value = measure(line, name, view.with_negatives)
        if value is None:
            missing += 1
        else:
            found.append(value)
    return found, missing


def summarise(lines: Sequence[ScoreLine], name: str, view: View, seed: int) -> Summary:
    """Mean, median, standard deviation and bootstrap interval of a measure."""
    found, missing = values(lines, name, view)
    lower, upper = _interval(found, seed)
    return Summary(
        n=len(found),
        missing=missing,
        mean=_rounded(statistics.fmean(found)) if found else None,
        median=_rounded(statistics.median(found)) if found else None,
        sd=_rounded(statistics.stdev(found)) if len(found) > 1 else None,
        lower=lower,
        upper=upper,
    )


def missing_counts(lines: Sequence[ScoreLine]) -> tuple[int, int, int]:
    """How many dialogues lack scores through no fault of the doctor, how many are clean, and how
    many of these lack a diagnosis."""
    unscored = sum(one.status in NOT_THE_DOCTORS for one in lines)
    clean = [one for one in lines if one.status == "clean"]
    return unscored, len(clean), sum(one.top_1 is None for one in clean)


def is_incomplete(lines: Sequence[ScoreLine]) -> bool:
    """Whether too much is missing for a row's figures to stand for its profiles."""
    unscored, clean, undiagnosed = missing_counts(lines)
    return unscored > MOST_MISSING * len(lines) or undiagnosed > MOST_MISSING * clean


def mean_of(lines: Sequence[ScoreLine], name: str, view: View) -> float | None:
    """The mean of a measure alone; null where nothing was measured."""
    found, _ = values(lines, name, view)
    return statistics.fmean(found) if found else None


def group(
    lines: Sequence[ScoreLine], key: Callable[[ScoreLine], str]
) -> dict[str, list[ScoreLine]]:
    """Interviews by a key, in the order of the keys' names."""
    found: dict[str, list[ScoreLine]] = {}
    for line in lines:
        found.setdefault(key(line), []).append(line)
    return dict(sorted(found.items()))


def compare_scores(first: Sequence[float], second: Sequence[float]) -> Comparison:
    """Compare two independent sets of scores; null for fewer than two, and where none varies."""
    sizes = (len(first), len(second))
    means = tuple(statistics.fmean(one) if one else None for one in (first, second))
    nothing = Comparison(
        n=sizes,
        means=(means[0], means[1]),
        f=None,
        f_p=None,
        equal_variances=None,
        t=None,
        degrees=None,
        t_p=None,
    )
    if min(sizes) <= 1:
        return nothing
    variances = (statistics.variance(first), statistics.variance(second))
    if not any(variances):
        return nothing
    f, f_p = _f_test(variances, sizes)
    equal = f_p is not None and f_p >= ALPHA
    error, degrees = _spread(variances, sizes, equal)
    t = (statistics.fmean(first) - statistics.fmean(second)) / error
    return nothing.model_copy(
        update={
            "f": f,
            "f_p": f_p,
            "equal_variances": equal,
            "t": _rounded(t),
            "degrees": _rounded(degrees),
            "t_p": _rounded(t_tails(t, degrees)),
        }
    )


def _f_test(
    variances: tuple[float, float], sizes: tuple[int, int]
) -> tuple[float | None, float | None]:
    """The ratio of two variances and its p; null where the second is 0."""
    if not variances[1]:
        return None, None
    f = variances[0] / variances[1]
    return _rounded(f), _rounded(f_tails(f, sizes[0] - 1, sizes[1] - 1))


def _spread(
    variances: tuple[float, float], sizes: tuple[int, int], equal: bool
) -> tuple[float, float]:
    """Standard error of the difference of two means, and its degrees of freedom."""
    if equal:
        degrees = sum(sizes) - 2
        pooled = sum(v * (n - 1) for v, n in zip(variances, sizes, strict=True)) / degrees
        return math.sqrt(pooled * sum(1 / n for n in sizes)), degrees
    shares = [v / n for v, n in zip(variances, sizes, strict=True)]
    below = sum(share**2 / (n - 1) for share, n in zip(shares, sizes, strict=True))
    return math.sqrt(sum(shares)), sum(shares) ** 2 / below


def _interval(found: Sequence[float], seed: int) -> tuple[float | None, float | None]:
    """Percentiles of the means of resampled interviews; null for fewer than two."""
    column = np.asarray(found, dtype=np.float64).reshape(-1, 1)
    resampled = _resampling(len(found), seed)
    (estimated,) = resampled.estimate(Sums(column, np.ones_like(column)))
    return estimated.lower, estimated.upper


@lru_cache(maxsize=32)
def _resampling(size: int, seed: int) -> Resampling:
    """Which interviews are drawn: the same for every measure, and slow to draw."""
    return Resampling(size, RESAMPLES, seed)


def _rounded(value: float) -> float:
    return round(value, _DIGITS)
