"""Facts of the factory's note, each value read off the note by hand."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.contracts.records import FactKind
from tasks.ehr.facts import extract_facts
from tests.factories.facts import facts_of, pairs
from tests.factories.records import (
    END,
    NOTE,
    bundle,
    discharge_note,
    patient,
    rich_bundle,
)

EXPECTED = [
    (
        FactKind.STAY,
        [
            ("admission date", "2150-06-01"),
            ("discharge date", "2150-06-05"),
            ("length of stay", "4 days"),
        ],
    ),
    (FactKind.CHIEF_COMPLAINT, [("chief complaint", "shortness of breath")]),
    (
        FactKind.HISTORY,
        [
            ("cough", "reported"),
            ("shortness of breath", "reported"),
            ("fever", "denied"),
            ("chills", "denied"),
            ("chest pain", "denied"),
            ("orthopnea", "reported"),
            ("nausea", "denied"),
        ],
    ),
    (
        FactKind.PAST_CONDITION,
        [
            ("hypertension", "hypertension"),
            (
                "coronary artery disease status post stent",
                "coronary artery disease status post stent",
            ),
            ("type 2 diabetes mellitus", "type 2 diabetes mellitus"),
        ],
    ),
    (FactKind.ALLERGY, [("penicillins", "rash"), ("sulfa", "allergy")]),
    (
        FactKind.HOME_MEDICATION,
        [
            ("furosemide", "40 mg by mouth daily"),
            ("lisinopril", "20 mg by mouth daily"),
            ("albuterol inhaler", "2 puff by inhalation every 4 hours as needed"),
            ("aspirin", "81 mg by mouth daily"),
        ],
    ),
    (
        FactKind.EXAM,
        [
            ("admission temperature", "98.4"),
            ("admission blood pressure", "152/84"),
            ("admission heart rate", "96"),
            ("admission respiratory rate", "22"),
            ("admission oxygen saturation", "91%"),
            ("discharge temperature", "98.1"),
            ("discharge blood pressure", "128/70"),
            ("discharge heart rate", "74"),
            ("discharge respiratory rate", "18"),
            ("discharge oxygen saturation", "96%"),
        ],
    ),
    (
        FactKind.TREATMENT,
        [
            ("furosemide", "persistent volume overload"),
            ("lisinopril", "acute kidney injury"),
            ("azithromycin", "atypical coverage"),
        ],
    ),
    (
        FactKind.COURSE,
        [("acute on chronic systolic heart failure", "improved with intravenous diuretics")],
    ),
    (
        FactKind.MEDICATION_CHANGE,
        [
            ("furosemide", "increased from 40 mg to 80 mg"),
            ("azithromycin", "new medication"),
            ("lisinopril", "stopped"),
        ],
    ),
    (
        FactKind.DISCHARGE_MEDICATION,
        [
            ("furosemide", "80 mg by mouth twice daily"),
            ("aspirin", "81 mg by mouth daily"),
            ("albuterol inhaler", "2 puff by inhalation every 4 hours as needed"),
            ("azithromycin", "250 mg by mouth every 24 hours"),
        ],
    ),
    (FactKind.DISPOSITION, [("discharge destination", "home with service")]),
    (
        FactKind.CONDITION,
        [
            ("mental status", "clear and coherent"),
            ("level of consciousness", "alert and interactive"),
            ("activity status", "ambulatory, independent"),
        ],
    ),
    (
        FactKind.INSTRUCTION,
        [
            ("weigh yourself every morning", "weigh yourself every morning"),
            (
                "call your doctor if your weight goes up more than 3 lbs",
                "call your doctor if your weight goes up more than 3 lbs",
            ),
        ],
    ),
    (FactKind.FOLLOW_UP, [("cardiology", "in 2 weeks")]),
]


@pytest.mark.parametrize(("kind", "expected"), EXPECTED, ids=[kind for kind, _ in EXPECTED])
def test_facts_of_the_note(kind: FactKind, expected: list[tuple[str, str]]) -> None:
    assert pairs(facts_of(NOTE), kind) == expected


def test_laboratory_values_by_block_first_value_counts_at_admission() -> None:
    labs = dict(pairs(facts_of(NOTE), FactKind.LAB))
    assert labs["admission creatinine"] == "1.9"
    assert labs["discharge creatinine"] == "1.2"
    assert labs["admission mean corpuscular volume"] == "88"
    assert "admission platelet count" not in labs


def test_laboratory_detail_names_the_written_test_and_its_flag() -> None:
    (hemoglobin,) = [fact for fact in facts_of(NOTE) if fact.label == "admission hemoglobin"]
    assert hemoglobin.detail == {
        "point": "admission",
        "test": "hemoglobin",
        "name": "Hgb",
        "flag": "abnormal",
    }


def test_discharge_block_with_two_values_of_a_test_is_left_out() -> None:
    note = (
        "Pertinent Results:\nDISCHARGE LABS:\n___ 05:00AM BLOOD Na-138\n___ 06:00AM BLOOD Na-140\n"
    )
    assert pairs(facts_of(note), FactKind.LAB) == []


def test_results_without_a_block_are_first_values_and_urine_is_no_blood() -> None:
    note = (
        "Pertinent Results:\n___ 05:00AM BLOOD Na-138 proBNP-2200*\n___ 05:00AM URINE Glucose-300\n"
    )
    assert pairs(facts_of(note), FactKind.LAB) == [
        ("first sodium", "138"),
        ("first probnp", "2200"),
    ]


def test_spans_point_at_the_words_of_the_note() -> None:
    spans = {
        fact.fact_id: NOTE[fact.source.start : fact.source.end]
        for fact in facts_of(NOTE)
        if fact.source.start is not None
    }
    assert spans["history:5"] == "chest\npain"
    assert spans["lab:1"] == "WBC-12.9*"
    assert spans["exam:2"] == "152/84"
    assert spans["home_medication:2"] == "Lisinopril 20 mg PO DAILY"


@pytest.mark.parametrize(
    ("history", "conditions"),
    [
        ("HTN, HLD, and DM2", ["hypertension", "hyperlipidemia", "type 2 diabetes mellitus"]),
        (
            "- Cancer of rectum, sigmoid, and anus\n- S/p appendectomy ___\n- Gout",
            ["cancer of rectum, sigmoid, and anus", "status post appendectomy", "gout"],
        ),
        ("None", []),
    ],
)
def test_past_conditions_of_lists_and_of_running_text(history: str, conditions: list[str]) -> None:
    facts = facts_of(f"Past Medical History:\n{history}\n")
    assert [label for label, _ in pairs(facts, FactKind.PAST_CONDITION)] == conditions


def test_length_of_stay_counts_calendar_days() -> None:
    same_day = bundle(notes=[], start="2150-06-01 00:10:00", end="2150-06-01 23:50:00")
    over_night = bundle(notes=[], start="2150-06-01 23:50:00", end="2150-06-02 00:10:00")
    leap = bundle(notes=[], start="2152-02-28 10:00:00", end="2152-03-01 10:00:00")
    lengths = [
        dict(pairs(extract_facts(one, patient()), FactKind.STAY))["length of stay"]
        for one in (same_day, over_night, leap)
    ]
    assert lengths == ["less than one day", "1 day", "2 days"]


DEPARTURE = {
    FactKind.MEDICATION_CHANGE,
    FactKind.DISCHARGE_MEDICATION,
    FactKind.DISPOSITION,
    FactKind.CONDITION,
    FactKind.INSTRUCTION,
    FactKind.FOLLOW_UP,
}


def test_patient_who_died_has_no_facts_of_a_departure() -> None:
    facts = facts_of(NOTE, died=True)
    assert not DEPARTURE & {fact.kind for fact in facts}
    assert pairs(facts, FactKind.STAY) == [("admission date", "2150-06-01")]


@pytest.mark.parametrize(
    "ending",
    [
        "Discharge Disposition:\nExpired\n",
        "Brief Hospital Course:\nThe patient passed away with family there.\n",
        "Patient died. Family told.\n",
    ],
)
def test_note_that_tells_of_death_leaves_no_departure_and_no_word_of_it(ending: str) -> None:
    note = f"Chief Complaint:\ncough\n{ending}Followup Instructions:\nSee cardiology in 2 weeks.\n"
    facts = facts_of(note if ending.startswith(("Disch", "Brief")) else ending)
    assert not DEPARTURE & {fact.kind for fact in facts}
    assert "length of stay" not in {fact.label for fact in facts}


def test_symptom_both_reported_and_denied_is_left_out() -> None:
    note = "History of Present Illness:\nHe reports cough. He denies cough at night.\n"
    assert pairs(facts_of(note), FactKind.HISTORY) == []


def test_no_known_allergies_is_one_fact() -> None:
    note = "Allergies:\nNo Known Allergies / Adverse Drug Reactions\n"
    assert pairs(facts_of(note), FactKind.ALLERGY) == [("drug allergies", "none known")]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Vancomycin was started for 7 days.", []),
        (
            "Vancomycin was changed to linezolid because of rash.",
            [("vancomycin", "changed", "rash")],
        ),
        (
            "He was treated with ceftriaxone for urinary tract infection and discharged.",
            [("ceftriaxone", "given", "urinary tract infection")],
        ),
        (
            "His home lisinopril was held because creatinine rose to 2.3.",
            [("lisinopril", "held", "creatinine rose to 2.3")],
        ),
        ("Metoprolol was held because he was dizzy.", []),
        ("It was stopped for bleeding.", []),
        ("Heparin was stopped for ___ reasons.", []),
        (
            "Cefepime 2 g was started because of sepsis, for a 7 day course.",
            [("cefepime", "started", "sepsis")],
        ),
    ],
)
def test_treatment_needs_a_therapy_and_a_reason(
    sentence: str, expected: list[tuple[str, str, str]]
) -> None:
    facts = facts_of(f"Brief Hospital Course:\n{sentence}\n")
    treatments = [fact for fact in facts if fact.kind is FactKind.TREATMENT]
    assert [(fact.label, fact.detail["action"], fact.value) for fact in treatments] == expected


def test_note_without_headings_gives_facts_of_clear_sentences_alone() -> None:
    note = "pt presents with cough. no headings typed in this one. return if fever.\n"
    facts = facts_of(note)
    assert pairs(facts, FactKind.HISTORY) == [("cough", "reported")]
    assert {fact.kind for fact in facts} == {FactKind.STAY, FactKind.HISTORY}


def test_abbreviated_plan_of_a_note_without_headings() -> None:
    facts = facts_of("felt better.\nd/c home, f/u with pcp in 1 week.\n")
    assert pairs(facts, FactKind.DISPOSITION) == [("discharge destination", "home")]
    assert pairs(facts, FactKind.FOLLOW_UP) == [("pcp", "in 1 week")]


def test_follow_up_entries_of_a_list() -> None:
    facts = facts_of("Followup Instructions:\n- Primary care within two weeks\n___\n")
    assert pairs(facts, FactKind.FOLLOW_UP) == [("primary care", "within two weeks")]


@pytest.mark.parametrize(
    ("sentence", "detail"),
    [
        (
            "Atorvastatin was increased from 40 mg to 80 mg because of high cholesterol.",
            {"action": "increased", "link": "because of", "dose": "80 mg"},
        ),
        (
            "Warfarin 4 mg was started because of atrial fibrillation.",
            {"action": "started", "link": "because of", "dose": "4 mg"},
        ),
        (
            "Vancomycin was changed to linezolid due to rash.",
            {"action": "changed", "link": "because of", "to": "linezolid"},
        ),
    ],
)
def test_treatment_detail_holds_the_dose_or_what_it_was_changed_to(
    sentence: str, detail: dict[str, str]
) -> None:
    (treatment,) = [
        fact
        for fact in facts_of(f"Brief Hospital Course:\n{sentence}\n")
        if fact.kind is FactKind.TREATMENT
    ]
    assert treatment.detail == detail


def test_second_note_that_repeats_the_first_adds_nothing() -> None:
    once = extract_facts(bundle(), patient())
    twice = extract_facts(bundle(notes=[discharge_note(), discharge_note(sequence=2)]), patient())
    assert twice == once


def test_fact_ids_count_within_their_kind_and_are_unique() -> None:
    facts = extract_facts(rich_bundle(), patient())
    ids = [fact.fact_id for fact in facts]
    assert len(set(ids)) == len(ids)
    assert ids[:3] == ["stay:1", "stay:2", "stay:3"]


LINES = st.lists(st.sampled_from([*NOTE.splitlines(), "___", "# ", "x" * 200, "\t"]), max_size=80)


@settings(max_examples=60, deadline=None)
@given(LINES)
def test_any_shuffled_note_gives_sayable_facts(lines: list[str]) -> None:
    facts = facts_of("\n".join(lines))
    targets = [(fact.kind, fact.label.casefold(), fact.detail.get("action", "")) for fact in facts]
    assert len(set(targets)) == len(targets)
    for fact in facts:
        assert "___" not in fact.label + fact.value
        assert "\n" not in fact.label + fact.value
        assert fact.label and fact.value
        assert len(fact.value.split()) <= 12


def test_end_of_the_stay_is_the_bundle_s() -> None:
    facts = extract_facts(bundle(notes=[]), patient())
    assert [fact.value for fact in facts] == ["2150-06-01", END[:10], "4 days"]
