"""Candidates about one stay, worked out by hand. Turn 1 admits; turn 2 + i states facts[i]."""

from collections.abc import Sequence

import pytest

from tasks.contracts.questions import QuestionType
from tasks.contracts.records import Fact
from tasks.qa.single import single_candidates
from tasks.qa.stays import patient_stays
from tests.factories.charts import make_admission, make_chart, make_fact

FACTS = [
    make_fact("lab", 1, "admission hemoglobin", "9.1", point="admission", test="hemoglobin"),
    make_fact("imaging", 1, "ct head w/o contrast", "no acute process", date="2150-06-02"),
    make_fact("culture", 1, "urine culture", "Escherichia coli", date="2150-06-01"),
    make_fact("susceptibility", 1, "ciprofloxacin against Escherichia coli", "resistant",
              date="2150-06-01"),
    make_fact("procedure", 1, "Drainage of Peritoneal Cavity", "2150-06-03", date="2150-06-03"),
    make_fact("treatment", 1, "ceftriaxone", "urinary tract infection", action="started"),
    make_fact("treatment", 2, "furosemide", "low blood pressure", action="held"),
    make_fact("treatment", 3, "lisinopril", "a rising creatinine", action="decreased", dose="5 mg"),
    make_fact("history", 1, "orthopnea", "denied", polarity="denied"),
    make_fact("diagnosis", 1, "Urinary tract infection", "primary"),
    make_fact("allergy", 1, "penicillins", "rash", reaction="rash"),
    make_fact("discharge_medication", 1, "torsemide", "40 mg by mouth daily", dose="40 mg",
              route="by mouth", frequency="daily"),
    make_fact("home_medication", 1, "torsemide", "20 mg by mouth daily", dose="20 mg",
              route="by mouth", frequency="daily"),
    make_fact("medication_change", 1, "torsemide", "increased from 20 mg to 40 mg"),
    make_fact("course", 1, "acute kidney injury", "treated with intravenous fluids"),
    make_fact("follow_up", 1, "cardiology clinic", "in 2 weeks", when="in 2 weeks"),
    make_fact("medication_change", 2, "amlodipine", "held", change="held"),
]  # fmt: skip


def candidates(facts: list[Fact], unstated: Sequence[Fact] = ()):
    chart = make_chart(
        make_admission("1", "2150-06-01 10:00:00", "2150-06-05 10:00:00", facts, unstated=unstated)
    )
    patient = patient_stays(chart)
    return single_candidates(patient, patient.stays[0])


@pytest.mark.parametrize(
    ("family", "target", "answer", "turns"),
    [
        ("lab_result", "hemoglobin", "9.1", [2]),
        ("imaging_finding", "CT head without contrast", "no acute process", [3]),
        ("culture_result", "urine culture", "Escherichia coli", [4]),
        ("susceptibility", "ciprofloxacin against Escherichia coli", "resistant", [5]),
        ("event_date", "drainage of peritoneal cavity", "2150-06-03", [6]),
        ("event_day", "drainage of peritoneal cavity", "2 days", [1, 6]),
        ("event_day", "CT head without contrast", "1 day", [1, 3]),
        ("treatment_cause", "ceftriaxone", "urinary tract infection", [7]),
        ("symptom_report", "orthopnea", "denied", [10]),
        ("diagnosis_rank", "urinary tract infection", "primary", [11]),
        ("allergy_reaction", "penicillins", "rash", [12]),
    ],
)
def test_reasoning_answers(family: str, target: str, answer: str, turns: list[int]):
    found = [
        one
        for one in candidates(FACTS)[QuestionType.MEDICAL_REASONING]
        if one.family == family and one.slots.get("target") == target
    ]
    assert [one.answer for one in found] == [answer]
    assert [cite.turn for cite in found[0].cites] == turns


@pytest.mark.parametrize(
    ("family", "target", "answer", "turns"),
    [
        ("discharge_regimen", "torsemide", "40 mg by mouth daily", [13]),
        ("discharge_dose", "torsemide", "40 mg", [13]),
        ("discharge_frequency", "torsemide", "daily", [13]),
        ("home_regimen", "torsemide", "20 mg by mouth daily", [14]),
        ("home_dose", "torsemide", "20 mg", [14]),
        ("medication_change", "torsemide", "increased from 20 mg to 40 mg", [15]),
        ("medication_change", "amlodipine", "held", [18]),
        ("change_reason", "furosemide", "low blood pressure", [8]),
        ("changed_dose", "lisinopril", "5 mg", [9]),
        ("course_management", "acute kidney injury", "treated with intravenous fluids", [16]),
        ("follow_up", "cardiology clinic", "in 2 weeks", [17]),
    ],
)
def test_care_plan_answers(family: str, target: str, answer: str, turns: list[int]):
    found = [
        one
        for one in candidates(FACTS)[QuestionType.CARE_PLAN_RATIONALE]
        if one.family == family and one.slots.get("target") == target
    ]
    assert [one.answer for one in found] == [answer]
    assert [cite.turn for cite in found[0].cites] == turns


def test_order_of_two_events_cites_both_turns():
    found = {
        (one.family, one.slots["target"], one.slots["other"]): one
        for one in candidates(FACTS)[QuestionType.MEDICAL_REASONING]
        if "other" in one.slots
    }
    order = found[("event_order", "drainage of peritoneal cavity", "urine culture")]
    assert order.answer == "urine culture"
    assert sorted(cite.turn for cite in order.cites) == [4, 6]


def test_only_events_of_one_kind_have_an_interval_and_cite_both_turns():
    found = [
        one
        for one in candidates(
            [
                make_fact("procedure", 1, "Thoracentesis", "2150-06-03", date="2150-06-03"),
                make_fact("culture", 2, "urine culture", "no growth", date="2150-06-01"),
                make_fact("culture", 3, "stool culture", "no growth", date="2150-06-04"),
            ]
        )[QuestionType.MEDICAL_REASONING]
        if one.family == "event_interval"
    ]
    assert {(one.slots["target"], one.slots["other"]) for one in found} == {
        ("urine culture", "stool culture"),
        ("stool culture", "urine culture"),
    }
    assert {(one.answer, len(one.cites), one.vocabulary) for one in found} == {
        ("3 days", 2, "event_interval culture")
    }


def test_a_symptom_in_the_words_of_the_complaint_does_not_stand_beside_it():
    found = candidates(
        [
            make_fact("chief_complaint", 1, "chief complaint", "exertional chest pressure"),
            make_fact("history", 2, "chest pain", "reported"),
            make_fact("history", 3, "fever", "reported"),
        ]
    )[QuestionType.MEDICAL_REASONING]
    assert [one.slots["target"] for one in found if one.family == "complaint_with"] == ["fever"]


def test_two_answers_in_the_record_make_no_question():
    twice = [
        make_fact("culture", 1, "urine culture", "no growth", date="2150-06-01"),
        make_fact("culture", 2, "urine culture", "Escherichia coli", date="2150-06-03"),
    ]
    found = candidates(twice)[QuestionType.MEDICAL_REASONING]
    assert [one.family for one in found if one.family == "culture_result"] == []
    dated = {one.slots["date"]: one.answer for one in found if one.family == "culture_result_on"}
    assert dated == {"2150-06-01": "no growth", "2150-06-03": "Escherichia coli"}
    assert [one for one in found if one.family == "event_date"] == []


def test_an_unstated_fact_that_disagrees_makes_no_question():
    found = candidates(
        [make_fact("allergy", 1, "latex", "rash")],
        unstated=[make_fact("allergy", 2, "latex", "hives")],
    )[QuestionType.MEDICAL_REASONING]
    assert [one for one in found if one.family == "allergy_reaction"] == []


def test_values_that_only_say_that_the_fact_exists_are_not_asked_for():
    found = candidates(
        [
            make_fact("allergy", 1, "latex", "allergy"),
            make_fact("follow_up", 1, "cardiology clinic", "follow-up"),
        ]
    )
    families = {one.family for known in found.values() for one in known if not one.filler}
    assert families == set()


def test_a_stay_without_facts_is_left_with_fillers_alone():
    found = candidates([])
    assert all(one.filler for known in found.values() for one in known)
    answers = {one.family: one.answer for known in found.values() for one in known}
    assert answers == {"arrival_weekday": "Monday", "care_weekday": "Tuesday",
                       "stay_length": "4 days"}  # fmt: skip


def test_what_a_stay_with_the_same_dates_also_mentions_is_not_asked():
    lab = make_fact("lab", 1, "admission lactate", "2.1", point="admission", test="lactate")
    other = make_fact("lab", 1, "admission lactate", "4.0", point="admission", test="lactate")
    patient = patient_stays(
        make_chart(
            make_admission("1", "2150-06-01 02:00:00", "2150-06-01 08:00:00", [lab]),
            make_admission("2", "2150-06-01 12:00:00", "2150-06-01 18:00:00", [other]),
        )
    )
    found = single_candidates(patient, patient.stays[0])[QuestionType.MEDICAL_REASONING]
    assert [one for one in found if one.family == "lab_result"] == []


def test_a_course_is_asked_about_as_what_was_done_or_how_it_went_on():
    found = candidates(
        [
            make_fact("course", 1, "sepsis", "treated with supportive care"),
            make_fact("course", 2, "anemia", "improved after transfusion"),
        ]
    )[QuestionType.CARE_PLAN_RATIONALE]
    families = {one.family: one.slots["target"] for one in found if one.group == "problem"}
    assert families == {"course_management": "sepsis", "course_outcome": "anemia"}


def test_a_procedure_stands_for_the_plan_of_care_before_dates_and_lengths_do():
    procedure = make_fact("procedure", 1, "Thoracentesis", "2150-06-03", date="2150-06-03")
    found = candidates([procedure])[QuestionType.CARE_PLAN_RATIONALE]
    assert [(one.family, one.answer, dict(one.slots)) for one in found if one.fallback] == [
        ("procedure_performed", "Thoracentesis", {"date": "2150-06-03"})
    ]


def test_two_procedures_of_one_day_have_no_single_answer():
    twice = [
        make_fact("procedure", 1, "Thoracentesis", "2150-06-03", date="2150-06-03"),
        make_fact("procedure", 2, "Colonoscopy", "2150-06-03", date="2150-06-03"),
    ]
    found = candidates(twice)[QuestionType.CARE_PLAN_RATIONALE]
    assert [one for one in found if one.family == "procedure_performed"] == []
