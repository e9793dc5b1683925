"""Medicines of the two lists: held, removed and repeated ones, other names and spellings."""

import pytest

from tasks.contracts.records import FactKind
from tests.factories.facts import facts_of, pairs


def test_drug_with_a_removed_dose_is_neither_new_nor_stopped() -> None:
    note = (
        "Medications on Admission:\n1. Warfarin 5 mg PO DAILY\n2. Aspirin 81 mg PO DAILY\n"
        "Discharge Medications:\n1. Warfarin ___ mg PO DAILY\n2. Aspirin 81 mg PO DAILY\n"
    )
    assert pairs(facts_of(note), FactKind.MEDICATION_CHANGE) == []


HELD_NOTE = (
    "Medications on Admission:\n1. amLODIPine 5 mg PO DAILY\n2. Aspirin 81 mg PO DAILY\n"
    "Discharge Medications:\n1. Aspirin 81 mg PO DAILY\n"
    "2. HELD- amLODIPine 5 mg PO DAILY  This medication was held. Do not restart\n"
    "amLODIPine until you see your doctor\n"
)


def test_held_drug_is_one_change_and_no_drug_to_take() -> None:
    facts = facts_of(HELD_NOTE)
    (change,) = [fact for fact in facts if fact.kind is FactKind.MEDICATION_CHANGE]
    assert (change.label, change.value, change.detail) == (
        "amlodipine",
        "held",
        {"change": "held"},
    )
    source = HELD_NOTE[change.source.start : change.source.end]
    assert source.startswith("HELD- amLODIPine") and source.endswith("see your doctor")
    assert pairs(facts, FactKind.DISCHARGE_MEDICATION) == [("aspirin", "81 mg by mouth daily")]
    assert pairs(facts, FactKind.HOME_MEDICATION) == [
        ("amlodipine", "5 mg by mouth daily"),
        ("aspirin", "81 mg by mouth daily"),
    ]


@pytest.mark.parametrize(
    ("entry", "changes"),
    [
        ("HELD- Warfarin This medication was held. Do not restart it", [("warfarin", "held")]),
        ("HELD - Warfarin 2.5 mg PO DAILY", [("warfarin", "held")]),
        ("HELD- Warfarin ___ mg PO DAILY This medication was held", [("warfarin", "held")]),
        ("Warfarin 5 mg PO DAILY\n2. HELD- Warfarin 2.5 mg PO DAILY", []),
    ],
)
def test_held_entry_is_read_without_a_dose_and_not_beside_the_drug_itself(
    entry: str, changes: list[tuple[str, str]]
) -> None:
    home = "Medications on Admission:\n1. Warfarin 2.5 mg PO DAILY\n"
    found = facts_of(f"{home}Discharge Medications:\n1. {entry}\n")
    assert pairs(found, FactKind.MEDICATION_CHANGE) == changes
    alone = facts_of(f"Discharge Medications:\n1. {entry}\n")
    assert pairs(alone, FactKind.MEDICATION_CHANGE) == changes


def test_drug_listed_twice_is_left_out() -> None:
    note = (
        "Medications on Admission:\n1. Prednisone 10 mg PO DAILY\n2. Prednisone 20 mg PO DAILY\n"
        "Discharge Medications:\n1. Prednisone 40 mg PO DAILY\n"
    )
    facts = facts_of(note)
    assert pairs(facts, FactKind.HOME_MEDICATION) == []
    assert pairs(facts, FactKind.MEDICATION_CHANGE) == []


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
