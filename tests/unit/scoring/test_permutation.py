import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.contracts.evaluation import Comparison, ItemScore
from tasks.scoring.permutation import compare, holm, p_value
from tests.unit.scoring.builders import item

NO_SWAPS = np.zeros((0, 0))


def exact(*differences: float) -> float:
    return p_value(np.array(differences), NO_SWAPS)


@pytest.mark.parametrize(
    ("differences", "expected"),
    [
        # Sums over the 8 ways to sign 1, 1, 1: two of them reach 3.
        ((1, 1, 1), 2 / 8),
        # 3, 1: sums 4, 2, -2, -4: all of them reach 2.
        ((3, -1), 1),
        # 2, 1, 1: 4, 2, 2, 0 and their negatives: two reach 4, six reach 2.
        ((2, 1, 1), 2 / 8),
        ((2, 1, -1), 6 / 8),
        ((0, 0, 5), 1),
        ((0, 0), 1),
        ((1, -1), 1),
    ],
)
def test_exact_p_values_worked_out_by_hand(differences: tuple[float, ...], expected: float):
    assert exact(*differences) == expected


def test_many_patients_are_swapped_at_random():
    swaps = np.random.default_rng(0).choice(np.array([-1.0, 1.0]), (10_000, 30))
    clear = p_value(np.ones(30), swaps)
    assert clear == pytest.approx(1 / 10_001, abs=1e-3)
    none = p_value(np.array([1.0, -1.0] * 15), swaps)
    assert none == 1


@given(st.lists(st.integers(-3, 3), max_size=10))
def test_a_p_value_is_a_share_and_has_no_direction(differences: list[int]):
    one = exact(*map(float, differences))
    assert 0 < one <= 1
    assert one == exact(*(-float(value) for value in differences))


@pytest.mark.parametrize(
    ("given_values", "expected"),
    [
        ((), ()),
        ((0.04,), (0.04,)),
        # Sorted 0.01, 0.02, 0.03 times 3, 2, 1: 0.03, 0.04, 0.03, which may not fall: 0.04.
        ((0.03, 0.01, 0.02), (0.04, 0.03, 0.04)),
        ((0.6, 0.5), (1.0, 1.0)),
        ((0.01, 0.01), (0.02, 0.02)),
    ],
)
def test_holm(given_values: tuple[float, ...], expected: tuple[float, ...]):
    assert holm(given_values) == pytest.approx(expected)


@given(st.lists(st.floats(0, 1), max_size=8))
def test_holm_only_raises_and_keeps_the_order(p_values: list[float]):
    adjusted = holm(p_values)
    assert all(before <= after <= 1 for before, after in zip(p_values, adjusted, strict=True))
    ranks = sorted(range(len(p_values)), key=p_values.__getitem__)
    assert [adjusted[at] for at in ranks] == sorted(adjusted)


def answers(system: str, by_patient: dict[str, list[float | None]]) -> list[ItemScore]:
    """One answerable question a value."""
    return [
        item(subject_id, f"{subject_id}_q{number}", value, system=system)
        for subject_id, values in by_patient.items()
        for number, value in enumerate(values)
    ]


def clinical(*systems: list[ItemScore]) -> list[Comparison]:
    items = [one for system in systems for one in system]
    return [one for one in compare(items, seed=1) if one.recipe == "clinical"]


def test_two_systems_are_compared_by_patient():
    better = answers("b", {"1": [1, 1], "2": [1, 0], "3": [1]})
    worse = answers("a", {"1": [0, 0], "2": [0, 0], "3": [0]})
    (one,) = clinical(better, worse)
    assert (one.first, one.second) == ("a", "b")
    # Differences by patient -2, -1, -1 over 5 questions; 2 of 8 ways to swap reach 4.
    assert one.difference.mean == pytest.approx(-4 / 5)
    assert (one.difference.n, one.difference.patients) == (5, 3)
    assert (one.p_value, one.p_adjusted) == (2 / 8, 2 / 8)


def test_only_questions_that_both_have_a_score_on_count():
    one_system = answers("a", {"1": [1, None, 1], "2": [1]})
    other = answers("b", {"1": [0, 1, None], "2": [1]})
    (one,) = clinical(one_system, other)
    assert (one.difference.mean, one.difference.n) == (0.5, 2)


def test_p_values_are_adjusted_over_all_pairs():
    best = answers("a", {str(number): [1] for number in range(6)})
    middle = answers("b", {str(number): [float(number > 0)] for number in range(6)})
    worst = answers("c", {str(number): [0] for number in range(6)})
    found = {(one.first, one.second): one for one in clinical(best, middle, worst)}
    # a-b: one patient differs: 1. a-c: six: 2/64. b-c: five: 2/32.
    assert [found[pair].p_value for pair in (("a", "b"), ("a", "c"), ("b", "c"))] == [
        1,
        2 / 64,
        2 / 32,
    ]
    # Sorted 2/64, 2/32, 1 times 3, 2, 1.
    assert [found[pair].p_adjusted for pair in (("a", "b"), ("a", "c"), ("b", "c"))] == [
        1,
        6 / 64,
        4 / 32,
    ]


def test_p_values_are_adjusted_over_the_pairs_of_every_judge():
    pair = [
        *answers("a", {str(number): [1] for number in range(6)}),
        *answers("b", {str(number): [0] for number in range(6)}),
    ]
    again = [score.model_copy(update={"judge": "another"}) for score in pair]
    # Six patients differ: 2/64 with each of the two judges, times 2.
    assert [one.p_adjusted for one in clinical(pair, again)] == [4 / 64, 4 / 64]


def test_systems_without_a_question_in_common_have_no_p_value():
    (one,) = clinical(answers("a", {"1": [1]}), answers("b", {"2": [1]}))
    assert (one.difference.mean, one.difference.n) == (None, 0)
    assert (one.p_value, one.p_adjusted) == (None, None)


def test_a_system_without_verdicts_is_not_compared_by_its_abstentions_alone():
    def system(name: str, judged: str | None) -> list[ItemScore]:
        return [
            item("1", "q1", 1, system=name, judged=judged),
            item("1", "a1", 1, system=name, adversarial=True),
        ]

    (one,) = clinical(system("a", "right"), system("b", None))
    assert (one.difference.mean, one.p_value) == (None, None)


def test_systems_with_different_judges_are_not_compared():
    one = answers("a", {"1": [1]})
    other = [score.model_copy(update={"judge": "another"}) for score in answers("b", {"1": [0]})]
    assert clinical(one, other) == []


def test_every_comparison_names_its_judge():
    pair = [*answers("a", {"1": [1]}), *answers("b", {"1": [0]})]
    again = [score.model_copy(update={"judge": "another"}) for score in pair]
    found = clinical(pair, again)
    assert [(one.judge, one.first, one.second) for one in found] == [
        ("another", "a", "b"),
        ("judge", "a", "b"),
    ]


def test_systems_scored_by_different_recipes_are_not_compared():
    recipes = {"medlocomo": "1", "clinical": "1.1.1"}
    one = answers("a", {"1": [1]})
    other = [score.model_copy(update={"recipes": recipes}) for score in answers("b", {"1": [0]})]
    assert clinical(one, other) == []
