"""Grave matters get sober words; light ones don't."""

from __future__ import annotations

import pytest

from tasks.contracts.records import FactKind
from tasks.dialogue.departure import described
from tasks.dialogue.gravity import grave_ones, is_grave, manner
from tests.factories.records import fact


@pytest.mark.parametrize(
    ("label", "grave"),
    [
        ("Malignant neoplasm of bronchus and lung", True),
        ("Benign neoplasm of meninges", False),
        ("Septic shock", True),
        ("Cardiac arrest, cause unspecified", True),
        ("Nontraumatic intracerebral hemorrhage", True),
        ("Respiratory Ventilation, Greater than 96 Consecutive Hours", True),
        ("Non-invasive mechanical ventilation", False),
        ("Acute and subacute hepatic failure without coma", False),
        ("Viral hepatitis C without hepatic coma", False),
        ("Gout", False),
        ("Gastrointestinal hemorrhage", False),
    ],
)
def test_grave_names(label: str, grave: bool) -> None:
    assert is_grave(fact(FactKind.DIAGNOSIS, label, "primary")) is grave


def test_grave_facts_choose_the_sober_pool() -> None:
    gout = fact(FactKind.DIAGNOSIS, "Gout", "secondary")
    shock = fact(FactKind.DIAGNOSIS, "Cardiogenic shock", "secondary")
    pressor = fact(FactKind.TREATMENT, "norepinephrine", "hypotension")
    assert manner([gout], "secondary_diagnosis") == "secondary_diagnosis"
    assert manner([gout, shock], "secondary_diagnosis") == "grave"
    assert manner([gout], "diagnosis", sober=True) == "sober"
    assert manner([shock], "diagnosis", sober=True) == "grave"
    assert grave_ones([gout, shock]) == [shock]
    assert grave_ones([gout]) == [gout]
    assert manner([pressor], "treatment_begun") == "grave_step"
    assert manner([], "parting") == "parting"


def test_entries_of_the_condition_are_quoted_in_grammatical_clauses() -> None:
    assert described(
        [
            ("mental status", "Clear and coherent"),
            ("level of consciousness", "Alert and interactive"),
            ("activity status", "Ambulatory, requires assistance or aid (walker or cane)"),
        ]
    ) == (
        "you're clear and coherent, and alert and interactive; under activity status I've put: "
        "ambulatory, requires assistance or aid (walker or cane)"
    )
    assert described([("condition at discharge", "Stable")]) == (
        "under condition at discharge I've put: stable"
    )
