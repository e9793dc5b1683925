"""Bootstrap intervals over pairs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from tasks.contracts.rubric_measures import Interval

RESAMPLES = 1_000
SEED = 0


def bootstrap(values: Sequence[float], statistic: Literal["mean", "median"]) -> Interval:
    """A statistic with its percentile 95 % interval over 1,000 resamples; nulls without values."""
    if not values:
        return Interval(value=None, n=0, lower=None, upper=None)
    seen = np.asarray(values, dtype=np.float64)
    picks = np.random.default_rng(SEED).integers(0, len(seen), (RESAMPLES, len(seen)))
    compute = np.mean if statistic == "mean" else np.median
    drawn = compute(seen[picks], axis=1)
    lower, upper = np.percentile(drawn, [2.5, 97.5])
    return Interval(value=float(compute(seen)), n=len(seen), lower=float(lower), upper=float(upper))
