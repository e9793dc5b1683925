"""When results are known, and how titles and terse notes are said: worked out by hand."""

import pytest

from tasks.contracts.clock import parse_time
from tasks.contracts.records import Fact, FactKind
from tasks.ehr.events import lasting_hours
from tasks.ehr.facts import extract_facts
from tests.factories.records import (
    bundle,
    discharge_note,
    microbiology,
    patient,
    procedure,
    radiology_note,
)


def facts_of_note(note: str) -> tuple[Fact, ...]:
    return extract_facts(bundle(notes=[discharge_note(note)]), patient())


def only(facts: tuple[Fact, ...], kind: FactKind) -> Fact:
    (found,) = [fact for fact in facts if fact.kind is kind]
    return found


def test_a_radiology_report_is_known_when_it_was_stored() -> None:
    note = radiology_note().model_copy(update={"storetime": parse_time("2150-06-02 13:00:00")})
    imaging = only(extract_facts(bundle(notes=[], radiology=[note]), patient()), FactKind.IMAGING)
    assert imaging.detail == {"date": "2150-06-02", "reported": "2150-06-02 13:00:00"}


def test_a_report_stored_before_the_examination_is_known_with_it() -> None:
    note = radiology_note().model_copy(update={"storetime": parse_time("2150-06-01 13:00:00")})
    imaging = only(extract_facts(bundle(notes=[], radiology=[note]), patient()), FactKind.IMAGING)
    assert imaging.detail == {"date": "2150-06-02"}


@pytest.mark.parametrize(
    ("test", "organism", "comment", "reported"),
    [
        ("URINE CULTURE", "ESCHERICHIA COLI", "", "2150-06-03 08:00:00"),
        ("URINE CULTURE", "", "NO GROWTH.", "2150-06-04 08:00:00"),
        ("Legionella Urinary Antigen", "", "NEGATIVE.", "2150-06-03 08:00:00"),
    ],
)
def test_growth_takes_a_day_and_a_negative_culture_two(
    test: str, organism: str, comment: str, reported: str
) -> None:
    event = microbiology(test=test, organism=organism, comments=comment)
    facts = extract_facts(bundle(notes=[], microbiology_events=[event]), patient())
    assert only(facts, FactKind.CULTURE).detail["reported"] == reported


def test_what_an_isolate_is_sensitive_to_takes_two_days() -> None:
    event = microbiology(organism="YEAST", antibiotic="FLUCONAZOLE", interpretation="S")
    facts = extract_facts(bundle(notes=[], microbiology_events=[event]), patient())
    assert only(facts, FactKind.SUSCEPTIBILITY).detail["reported"] == "2150-06-04 08:00:00"


@pytest.mark.parametrize(
    ("title", "hours"),
    [
        ("Respiratory Ventilation, Less than 24 Consecutive Hours", 24),
        ("Respiratory Ventilation, 24-96 Consecutive Hours", 96),
        ("Continuous invasive mechanical ventilation for 96 consecutive hours or more", 96),
        ("Continuous invasive mechanical ventilation of unspecified duration", 24),
        ("Drainage of Right Pleural Cavity", 0),
    ],
)
def test_hours_of_a_procedure_by_its_title(title: str, hours: int) -> None:
    assert lasting_hours(title) == hours


def test_a_ventilation_is_over_before_it_is_told() -> None:
    row = procedure("Respiratory Ventilation, 24-96 Consecutive Hours", "2150-06-02")
    facts = extract_facts(bundle(notes=[], procedures=[row]), patient())
    assert only(facts, FactKind.PROCEDURE).detail["reported"] == "2150-06-06 12:00:00"


@pytest.mark.parametrize(
    ("written", "label"),
    [
        ("LIVER OR GALLBLADDER US (SINGLE ORGAN)", "liver or gallbladder ultrasound"),
        ("FOOT AP,LAT & OBL", "foot AP, lateral and oblique"),
        ("CT CHEST W/CONTRAST", "CT chest with contrast"),
    ],
)
def test_examinations_are_said_in_words(written: str, label: str) -> None:
    note = radiology_note(f"EXAMINATION: {written}\n\nIMPRESSION: No acute process.\n")
    facts = extract_facts(bundle(notes=[], radiology=[note]), patient())
    assert only(facts, FactKind.IMAGING).label == label


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("Commensal Respiratory Flora Absent.", "commensal respiratory flora absent"),
        ("NEGATIVE FOR CMV IgM ANTIBODY BY EIA.", "negative for CMV IgM antibody by EIA"),
        ("NO GROWTH.", "no growth"),
        ("Reported to be negative", "reported to be negative"),
    ],
)
def test_results_in_capitals_or_title_case_are_said_plainly(written: str, value: str) -> None:
    event = microbiology(test="VIRAL TEST", specimen="SEROLOGY", comments=written)
    facts = extract_facts(bundle(notes=[], microbiology_events=[event]), patient())
    assert only(facts, FactKind.CULTURE).value == value


@pytest.mark.parametrize(
    ("sentence", "detail"),
    [
        ("Furosemide was changed to torsemide 20 mg for edema.", {"to": "torsemide 20 mg"}),
        ("Furosemide was increased to 80 mg for edema.", {"dose": "80 mg"}),
        ("Furosemide was increased to a dose of 80 mg for edema.", {"dose": "80 mg"}),
        ("Furosemide was increased by 20 mg for edema.", {}),
        ("Dose of furosemide was increased to 80 mg for edema.", {"dose": "80 mg"}),
    ],
)
def test_dose_and_successor_of_a_changed_drug(sentence: str, detail: dict[str, str]) -> None:
    treatment = only(facts_of_note(f"Brief Hospital Course:\n{sentence}\n"), FactKind.TREATMENT)
    found = {name: treatment.detail[name] for name in ("dose", "to") if name in treatment.detail}
    assert treatment.label == "furosemide"
    assert found == detail


@pytest.mark.parametrize(
    ("note", "course"),
    [
        (
            "Chief Complaint:\ninvented ache\n\nBrief Hospital Course:\n"
            "Given made-up drops 5mg twice daily, later 2.5 mg once daily.\n",
            ("invented ache", "given made-up drops 5mg twice daily, later 2.5 mg once daily"),
        ),
        (
            "pt seen and sent home. no headings here. drops 5 mg given x1, ambulating.\n",
            ("drops", "given 5 mg once"),
        ),
    ],
)
def test_a_terse_note_tells_what_was_given(note: str, course: tuple[str, str]) -> None:
    fact = only(facts_of_note(note), FactKind.COURSE)
    assert fact.label == course[0]
    assert fact.value.startswith(course[1])


def test_a_note_that_tells_courses_needs_no_terse_reading() -> None:
    note = "Brief Hospital Course:\n# Gout: Foot was treated with ice. Colchicine 1 mg given.\n"
    fact = only(facts_of_note(note), FactKind.COURSE)
    assert (fact.label, fact.value) == ("gout", "treated with ice")
