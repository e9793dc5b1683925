import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.adapters.files import canonical_json
from tasks.contracts.preconsultation import HistoryScores, ScoreLine
from tasks.preconsultation.distributions import beta_share, f_tails, t_tails
from tasks.preconsultation.summaries import View, compare_scores, group, summarise


def line(score: float | None, **changed: Any) -> ScoreLine:
    scores = HistoryScores(
        unweighted=score or 0,
        weighted=2 * (score or 0),
        penalty=score or 0,
        reward=score or 0,
        coverage=0.5,
        weighted_coverage=0.5,
    )
    half = scores.model_copy(update={"unweighted": (score or 0) / 2})
    given = {
        "doctor": "d",
        "roles": "r",
        "language": "en",
        "turns": 5,
        "pid": "1",
        "disease": "Asthma",
        "status": "clean",
        "scores": None if score is None else scores,
        "scores_without_negatives": None if score is None else half,
        "top_1": score is not None,
        "top_k": score is not None,
        "questions": 5,
        "malformed_turns": 0,
        "units": 0,
        "unsupported": 0,
        "duplicates": 0,
        "matching_errors": 0,
        "leaked_turns": (),
    }
    return ScoreLine.model_validate(given | changed)


STOPPED = line(None, status="early_stop", top_1=None, top_k=None)
BROKEN = line(None, status="matching_error", top_1=None, top_k=None)
LEAKY = line(9.0, leaked_turns=(2,))
LINES = [line(2.0), line(4.0), STOPPED, BROKEN]


def test_means_over_clean_dialogues_leave_out_what_the_doctor_spoilt():
    found = summarise(LINES, "unweighted", View(), seed=0)
    assert (found.n, found.missing, found.mean, found.median) == (2, 1, 3, 3)
    assert found.sd == pytest.approx(math.sqrt(2))
    assert found.lower == 2
    assert found.upper == 4


def test_means_over_all_count_what_the_doctor_spoilt_as_0_and_never_what_others_did():
    found = summarise(LINES, "unweighted", View(population="all"), seed=0)
    assert (found.n, found.missing, found.mean, found.median) == (3, 1, 2, 2)
    assert summarise(LINES, "top_1", View(population="all"), 0).mean == pytest.approx(2 / 3)


def test_negative_units_can_be_left_out():
    assert summarise(LINES, "unweighted", View(with_negatives=False), 0).mean == 1.5


def test_interviews_that_leaked_can_be_left_out():
    lines = [*LINES, LEAKY]
    assert summarise(lines, "unweighted", View(), 0).mean == 5
    assert summarise(lines, "unweighted", View(with_leaks=False), 0).mean == 3


def test_the_mean_of_nothing_is_null_and_strict_json():
    found = summarise([], "unweighted", View(), 0)
    assert (found.n, found.mean, found.median, found.sd, found.lower) == (0, None, None, None, None)
    assert b"NaN" not in canonical_json(found)


def test_one_row_has_a_mean_and_no_deviation():
    found = summarise([line(0.5)], "unweighted", View(), 0)
    assert (found.n, found.mean, found.sd, found.lower, found.upper) == (1, 0.5, None, None, None)


def test_interviews_are_grouped_by_name():
    found = group(
        [line(1, disease="B"), line(2, disease="A"), line(3, disease="B")], lambda o: o.disease
    )
    assert [(name, len(lines)) for name, lines in found.items()] == [("A", 1), ("B", 2)]


def test_scores_with_equal_variances_are_compared_by_students_t():
    # Variances 1 and 1; difference -1 over sqrt(1 * (1/3 + 1/3)) = 0.8165.
    found = compare_scores([1, 2, 3], [2, 3, 4])
    assert (found.f, found.f_p, found.equal_variances) == (1, 1, True)
    assert found.t == pytest.approx(-1.224744871)
    assert found.degrees == 4
    assert found.t_p == pytest.approx(0.287864, abs=1e-6)


def test_scores_with_unequal_variances_are_compared_by_welchs_t():
    found = compare_scores([0, 100, 0, 100, 50], [50, 51, 50, 49, 50])
    assert found.equal_variances is False
    assert found.degrees is not None
    assert found.degrees < 5
    assert found.t == pytest.approx(0)


@pytest.mark.parametrize(("first", "second"), [([], []), ([1], [1, 2]), ([1, 1], [1, 1])])
def test_sets_that_cannot_be_compared_are_null(first: list[float], second: list[float]):
    found = compare_scores(first, second)
    assert (found.f, found.t, found.t_p) == (None, None, None)


def test_a_set_that_does_not_vary_has_no_ratio_and_is_compared_by_welch():
    found = compare_scores([1, 2, 3], [2, 2, 2])
    assert (found.f, found.equal_variances, found.t, found.degrees) == (None, False, 0, 2)


@pytest.mark.parametrize(
    ("x", "a", "b", "share"),
    [
        (0.5, 1, 1, 0.5),
        (0.25, 1, 1, 0.25),
        (0.5, 2, 2, 0.5),
        (0.2, 1, 3, 1 - 0.8**3),
        (0, 2, 3, 0),
        (1, 2, 3, 1),
        (0.3, 4, 1, 0.3**4),
    ],
)
def test_the_beta_function_at_known_points(x: float, a: float, b: float, share: float):
    assert beta_share(x, a, b) == pytest.approx(share, abs=1e-12)


def test_tails_at_tabled_points():
    assert t_tails(2.776445, 4) == pytest.approx(0.05, abs=1e-6)
    assert t_tails(0, 7) == pytest.approx(1)
    assert f_tails(9.60453, 4, 4) == pytest.approx(0.05, abs=1e-6)


@given(st.lists(st.floats(0, 30), max_size=12), st.lists(st.floats(0, 30), max_size=12))
def test_any_two_sets_are_compared_in_strict_json(first: list[float], second: list[float]):
    found = compare_scores(first, second)
    assert canonical_json(found)
    assert found.t_p is None or 0 <= found.t_p <= 1
    assert found.f_p is None or 0 <= found.f_p <= 1
