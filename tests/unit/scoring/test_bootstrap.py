import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.scoring.bootstrap import Resampling, Sums, sum_by_patient

NAN = math.nan


def sums(values: Sequence[float], patients: Sequence[int], number: int) -> Sums:
    table = np.array(values, dtype=np.float64).reshape(-1, 1)
    return sum_by_patient(table, np.array(patients, dtype=np.intp), number)


def test_values_are_added_up_by_patient_and_nan_is_left_out():
    table = sums([1, 0, NAN, 1], [0, 0, 0, 2], 3)
    assert table.totals[:, 0].tolist() == [1, 0, 1]
    assert table.counts[:, 0].tolist() == [2, 0, 1]


def test_micro_weighs_questions_and_macro_weighs_patients():
    # Patient 0: 1 of 4; patient 1: 1 of 1.
    table = sums([1, 0, 0, 0, 1], [0, 0, 0, 0, 1], 2)
    resampling = Resampling(patients=2, resamples=200, seed=1)
    (micro,) = resampling.estimate(table)
    assert (micro.mean, micro.n, micro.patients) == (0.4, 5, 2)
    (macro,) = resampling.estimate(table.macro(), table.counts.sum(axis=0))
    assert (macro.mean, macro.n, macro.patients) == (0.625, 5, 2)


def test_the_interval_is_of_whole_patients():
    # Each patient is drawn twice with probability 1/4: means are 0, 1/2 and 1 at 1/4, 1/2, 1/4.
    table = sums([1] * 50 + [0] * 50, [0] * 50 + [1] * 50, 2)
    (estimate,) = Resampling(patients=2, resamples=1000, seed=7).estimate(table)
    assert (estimate.mean, estimate.lower, estimate.upper) == (0.5, 0, 1)


def test_a_single_patient_has_no_interval():
    (estimate,) = Resampling(patients=1, resamples=100, seed=1).estimate(sums([1, 0], [0, 0], 1))
    assert (estimate.mean, estimate.n, estimate.patients) == (0.5, 2, 1)
    assert (estimate.lower, estimate.upper) == (None, None)


@pytest.mark.parametrize("values", [[], [NAN, NAN]])
def test_the_mean_of_nothing_is_null_with_its_n(values: list[float]):
    table = sums(values, [0] * len(values), 2)
    (estimate,) = Resampling(patients=2, resamples=10, seed=1).estimate(table)
    assert (estimate.mean, estimate.n, estimate.patients) == (None, 0, 0)
    assert (estimate.lower, estimate.upper) == (None, None)


def test_the_seed_decides_the_interval():
    values = [float(number % 7 == 0) for number in range(60)]
    table = sums(values, [number % 20 for number in range(60)], 20)

    def interval(seed: int) -> tuple[float | None, float | None]:
        (estimate,) = Resampling(patients=20, resamples=100, seed=seed).estimate(table)
        return estimate.lower, estimate.upper

    assert interval(1) == interval(1)
    assert interval(1) != interval(2)


@given(
    st.lists(st.tuples(st.sampled_from([0.0, 0.5, 1.0, NAN]), st.integers(0, 4)), max_size=30),
    st.integers(0, 5),
)
def test_means_and_intervals_stay_within_the_values(rows: list[tuple[float, int]], seed: int):
    table = sums([value for value, _ in rows], [patient for _, patient in rows], 5)
    for which in (table, table.macro()):
        (estimate,) = Resampling(patients=5, resamples=50, seed=seed).estimate(which)
        inside = [estimate.mean, estimate.lower, estimate.upper]
        assert all(one is None or 0 <= one <= 1 for one in inside)
