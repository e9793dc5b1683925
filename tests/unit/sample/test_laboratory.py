from __future__ import annotations

import pytest

from tasks.sample.laboratory import LabBlock, print_block, tell_labs
from tasks.sample.lookup import load_catalogue
from tasks.sample.problems import Problem
from tasks.sample.streams import Stream

CATALOGUE = load_catalogue()


def _problem(key: str) -> Problem:
    condition = CATALOGUE.conditions[key]
    kind = "chronic" if condition.kind == "chronic" else "acute"
    return Problem(key, condition.name, kind, condition)


def test_results_print_as_mimic_does_with_stars_outside_the_range() -> None:
    results = {"WBC": 14.2, "Hgb": 9.1, "Na": 140.0, "K": 5.9, "Lactate": 3.1}
    assert print_block(LabBlock(results, "06:30AM"), CATALOGUE) == [
        "___ 06:30AM BLOOD WBC-14.2* Hgb-9.1*",
        "___ 06:30AM BLOOD Na-140 K-5.9*",
        "___ 06:30AM BLOOD Lactate-3.1*",
    ]


@pytest.mark.parametrize("seed", range(8))
def test_an_acute_problem_moves_its_tests_and_they_recover(seed: int) -> None:
    stay = Stream(f"stay {seed}")
    labs = tell_labs((_problem("aki"),), (), (), False, CATALOGUE, Stream("patient"), stay)
    assert labs.discharge is not None
    assert 1.9 <= labs.admission.results["Creat"] <= 3.8
    assert labs.discharge.results["Creat"] < labs.admission.results["Creat"]
    assert any(text.startswith("creatinine ") for text in labs.notable)


def test_the_anion_gap_is_the_difference_of_the_printed_values() -> None:
    labs = tell_labs((), (), (), False, CATALOGUE, Stream("p"), Stream("s"))
    values = labs.admission.results
    assert values["AnGap"] == values["Na"] - values["Cl"] - values["HCO3"]


def test_a_leukemias_white_count_is_not_hidden_by_an_infection() -> None:
    problems = (_problem("pneumonia"), _problem("cll"))
    labs = tell_labs(problems, (), (), False, CATALOGUE, Stream("p"), Stream("s"))
    assert labs.admission.results["WBC"] >= 22


def test_a_short_stay_has_no_discharge_block() -> None:
    assert tell_labs((), (), (), True, CATALOGUE, Stream("p"), Stream("s")).discharge is None
