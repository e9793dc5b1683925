"""The same drug by another name and the same dose in another spelling are no change."""

from __future__ import annotations

import pytest

from tasks.contracts.records import FactKind
from tests.unit.ehr.test_facts import facts_of, pairs


def changes(before: str, after: str) -> list[tuple[str, str]]:
    note = (
        f"Medications on Admission:\n1. {before}\n2. Senna 1 TAB PO BID\n"
        f"Discharge Medications:\n1. {after}\n2. Senna 1 TAB PO BID\n"
    )
    return pairs(facts_of(note), FactKind.MEDICATION_CHANGE)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Furosemide 80 mg PO DAILY", "Lasix 80 mg PO DAILY"),
        ("Atorvastatin (Lipitor) 20 mg PO DAILY", "Lipitor 20 mg PO DAILY"),
        ("Lisinopril 10 mg PO DAILY", "Zestril 5 mg PO DAILY"),
        ("Aspirin 81 mg PO DAILY", "ASA 81 mg PO DAILY"),
    ],
)
def test_a_drug_by_its_brand_is_not_a_new_one(before: str, after: str) -> None:
    assert changes(before, after) == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Atorvastatin 20 milligrams PO DAILY", "Atorvastatin 20 MG PO DAILY"),
        ("Atorvastatin 400mg PO DAILY", "Atorvastatin 400 milligrams PO DAILY"),
        ("Atorvastatin 1,600 mg PO DAILY", "Atorvastatin 1600mg PO DAILY"),
        ("Atorvastatin 25.0 mg PO DAILY", "Atorvastatin 25 mg PO DAILY"),
        ("Atorvastatin .5 mg PO DAILY", "Atorvastatin 0.5 mg PO DAILY"),
        ("Nystatin 5 ML PO DAILY", "Nystatin 5 mL PO DAILY"),
    ],
)
def test_a_dose_in_another_spelling_is_no_other_dose(before: str, after: str) -> None:
    assert changes(before, after) == []


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        (
            "Insulin Glargine 18units SC QHS",
            "Insulin Glargine 14 UNITS SC QHS",
            "decreased from 18 units to 14 units",
        ),
        (
            "Atorvastatin 20mg PO DAILY",
            "Atorvastatin 40 milligrams PO DAILY",
            "increased from 20 mg to 40 mg",
        ),
    ],
)
def test_a_real_change_keeps_its_direction_however_it_is_spelled(
    before: str, after: str, said: str
) -> None:
    ((_, value),) = changes(before, after)
    assert value == said


@pytest.mark.parametrize("head", ["POD#2", "HD 3", "Post-operative day 2", "Hospital day #4"])
def test_a_day_of_the_stay_is_no_problem(head: str) -> None:
    note = f"Brief Hospital Course:\n# {head}: Pain was controlled on oxycodone 5 mg.\n"
    assert head.casefold() not in str(pairs(facts_of(note), FactKind.COURSE)).casefold()


@pytest.mark.parametrize(
    "words", ["NKDA except 'water pills'", "No known drug allergies but codeine"]
)
def test_an_exception_is_not_told_as_no_allergy(words: str) -> None:
    assert pairs(facts_of(f"Allergies:\n{words}\n"), FactKind.ALLERGY) == []
