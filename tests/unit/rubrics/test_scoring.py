from __future__ import annotations

import json

import pytest

from tasks.contracts.rubrics import Criterion
from tasks.rubrics.measures.scoring import mean_score, score_answer, value_of
from tasks.rubrics.reading.counting import ReadingLog
from tasks.rubrics.reading.rubrics import read_criteria
from tests.unit.rubrics.shared_data import CASES, needs_cases

HELP = Criterion(criterion="says to call for help", axis="accuracy", points=5)
DOSE = Criterion(criterion="gives the dose", axis="completeness", points=3)
HERB = Criterion(criterion="advises an unsafe herb", axis="accuracy", points=-9)


def test_the_score_is_points_met_over_positive_points() -> None:
    # (5 - 9) / 8
    assert score_answer([HELP, DOSE, HERB], [True, False, True]).overall == -0.5


def test_axes_are_scored_apart_and_those_without_positive_points_left_out() -> None:
    # accuracy (5 - 9) / 5, completeness 3 / 3
    found = score_answer([HELP, DOSE, HERB], [True, True, True])
    assert found.by_axis == {"accuracy": -0.8, "completeness": 1.0}
    assert score_answer([HERB], [False]).by_axis == {}


def test_a_rubric_of_negative_points_only_and_an_empty_one_have_no_score() -> None:
    assert score_answer([HERB], [False]).overall is None
    assert score_answer([], []).overall is None


def test_a_missing_verdict_is_an_error() -> None:
    with pytest.raises(ValueError, match="shorter"):
        score_answer([HELP, DOSE], [True])


def test_both_clipping_conventions() -> None:
    found = mean_score([1.0, -1.125, None])
    assert found.n == 2
    assert found.raw == pytest.approx(-0.0625)
    assert found.clip_after_mean == 0.0
    assert found.clip_each == 0.5


def test_the_mean_of_nothing_is_null() -> None:
    found = mean_score([None])
    assert (found.n, found.raw, found.clip_after_mean, found.clip_each) == (0, None, None, None)


def test_value_sums_the_points_of_met_criteria() -> None:
    assert value_of([HELP, DOSE, HERB], [True, False, True]) == -4


@needs_cases
@pytest.mark.parametrize("number", [0, 1, 2, 3, 4])
def test_the_shared_cases(number: int) -> None:
    case = json.loads((CASES / "G1_rubrics.json").read_text())[number]
    kept = [
        (criteria[0], met)
        for item, met in zip(case["items"], case["met"], strict=True)
        if (criteria := read_criteria([item], "1", ReadingLog("case")))
    ]
    found = score_answer([one for one, _ in kept], [met for _, met in kept])
    assert found.overall == case["raw"]
