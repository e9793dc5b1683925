"""When the reason of a treatment was known: the first result that it names."""

import pytest

from tasks.contracts.clock import parse_time
from tasks.contracts.records import Fact, FactKind
from tasks.dialogue.reasons import reason_known_from
from tests.factories.records import fact

SCAN = fact(
    FactKind.IMAGING,
    "venous ultrasound",
    "Occlusive thrombus in the deep femoral vein",
    1,
    parse_time("2150-06-02 10:15:00"),
    {"date": "2150-06-02", "reported": "2150-06-02 12:00:00"},
)
FILM = fact(
    FactKind.IMAGING,
    "chest (portable AP)",
    "No evidence of pneumonia",
    2,
    parse_time("2150-06-02 09:00:00"),
)
STOOL = fact(
    FactKind.CULTURE,
    "C. difficile PCR",
    "positive for toxin gene",
    1,
    parse_time("2150-06-02 08:00:00"),
    {"date": "2150-06-02", "result": "comment", "reported": "2150-06-03 08:00:00"},
)
BLOOD = fact(
    FactKind.CULTURE,
    "blood culture, routine",
    "Escherichia coli",
    2,
    parse_time("2150-06-01 20:00:00"),
    {"date": "2150-06-01", "result": "organism", "reported": "2150-06-02 20:00:00"},
)
TESTED = fact(
    FactKind.SUSCEPTIBILITY,
    "ciprofloxacin against Escherichia coli",
    "resistant",
    1,
    parse_time("2150-06-01 20:00:00"),
    {"organism": "Escherichia coli", "reported": "2150-06-03 20:00:00"},
)
RESULTS = (SCAN, FILM, STOOL, BLOOD, TESTED)


def treatment(reason: str) -> Fact:
    return fact(FactKind.TREATMENT, "a drug", reason)


@pytest.mark.parametrize(
    ("reason", "known"),
    [
        ("new deep vein thrombosis", "2150-06-02 12:00:00"),
        ("C. difficile colitis", "2150-06-03 08:00:00"),
        ("Escherichia coli bacteremia", "2150-06-02 20:00:00"),
        ("bacteremia", "2150-06-02 20:00:00"),
        ("positive blood cultures", "2150-06-02 20:00:00"),
        ("ciprofloxacin resistant organism", "2150-06-03 20:00:00"),
    ],
)
def test_reason_that_names_a_result_was_known_with_it(reason: str, known: str) -> None:
    assert reason_known_from(treatment(reason), RESULTS) == parse_time(known)


@pytest.mark.parametrize(
    "reason",
    ["pneumonia", "blood loss anemia", "respiratory failure", "acute infection", "hypotension"],
)
def test_reason_that_names_no_result_is_known_at_any_time(reason: str) -> None:
    assert reason_known_from(treatment(reason), RESULTS) is None
