"""Facts of reports and rows: imaging, procedures, cultures and coded diagnoses."""

import pytest

from tasks.contracts.records import FactKind
from tasks.ehr.facts import extract_facts
from tests.factories.facts import pairs
from tests.factories.records import (
    RADIOLOGY,
    bundle,
    diagnosis,
    microbiology,
    patient,
    procedure,
    radiology_note,
)


def test_imaging_takes_the_first_plain_line_of_the_impression() -> None:
    facts = extract_facts(bundle(notes=[], radiology=[radiology_note()]), patient())
    (imaging,) = [fact for fact in facts if fact.kind is FactKind.IMAGING]
    assert (imaging.label, imaging.value) == (
        "chest (portable AP)",
        "Moderate right pleural effusion",
    )
    assert imaging.detail == {"date": "2150-06-02"}
    assert (
        RADIOLOGY[imaging.source.start : imaging.source.end] == "Moderate right pleural effusion."
    )


def test_two_reports_of_one_examination_on_one_day_that_differ_are_left_out() -> None:
    other = "EXAMINATION: CHEST (PORTABLE AP)\n\nIMPRESSION: No pneumothorax.\n"
    later = radiology_note(other, "2150-06-02 20:00:00", 2)
    facts = extract_facts(bundle(notes=[], radiology=[radiology_note(), later]), patient())
    assert pairs(facts, FactKind.IMAGING) == []


def test_report_without_time_is_left_out() -> None:
    facts = extract_facts(bundle(notes=[], radiology=[radiology_note(charttime=None)]), patient())
    assert pairs(facts, FactKind.IMAGING) == []


@pytest.mark.parametrize(
    ("impression", "finding"),
    [
        ("No acute intracranial process.", "No acute intracranial process"),
        (
            "Small left pleural effusion, unchanged in size since it was seen on the earlier film.",
            "Small left pleural effusion",
        ),
        ("Possible small nodule in the left upper lobe, but this could well be a vessel.", None),
        ("Stable appearance compared to prior of ___.", None),
    ],
)
def test_impression_is_cut_only_where_the_rest_can_not_turn_it(
    impression: str, finding: str | None
) -> None:
    note = radiology_note(f"EXAMINATION: CT HEAD W/O CONTRAST\n\nIMPRESSION: {impression}\n")
    facts = extract_facts(bundle(notes=[], radiology=[note]), patient())
    expected = [("CT head without contrast", finding)] if finding else []
    assert pairs(facts, FactKind.IMAGING) == expected


def test_procedures_are_dated_and_untitled_ones_left_out() -> None:
    rows = [procedure(), procedure("", "2150-06-04", 2)]
    facts = extract_facts(bundle(notes=[], procedures=rows), patient())
    assert pairs(facts, FactKind.PROCEDURE) == [("Drainage of Right Pleural Cavity", "2150-06-03")]


def test_one_procedure_on_two_days_gives_two_facts() -> None:
    rows = [procedure(chartdate="2150-06-02"), procedure(chartdate="2150-06-03", sequence=2)]
    facts = extract_facts(bundle(notes=[], procedures=rows), patient())
    assert [value for _, value in pairs(facts, FactKind.PROCEDURE)] == ["2150-06-02", "2150-06-03"]


def test_organisms_of_one_day_stand_together_and_beat_a_negative_set() -> None:
    events = [
        microbiology("2150-06-02 08:00:00", "BLOOD CULTURE", "Blood Culture, Routine", "YEAST"),
        microbiology(
            "2150-06-02 08:05:00", "BLOOD CULTURE", "Blood Culture, Routine", "ENTEROCOCCUS SP."
        ),
        microbiology(
            "2150-06-02 09:00:00",
            "BLOOD CULTURE",
            "Blood Culture, Routine",
            comments="NO GROWTH.",
        ),
        microbiology("2150-06-03 09:00:00", "SPUTUM", "RESPIRATORY CULTURE", comments="NO GROWTH."),
        microbiology("2150-06-03 09:00:00", "STOOL", "C. difficile PCR", "CANCELLED"),
    ]
    facts = extract_facts(bundle(notes=[], microbiology_events=events), patient())
    assert pairs(facts, FactKind.CULTURE) == [
        ("blood culture, routine", "Yeast and Enterococcus sp"),
        ("respiratory culture of sputum", "no growth"),
    ]


def test_susceptibility_names_antibiotic_and_organism_unless_isolates_disagree() -> None:
    events = [
        microbiology(organism="ESCHERICHIA COLI", antibiotic="CEFEPIME", interpretation="S"),
        microbiology(organism="ESCHERICHIA COLI", antibiotic="AMPICILLIN", interpretation="R"),
        microbiology(
            "2150-06-03 08:00:00",
            organism="ESCHERICHIA COLI",
            antibiotic="AMPICILLIN",
            interpretation="S",
        ),
    ]
    facts = extract_facts(bundle(notes=[], microbiology_events=events), patient())
    assert pairs(facts, FactKind.SUSCEPTIBILITY) == [
        ("cefepime against Escherichia coli", "sensitive")
    ]


def test_diagnosis_titles_lose_coding_words_and_status_codes() -> None:
    rows = [
        diagnosis("Urinary tract infection, site not specified", 1, "5990", 9),
        diagnosis("Unspecified essential hypertension", 2, "4019", 9),
        diagnosis("Long term (current) use of insulin", 3, "Z794", 10),
        diagnosis("Unspecified fall, initial encounter", 4, "W19XXXA", 10),
        diagnosis("", 5, "9999", 9),
    ]
    facts = extract_facts(bundle(notes=[], diagnoses=rows), patient())
    assert pairs(facts, FactKind.DIAGNOSIS) == [
        ("Urinary tract infection", "primary"),
        ("essential hypertension", "secondary"),
    ]


@pytest.mark.parametrize(
    ("title", "label"),
    [
        ("Subendocardial infarction, initial episode of care", "Subendocardial infarction"),
        (
            "Hypertensive chronic kidney disease, unspecified, with chronic kidney disease stage V "
            "or end stage renal disease",
            "Hypertensive chronic kidney disease, unspecified, with chronic kidney disease stage V "
            "or end stage renal disease",
        ),
        (
            "Malignant neoplasm of rectum, rectosigmoid junction, and anus",
            "Malignant neoplasm of rectum, rectosigmoid junction, and anus",
        ),
    ],
)
def test_long_titles_are_said_whole(title: str, label: str) -> None:
    facts = extract_facts(bundle(notes=[], diagnoses=[diagnosis(title)]), patient())
    assert pairs(facts, FactKind.DIAGNOSIS) == [(label, "primary")]


@pytest.mark.parametrize(
    ("died", "days"),
    [(True, ["2150-06-02", "2150-06-03"]), (False, ["2150-06-02", "2150-06-03", "2150-06-04"])],
)
def test_no_event_after_the_day_of_death_is_told(died: bool, days: list[str]) -> None:
    events = [microbiology(f"2150-06-0{day} 08:00:00", comments="NO GROWTH.") for day in (2, 3, 4)]
    dead_at = "2150-06-03 10:00:00" if died else None
    found = extract_facts(
        bundle(microbiology_events=events, conversation_end=dead_at), patient(died_in_hospital=died)
    )
    assert [one.detail["date"] for one in found if one.kind is FactKind.CULTURE] == days
