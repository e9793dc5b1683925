from __future__ import annotations

import pytest

from tasks.sample.lookup import load_catalogue
from tasks.sample.presentation import present
from tasks.sample.problems import Problem
from tasks.sample.streams import patient_stream

CATALOGUE = load_catalogue()


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("abscess of liver", "Abdominal pain"),
        ("coronary atherosclerosis of native coronary artery", "Chest discomfort"),
        ("cerebral aneurysm, nonruptured", "Headache"),
        ("closed fracture of seven ribs", "Pain after a fall"),
        ("malignant neoplasm of thyroid gland", "Fatigue"),
        ("postoperative infection", "Fever"),
    ],
)
def test_a_problem_outside_the_catalogue_presents_by_its_name(name: str, complaint: str) -> None:
    problem = Problem(name, name, "acute", None)
    told = present([problem], CATALOGUE, patient_stream(1, "7"))
    assert told.complaint == complaint
    assert len(told.symptoms) == len(told.denials) == 3


def test_a_problem_that_nothing_is_known_of_presents_as_malaise() -> None:
    problem = Problem("hyperhidrosis", "hyperhidrosis", "acute", None)
    told = present([problem], CATALOGUE, patient_stream(1, "7"))
    assert told.complaint in CATALOGUE.wording.generic.complaints
