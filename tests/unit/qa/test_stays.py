from tasks.qa.stays import Cite, patient_stays
from tests.factories.charts import make_admission, make_chart, make_fact


def test_single_questions_open_with_both_dates_or_with_one():
    patient = patient_stays(
        make_chart(
            make_admission("1", "2150-06-01 10:00:00", "2150-06-04 10:00:00"),
            make_admission("2", "2150-07-01 10:00:00", "2150-07-01 20:00:00"),
        )
    )
    assert [stay.prefix for stay in patient.stays] == [
        "During the hospitalization from 2150-06-01 to 2150-06-04, ",
        "During the hospitalization on 2150-07-01, ",
    ]


def test_stays_that_begin_on_one_day_are_named_with_their_time():
    patient = patient_stays(
        make_chart(
            make_admission("1", "2150-06-01 02:00:00", "2150-06-01 10:00:00"),
            make_admission("2", "2150-06-01 18:30:00", "2150-06-04 10:00:00"),
            make_admission("3", "2150-08-01 18:30:00", "2150-08-04 10:00:00"),
        )
    )
    assert [stay.name for stay in patient.stays] == [
        "2150-06-01 at 02:00:00",
        "2150-06-01 at 18:30:00",
        "2150-08-01",
    ]


def test_only_facts_that_a_turn_lists_and_really_says_are_stated():
    said = make_fact("allergy", 1, "penicillins", "rash")
    claimed = make_fact("allergy", 2, "latex", "hives")
    admission = make_admission("1", "2150-06-01 10:00:00", "2150-06-04 10:00:00", [said])
    lines = list(admission.lines)
    lines[1] = lines[1].model_copy(update={"sources": (said.fact_id, claimed.fact_id)})
    admission = admission.model_copy(
        update={"facts": (*admission.facts, claimed), "lines": tuple(lines)}
    )
    stay = patient_stays(make_chart(admission)).stays[0]
    assert [one.fact.label for one in stay.statements if one.fact.kind == "allergy"] == [
        "penicillins"
    ]
    assert [one.cite for one in stay.statements if one.fact.kind == "allergy"] == [Cite(0, 2)]


def test_a_dated_event_whose_turn_shows_another_day_is_not_stated():
    culture = make_fact("culture", 1, "urine culture", "no growth", date="2150-06-02")
    admission = make_admission("1", "2150-06-01 10:00:00", "2150-06-09 10:00:00", [culture])
    lines = list(admission.lines)
    lines[1] = lines[1].model_copy(update={"text": "The urine culture showed no growth."})
    silent = admission.model_copy(update={"lines": tuple(lines)})
    kinds = [one.fact.kind for one in patient_stays(make_chart(admission)).stays[0].statements]
    assert "culture" in kinds
    kinds = [one.fact.kind for one in patient_stays(make_chart(silent)).stays[0].statements]
    assert "culture" not in kinds


def test_evidence_is_sorted_unique_and_in_time_order():
    patient = patient_stays(
        make_chart(
            make_admission("9", "2150-06-01 10:00:00", "2150-06-04 10:00:00"),
            make_admission("1", "2150-07-01 10:00:00", "2150-07-04 10:00:00"),
        )
    )
    evidence = patient.evidence((Cite(1, 2), Cite(0, 2), Cite(1, 2)), "cross_admission")
    assert evidence.admissions == ("9", "1")
    assert [(turn.hadm_id, turn.turn_number) for turn in evidence.turns] == [("9", 2), ("1", 2)]
    assert evidence.turn_ids is None
