from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.rubrics.measures.proportions import harmonic_mean, mcnemar, share, share_of
from tasks.rubrics.measures.resampling import bootstrap


def test_wilson_interval_of_one_in_ten() -> None:
    # (0.1 + 3.8415/20) / 1.38415 = 0.21101; half 0.19315
    found = share(1, 10)
    assert found.value == 0.1
    assert found.lower == pytest.approx(0.017876, abs=1e-5)
    assert found.upper == pytest.approx(0.404150, abs=1e-5)


def test_a_share_of_nothing_is_null_with_n_0() -> None:
    found = share(0, 0)
    assert (found.value, found.lower, found.upper, found.n) == (None, None, None, 0)


@given(st.integers(0, 50), st.integers(1, 50))
def test_the_interval_holds_the_share_and_stays_within_0_to_1(hits: int, more: int) -> None:
    found = share(hits, hits + more)
    assert found.value is not None
    assert found.lower is not None
    assert found.upper is not None
    assert 0 <= found.lower <= found.value <= found.upper <= 1


def test_share_of_counts_truths() -> None:
    assert share_of([True, False, True, True]).value == 0.75


@pytest.mark.parametrize(
    ("one", "other", "f1"), [(0.5, 0.25, 1 / 3), (0.0, 0.0, 0.0), (None, 0.5, None)]
)
def test_f1(one: float | None, other: float | None, f1: float | None) -> None:
    assert harmonic_mean(one, other) == f1


def test_mcnemar_by_hand() -> None:
    # Five constraints only here, one only there: 2 x (1 + 6) / 2^6 = 0.21875
    pairs = [(True, False)] * 5 + [(False, True)] + [(True, True)] * 4 + [(False, False)] * 2
    found = mcnemar("generic", pairs)
    assert (found.pairs, found.only_this, found.only_baseline) == (12, 5, 1)
    assert found.p_value == pytest.approx(0.21875)


def test_mcnemar_without_difference_is_1_and_without_pairs_null() -> None:
    assert mcnemar("generic", [(True, True)]).p_value == 1.0
    assert mcnemar("generic", []).p_value is None


def test_the_bootstrap_of_equal_values_has_no_width_and_is_the_same_each_time() -> None:
    found = bootstrap([2.0, 2.0, 2.0], "mean")
    assert (found.value, found.lower, found.upper, found.n) == (2.0, 2.0, 2.0, 3)
    assert bootstrap([0.0, 1.0, 5.0], "median") == bootstrap([0.0, 1.0, 5.0], "median")


def test_the_bootstrap_of_nothing_is_null() -> None:
    assert bootstrap([], "mean").value is None
