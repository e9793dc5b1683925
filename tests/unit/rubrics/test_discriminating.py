from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.contracts.rubric_measures import PairResult, RunValues
from tasks.rubrics.measures.discriminating import (
    agreement,
    auroc,
    decide,
    discrimination,
    pair_result,
)


def runs(deltas: Sequence[float]) -> list[RunValues]:
    return [
        RunValues(trial=place // 2, reference_first=place % 2 == 0, reference=delta, near_miss=0.0)
        for place, delta in enumerate(deltas)
    ]


def pair(query: str, deltas: Sequence[float], judge: str = "j", name: str = "full") -> PairResult:
    return pair_result(query, name, judge, runs(deltas), 0)


@pytest.mark.parametrize(
    ("deltas", "decision"),
    [
        ([5, 5, 5, 5, 5, 5], "win"),
        ([5, 5, 5, 0, 0, -1], "win"),
        ([5, 5, -3, -3, 0, 0], "tie"),
        ([1, 1, 1, -1, -1, -1], "tie"),
        ([1, 1, -1, -1, -1, 0], "loss"),
        ([0, 0, 0, 1, 1, -1], "tie"),
        ([1, 1, 0, 0, -1, -1], "tie"),
        ([], "tie"),
    ],
)
def test_the_decision_is_the_strict_plurality_of_signs(deltas: list[float], decision: str) -> None:
    assert decide(deltas) == decision


def test_a_judge_of_places_yields_ties() -> None:
    # The first answer gets all points, whichever it is.
    found = [pair(str(query), [8, -8, 8, -8, 8, -8]) for query in range(4)]
    scores = discrimination("full", "j", found)
    assert (scores.wins, scores.ties, scores.losses) == (0, 4, 0)
    assert scores.mean_delta.value == 0
    assert scores.auroc_by_win is None


def test_an_oracle_wins_all_and_its_auroc_by_wins_is_null_with_n() -> None:
    scores = discrimination("full", "j", [pair(str(query), [4] * 6) for query in range(5)])
    assert (scores.pairs, scores.wins) == (5, 5)
    assert (scores.auroc_by_win, scores.auroc_n) == (None, 5)
    assert scores.auroc_of_values == 1.0
    assert scores.positive_deltas.value == 1.0


def test_figures_by_hand() -> None:
    found = [
        pair("0", [4] * 6),
        pair("1", [2] * 6),
        pair("2", [0] * 6),
        pair("3", [-1] * 6),
        pair_result("4", "full", "j", runs([1] * 5), 1),
    ]
    scores = discrimination("full", "j", found)
    assert (scores.pairs, scores.errors) == (4, 1)
    assert (scores.wins, scores.ties, scores.losses) == (2, 1, 1)
    assert scores.win_rate.value == 0.5
    assert scores.mean_delta.value == 1.25
    assert scores.median_delta.value == 1.0
    assert (scores.auroc_by_win, scores.auroc_n) == (1.0, 4)
    assert scores.positive_deltas.hits == 2
    # References 4 2 0 -1 against four times 0: (4 + 4 + 2 + 0) / 16
    assert scores.auroc_of_values == 0.625


def test_a_direct_comparison_has_decisions_and_no_deltas() -> None:
    scores = discrimination("none", "j", [pair("0", [1] * 6, name="none")])
    assert scores.wins == 1
    assert scores.mean_delta.n == 0
    assert (scores.auroc_by_win, scores.auroc_n) == (None, 0)
    assert scores.positive_deltas.n == 0


def test_no_pairs_give_nulls() -> None:
    scores = discrimination("full", "j", [])
    assert scores.win_rate.value is None
    assert scores.mean_delta.value is None


def test_auroc_counts_ties_half() -> None:
    # (1 > 0) and (1 = 1): 1.5 of 2
    assert auroc([(True, 1.0), (False, 0.0), (False, 1.0)]) == 0.75


def test_judges_agree_on_two_of_four() -> None:
    first = [pair(str(query), [delta] * 6, "a") for query, delta in enumerate([1, 1, -1, 0])]
    second = [pair(str(query), [delta] * 6, "b") for query, delta in enumerate([1, -1, -1, 1])]
    (found,) = agreement([*first, *second])
    assert (found.n, found.agreement) == (4, 0.5)
    # Chance: wins 2/4 x 2/4, losses 1/4 x 2/4, ties 1/4 x 0 = 0.375
    assert found.kappa == pytest.approx((0.5 - 0.375) / 0.625)


def test_judges_that_always_say_the_same_have_no_kappa() -> None:
    (found,) = agreement([pair("0", [1] * 6, "a"), pair("0", [1] * 6, "b")])
    assert (found.agreement, found.kappa) == (1.0, None)


@given(st.lists(st.sampled_from([-1.0, 0.0, 1.0]), min_size=6, max_size=6))
def test_swapping_the_answers_swaps_win_and_loss(deltas: list[float]) -> None:
    swapped = {"win": "loss", "loss": "win", "tie": "tie", "error": "error"}
    assert decide([-delta for delta in deltas]) == swapped[decide(deltas)]
