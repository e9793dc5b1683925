from __future__ import annotations

from datetime import date, timedelta
from itertools import pairwise

from tasks.adapters.mimic_hosp import HospProcedure, HospStay
from tasks.sample.course import tell_patient
from tasks.sample.hospital_course import hospital_course
from tasks.sample.lookup import load_catalogue
from tasks.sample.story import Story
from tasks.sample.streams import patient_stream
from tests.unit.sample.stays import ADMITTED, culture_row, make_stay

CATALOGUE = load_catalogue()
HEART_FAILURE = ("I5023", 10, "Acute on chronic systolic (congestive) heart failure")
HYPERTENSION = ("I10", 10, "Essential (primary) hypertension")
INFECTION = ("N390", 10, "Urinary tract infection, site not specified")
PARACENTESIS = HospProcedure(1, date(2150, 6, 3), "0W9G3ZZ", 10, "Drainage of Peritoneal Cavity")


def _chain(count: int, *diagnoses: tuple[str, int, str]) -> list[HospStay]:
    return [
        make_stay(
            *diagnoses, hadm_id=f"8000000{n}", start=ADMITTED + timedelta(days=60 * n), days=4
        )
        for n in range(count)
    ]


def _course_text(story: Story) -> str:
    stream = patient_stream(1, "90000001").below(story.stay.hadm_id)
    return " ".join(" ".join(hospital_course(story, CATALOGUE, stream)).split())


def test_the_next_admission_list_is_the_last_discharge_list_without_finished_courses() -> None:
    stories = tell_patient(_chain(6, INFECTION, HEART_FAILURE, HYPERTENSION), CATALOGUE, 1)
    for before, after in pairwise(stories):
        lasting = [p for p in before.discharge if p.drug.course_days is None]
        assert list(after.home) == lasting


def test_every_change_of_the_lists_has_a_reason_in_the_course() -> None:
    stories = tell_patient(_chain(6, HEART_FAILURE, INFECTION, HYPERTENSION), CATALOGUE, 1)
    assert sum(len(s.changes) for s in stories) > 6
    for story in stories:
        text = _course_text(story)
        for change in story.changes:
            if change.because:
                assert f"because of {change.because}" in text
        assert len(story.changes) >= len(set(story.discharge) - set(story.home))


def test_lasting_problems_and_procedures_stand_in_the_next_history() -> None:
    first = make_stay(INFECTION, HYPERTENSION, procedures=(PARACENTESIS,))
    second = make_stay(INFECTION, hadm_id="80000002", start=ADMITTED + timedelta(days=90))
    later = tell_patient([first, second], CATALOGUE, 1)[1]
    assert later.past == ("Hypertension", "Recurrent urinary tract infections", "S/p paracentesis")
    assert later.previous is not None
    assert later.previous.principal == "urinary tract infection"


def test_the_allergy_never_changes_and_is_never_given() -> None:
    stories = tell_patient(_chain(5, INFECTION), CATALOGUE, 5)
    assert len({s.allergy.name for s in stories}) == 1
    banned = set(stories[0].allergy.classes)
    assert all(not banned & set(p.drug.classes) for s in stories for p in s.discharge)


def test_a_procedure_is_told_on_its_hospital_day_with_its_purpose() -> None:
    ascites = ("R188", 10, "Other ascites")
    story = tell_patient([make_stay(ascites, procedures=(PARACENTESIS,))], CATALOGUE, 1)[0]
    assert "On hospital day 3" in _course_text(story)
    assert "underwent paracentesis to relieve tense ascites." in _course_text(story)


def test_a_procedure_outside_the_stay_is_dated_before_it_or_left_out() -> None:
    early = HospProcedure(1, date(2150, 5, 30), "0W9G3ZZ", 10, "Drainage of Peritoneal Cavity")
    late = HospProcedure(2, date(2150, 6, 20), "0DJD8ZZ", 10, "Inspection of Lower Intestine")
    story = tell_patient([make_stay(INFECTION, procedures=(early, late))], CATALOGUE, 1)[0]
    text = _course_text(story)
    assert "Before admission" in text
    assert "colonoscopy" not in text


def test_who_dies_gets_no_discharge_list_and_no_recovery() -> None:
    story = tell_patient([make_stay(HEART_FAILURE, died=True)], CATALOGUE, 1)[0]
    text = _course_text(story)
    assert story.discharge == ()
    assert "died in the hospital" in text
    assert "TRANSITIONAL" not in text and "before discharge" not in text


def test_no_drug_goes_home_that_the_isolate_resists() -> None:
    rows = tuple(
        culture_row(org="ESCHERICHIA COLI", ab=ab, letter="R")
        for ab in ("CIPROFLOXACIN", "CEFTRIAXONE", "NITROFURANTOIN")
    )
    for seed in range(30):
        story = tell_patient([make_stay(INFECTION, microbiology=rows)], CATALOGUE, seed)[0]
        keys = {p.drug.key for p in story.discharge}
        assert not keys & {"ciprofloxacin", "levofloxacin", "cefpodoxime", "nitrofurantoin"}


def test_what_speaks_of_an_operation_is_told_only_after_it() -> None:
    arthritis = ("M1711", 10, "Unilateral primary osteoarthritis, right knee")
    replaced = HospProcedure(
        1, ADMITTED.date(), "0SRC0JZ", 10, "Replacement of Right Knee Joint, Open Approach"
    )
    for seed in range(10):
        without = tell_patient([make_stay(arthritis)], CATALOGUE, seed)[0]
        assert "knee replacement" not in _course_text(without)
        assert all("operation" not in c.because for c in without.changes)
    done = tell_patient([make_stay(arthritis, procedures=(replaced,))], CATALOGUE, 1)[0]
    assert "underwent total knee replacement" in _course_text(done)


def test_a_stay_without_diagnoses_still_has_a_story() -> None:
    story = tell_patient([make_stay()], CATALOGUE, 1)[0]
    assert story.problems == ()
    assert "was admitted with" in _course_text(story)
