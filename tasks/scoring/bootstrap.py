"""Means with 95 % intervals over resampled patients.

The questions of a patient hang together, so whole patients are drawn again, not questions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tasks.contracts.evaluation import Estimated

Floats = NDArray[np.float64]

_LOWER, _UPPER = 2.5, 97.5
_DIGITS = 10
_FEWEST_PATIENTS = 2


@dataclass(frozen=True)
class Sums:
    """Sum and number of the values of every patient, each patients x columns."""

    totals: Floats
    counts: Floats

    def macro(self) -> Sums:
        """The same where every patient weighs the same: each patient's mean counts once."""
        counted = self.counts > 0
        means = np.divide(self.totals, self.counts, out=np.zeros_like(self.totals), where=counted)
        return Sums(means, counted.astype(np.float64))


def sum_by_patient(values: Floats, patients: NDArray[np.intp], number: int) -> Sums:
    """Sums of items x columns by each item's patient, from 0 to number - 1; NaN isn't counted."""
    there = ~np.isnan(values)
    filled = np.where(there, values, 0.0)
    totals = np.zeros((number, values.shape[1]))
    counts = np.zeros_like(totals)
    for column in range(values.shape[1]):
        totals[:, column] = np.bincount(patients, filled[:, column], number)
        counts[:, column] = np.bincount(patients, there[:, column], number)
    return Sums(totals, counts)


@dataclass(frozen=True)
class Resampling:
    """How often each of a number of patients is drawn in each resample; the seed decides."""

    patients: int
    resamples: int
    seed: int

    @cached_property
    def weights(self) -> Floats:
        """Resamples x patients."""
        if not self.patients:
            return np.zeros((self.resamples, 0))
        even = np.full(self.patients, 1 / self.patients)
        drawn = np.random.default_rng(self.seed).multinomial(self.patients, even, self.resamples)
        return drawn.astype(np.float64)

    def estimate(self, sums: Sums, questions: Floats | None = None) -> tuple[Estimated, ...]:
        """One estimate a column; null without values, no interval with a single patient.

        ``questions`` is what the means are of where that isn't the number of values.
        """
        drawn = self.weights @ sums.counts
        missing = np.full_like(drawn, np.nan)
        means = np.divide(self.weights @ sums.totals, drawn, out=missing, where=drawn > 0)
        bounds = [_bounds(means[:, column]) for column in range(means.shape[1])]
        numbers = sums.counts.sum(axis=0) if questions is None else questions
        return tuple(
            _estimated(sums, column, bounds[column], int(numbers[column]))
            for column in range(means.shape[1])
        )


def _estimated(sums: Sums, column: int, bounds: Sequence[float], number: int) -> Estimated:
    count = float(sums.counts[:, column].sum())
    patients = int(np.count_nonzero(sums.counts[:, column]))
    if not count:
        return Estimated(mean=None, n=0, patients=0, lower=None, upper=None)
    mean = float(sums.totals[:, column].sum()) / count
    # The last digits depend on the machine's linear algebra.
    rounded = [round(one, _DIGITS) for one in (mean, *bounds)]
    lower, upper = rounded[1:] if patients >= _FEWEST_PATIENTS and bounds else (None, None)
    return Estimated(mean=rounded[0], n=number, patients=patients, lower=lower, upper=upper)


def _bounds(means: Floats) -> Sequence[float]:
    """Percentiles of the resampled means that there are; empty where there are none."""
    drawn = means[~np.isnan(means)]
    return np.percentile(drawn, (_LOWER, _UPPER)).tolist() if drawn.size else ()
