from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.sample.titles import (
    is_administrative,
    is_lasting,
    is_past,
    is_remembered,
    matching_words,
    past_condition,
    plain_procedure,
    plain_title,
    side_of,
)


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Other ascites", "ascites"),
        ("Acute kidney failure, unspecified", "acute kidney failure"),
        ("Chronic hepatitis C without mention of hepatic coma", "chronic hepatitis C"),
        ("Septicemia due to escherichia coli [E. coli]", "septicemia due to escherichia coli"),
        ("Urinary tract infection, site not specified", "urinary tract infection"),
        ("Barrett's esophagus without dysplasia", "Barrett's esophagus"),
        ("HIV disease", "HIV disease"),
        ("Other and unspecified mycoses", "mycoses"),
        ("Other and unspecified alcohol dependence, unspecified", "alcohol dependence"),
        ("Malignant neoplasm of other and unspecified sites", "malignant neoplasm of other sites"),
        ("Pain in joint, site unspecified", "pain in joint"),
        (
            "Hypertensive heart and chronic kidney disease with heart failure and with stage 5 "
            "chronic kidney disease, or end stage renal disease",
            "hypertensive heart and chronic kidney disease with heart failure",
        ),
        (
            "Hypertensive chronic kidney disease with stage 1 through stage 4 chronic kidney "
            "disease, or unspecified chronic kidney disease",
            "hypertensive chronic kidney disease",
        ),
    ],
)
def test_a_title_reads_like_prose(title: str, expected: str) -> None:
    assert plain_title(title) == expected


def test_a_procedure_loses_its_approach() -> None:
    title = "Drainage of Peritoneal Cavity, Percutaneous Approach, Diagnostic"
    assert plain_procedure(title) == "drainage of peritoneal cavity"


def test_a_procedure_does_not_open_with_a_joining_word() -> None:
    assert plain_procedure("Other and open repair of hernia") == "open repair of hernia"


def test_what_a_title_rules_out_is_not_matched() -> None:
    title = (
        "Diabetes mellitus without mention of complication, type II or unspecified type, "
        "not stated as uncontrolled"
    )
    assert "complication" not in matching_words(title)
    assert "uncontrolled" not in matching_words(title)


def test_history_is_remembered_not_treated() -> None:
    title = "Personal history of pulmonary embolism"
    assert is_past(title)
    assert past_condition(title) == "history of pulmonary embolism"


def test_causes_places_and_contacts_are_no_illness() -> None:
    assert is_administrative("E8497", 9, "Accidents occurring in residential institution")
    assert is_administrative("Y92230", 10, "Patient room in hospital as the place")
    assert is_administrative("B9620", 10, "E. coli as the cause of diseases classified elsewhere")
    assert not is_administrative("E785", 10, "Hyperlipidemia, unspecified")
    assert not is_administrative("4280", 9, "Congestive heart failure, unspecified")


def test_a_cancer_lasts_and_an_acute_leukemia_relapse_does_not() -> None:
    assert is_lasting("Malignant neoplasm of colon")
    assert not is_lasting("Acute myeloid leukemia in relapse")
    assert not is_lasting("Acute bronchitis")


def test_scans_and_lines_are_not_remembered_as_operations() -> None:
    assert not is_remembered("Ultrasonography of Superior Vena Cava, Guidance")
    assert is_remembered("Other partial resection of small intestine")


def test_the_side_is_known_only_when_one_is_named() -> None:
    assert side_of(("Cellulitis of left lower limb",)) == "left"
    assert side_of(("Left knee", "Right hip")) == ""
    assert side_of(("Pneumonia",)) == ""


@given(st.text(max_size=60))
def test_no_title_becomes_empty_unless_it_was(title: str) -> None:
    assert bool(plain_title(title)) == bool(title.strip(" ,;").split())
