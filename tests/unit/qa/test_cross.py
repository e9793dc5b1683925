"""Candidates across stays, worked out by hand. Turn 1 admits; turn 2 + i states facts[i]."""

from collections.abc import Iterable

import pytest

from tasks.contracts.questions import QuestionType
from tasks.contracts.records import Fact
from tasks.qa.candidates import Candidate
from tasks.qa.comparison import comparison_candidates
from tasks.qa.frequency import frequency_candidates
from tasks.qa.progression import progression_candidates
from tasks.qa.single import single_candidates
from tasks.qa.stays import PatientStays, patient_stays
from tests.factories.charts import make_admission, make_chart, make_fact

STARTS = ("2150-06-01", "2150-07-01", "2150-09-01", "2151-01-01")
ENDS = ("2150-06-04", "2150-07-02", "2150-09-09", "2151-01-06")


def patient(
    *stays: list[Fact], unstated: dict[int, list[Fact]] | None = None, notes: tuple[str, ...] = ()
) -> PatientStays:
    return patient_stays(
        make_chart(
            *(
                make_admission(
                    f"8000000{at}",
                    f"{STARTS[at]} 10:00:00",
                    f"{ENDS[at]} 15:00:00",
                    facts,
                    unstated=(unstated or {}).get(at, ()),
                    note=notes[at] if notes else "",
                )
                for at, facts in enumerate(stays)
            )
        )
    )


def of(family: str, candidates: Iterable[Candidate]) -> list[tuple[str, list[tuple[int, int]]]]:
    return [(one.answer, list(one.cites)) for one in candidates if one.family == family]


def lab(value: str) -> Fact:
    return make_fact("lab", 1, "admission lactate", value, point="admission", test="lactate")


def drug(dose: str, kind: str = "discharge_medication") -> Fact:
    return make_fact(kind, 1, "torsemide", f"{dose} by mouth daily", dose=dose, frequency="daily")


def home(dose: str) -> Fact:
    return drug(dose, "home_medication")


def other(fact: Fact) -> Fact:
    return fact.model_copy(update={"fact_id": f"{fact.fact_id}-2"})


def culture(day: str, result: str = "no growth") -> Fact:
    return make_fact("culture", 1, "urine culture", result, date=day)


def test_values_that_change_are_told_in_time_order():
    found = progression_candidates(patient([lab("2.1")], [lab("3.4")]))
    assert of("lab_result_trend", found) == [("2.1 to 3.4", [(0, 2), (1, 2)])]


def test_values_that_stay_the_same_make_no_trend():
    assert of("lab_result_trend", progression_candidates(patient([lab("2.1")], [lab("2.1")]))) == []


def test_the_two_stays_are_named_by_their_first_days():
    found = [
        one
        for one in progression_candidates(patient([lab("2.1")], [], [lab("3.4")]))
        if one.family == "lab_result_trend"
    ]
    assert dict(found[0].slots) == {
        "target": "lactate",
        "point": "on admission",
        "a": "2150-06-01",
        "b": "2150-09-01",
    }


def test_neighbouring_and_distant_stays_are_paired():
    found = progression_candidates(patient([lab("1.0")], [lab("2.0")], [lab("3.0")]))
    assert of("lab_result_trend", found) == [
        ("1.0 to 2.0", [(0, 2), (1, 2)]),
        ("2.0 to 3.0", [(1, 2), (2, 2)]),
        ("1.0 to 3.0", [(0, 2), (2, 2)]),
    ]


def test_a_dose_is_followed_from_discharge_to_the_next_home_list():
    found = progression_candidates(patient([drug("40 mg")], [drug("20 mg", "home_medication")]))
    assert of("handover_dose", found) == [("40 mg to 20 mg", [(0, 2), (1, 2)])]


def test_changes_that_hold_a_to_themselves_are_set_apart_by_a_semicolon():
    one = make_fact("medication_change", 1, "torsemide", "increased from 20 mg to 40 mg")
    other = make_fact("medication_change", 1, "torsemide", "stopped")
    found = progression_candidates(patient([one], [other]))
    assert of("medication_change_trend", found) == [
        ("increased from 20 mg to 40 mg; stopped", [(0, 2), (1, 2)])
    ]


def test_repeated_events_give_gap_and_first_and_last_date():
    found = list(
        progression_candidates(
            patient([culture("2150-06-02")], [], [culture("2150-09-05")], [culture("2151-01-01")])
        )
    )
    assert ("95 days", [(0, 2), (2, 2)]) in of("event_gap", found)
    assert ("2150-06-02 and 2151-01-01", [(0, 2), (3, 2)]) in of("first_last", found)


def test_first_and_last_are_not_asked_over_a_stay_that_hides_the_event():
    hidden = patient(
        [culture("2150-06-02")],
        [],
        [culture("2150-09-05")],
        unstated={1: [culture("2150-07-01")]},
    )
    assert of("first_last", progression_candidates(hidden)) == []


def test_the_earlier_of_two_events_in_different_stays():
    scan = make_fact("imaging", 1, "ct head", "no acute process", date="2150-09-02")
    found = progression_candidates(patient([culture("2150-06-02")], [], [scan]))
    assert of("event_sequence", found) == [("urine culture", [(0, 2), (2, 2)])]


def test_an_event_that_questions_name_in_other_words_is_no_option_to_choose():
    scan = make_fact("imaging", 1, "ct head w/o contrast", "no acute process", date="2150-09-02")
    found = progression_candidates(patient([culture("2150-06-02")], [], [scan]))
    assert of("event_sequence", found) == []


def test_higher_lower_and_difference_of_two_values():
    found = list(comparison_candidates(patient([lab("2.1")], [lab("3.45")])))
    assert of("lab_result_contrast", found) == [("2.1 versus 3.45", [(0, 2), (1, 2)])]
    assert of("lab_difference", found) == [("1.35", [(0, 2), (1, 2)])]
    chosen = {one.slots["direction"]: one.answer for one in found if one.family == "lab_higher"}
    assert chosen == {"higher": "2150-07-01", "lower": "2150-06-01"}


def test_doses_are_compared_in_one_unit_only():
    same = list(comparison_candidates(patient([drug("40 mg")], [drug("20 mg")])))
    assert of("dose_difference", same) == [("20", [(0, 2), (1, 2)])]
    other = list(comparison_candidates(patient([drug("40 mg")], [drug("1 g")])))
    assert of("dose_difference", other) == []
    assert of("discharge_dose_contrast", other) == [("40 mg versus 1 g", [(0, 2), (1, 2)])]


def test_values_that_are_not_numbers_have_no_difference():
    found = list(comparison_candidates(patient([lab("negative")], [lab("positive")])))
    assert of("lab_difference", found) == []
    assert of("lab_result_contrast", found) == [("negative versus positive", [(0, 2), (1, 2)])]


def test_a_count_equals_the_cited_stays_and_the_range_is_as_wide_as_it_can_be():
    found = [
        one
        for one in frequency_candidates(patient([], [drug("5 mg")], [drug("5 mg")], []))
        if one.family == "count_discharge_medication"
    ]
    assert [(one.answer, one.slots["a"], one.slots["b"], list(one.cites)) for one in found] == [
        ("2 hospitalizations", "2150-06-01", "2151-01-01", [(1, 2), (2, 2)]),
    ]
    assert [one.fallback for one in found] == [False]


def test_a_count_that_is_the_number_of_stays_in_the_range_comes_last():
    found = [
        one
        for one in frequency_candidates(patient([drug("5 mg")], [drug("5 mg")], [drug("5 mg")], []))
        if one.family == "count_discharge_medication"
    ]
    assert [(one.answer, one.slots["a"], one.slots["b"], one.guessable) for one in found] == [
        ("2 hospitalizations", "2150-06-01", "2150-07-01", True),
        ("2 hospitalizations", "2150-07-01", "2151-01-01", False),
        ("3 hospitalizations", "2150-06-01", "2151-01-01", False),
    ]


def test_no_count_runs_over_a_stay_whose_dialogue_leaves_the_target_out():
    found = frequency_candidates(
        patient([drug("5 mg")], [], [drug("5 mg")], unstated={1: [drug("5 mg")]})
    )
    assert of("count_discharge_medication", found) == []


@pytest.mark.parametrize("note", ["She took torsemide for years.", "Demadex was given."])
def test_no_count_runs_over_a_stay_whose_note_mentions_the_target(note: str):
    found = frequency_candidates(patient([drug("5 mg")], [], [drug("5 mg")], notes=("", note, "")))
    assert of("count_discharge_medication", found) == []


LISTED = "Discharge Medications:\n1. aspirin 81 mg daily\n\nDischarge Disposition:\nHome\n"


@pytest.mark.parametrize(
    ("note", "counts"),
    [
        (f"Torsemide was stopped.\n\n{LISTED}", ["2 hospitalizations"]),
        # What a list might name under another spelling closes the range, as does a list unread.
        (LISTED.replace("aspirin", "Demadex"), []),
        ("Torsemide was stopped.", []),
    ],
)
def test_a_stay_whose_list_lacks_the_drug_is_in_the_range_of_a_count(note: str, counts: list[str]):
    aspirin = make_fact("discharge_medication", 9, "aspirin", "81 mg daily", dose="81 mg")
    found = frequency_candidates(
        patient([drug("5 mg")], [aspirin], [drug("5 mg")], notes=("", note, ""))
    )
    asked = [one for one in found if one.family == "count_discharge_medication"]
    assert [one.answer for one in asked] == counts
    assert not any(one.guessable for one in asked)


def test_doses_of_both_lists_are_counted_together():
    found = frequency_candidates(
        patient(
            [home("5 mg"), other(drug("10 mg"))],
            [home("10 mg"), other(drug("20 mg"))],
        )
    )
    assert of("distinct_listed_doses", found) == [
        ("3 different doses", [(0, 2), (0, 3), (1, 3)]),
    ]


def test_different_doses_are_counted_once_each_at_their_first_stay():
    found = frequency_candidates(patient([drug("5 mg")], [drug("10 mg")], [drug("5 mg")]))
    assert of("distinct_discharge_doses", found) == [
        ("2 different doses", [(0, 2), (1, 2)]),
        ("2 different doses", [(1, 2), (2, 2)]),
        ("2 different doses", [(0, 2), (1, 2)]),
    ]


def test_stays_without_facts_leave_dates_and_lengths_to_ask_about():
    empty = patient([], [], [])
    progression = list(progression_candidates(empty))
    assert ("30 days", [(0, 1), (1, 1)]) in of("stay_gap", progression)
    assert ("27 days", [(0, 2), (1, 1)]) in of("discharge_gap", progression)
    assert ("2150-06-01 and 2150-09-01", [(0, 1), (2, 1)]) in of("stay_starts", progression)
    assert ("3 days to 1 day", [(0, 2), (1, 2)]) in of("stay_length_trend", progression)
    comparison = list(comparison_candidates(empty))
    assert ("Monday and Wednesday", [(0, 1), (1, 1)]) in of("stay_weekdays", comparison)
    assert ("2150-06-01", [(0, 2), (1, 2)]) in of("stay_longer", comparison)
    frequency = list(frequency_candidates(empty))
    assert ("3 hospitalizations", [(0, 1), (1, 1), (2, 1)]) in of("stay_count", frequency)
    assert all(one.filler for one in (*progression, *comparison, *frequency))


def test_stays_that_share_a_first_day_are_no_options_to_choose_from():
    def stay(number: int, hour: str, value: str):
        day = f"2150-06-01 {hour}:00:00"
        return make_admission(f"8000000{number}", day, "2150-06-04 10:00:00", [lab(value)])

    twins = patient_stays(make_chart(stay(1, "02", "2.1"), stay(2, "18", "3.4")))
    found = list(comparison_candidates(twins))
    assert of("lab_higher", found) == []
    assert of("stay_longer", found) == []
    assert of("lab_difference", found) == [("1.3", [(0, 2), (1, 2)])]


@pytest.mark.parametrize(("dose", "answer"), [("from 36 units to 30 units", "30 units")])
def test_a_changed_dose_is_the_one_arrived_at(dose: str, answer: str):
    treatment = make_fact(
        "treatment", 1, "dose of insulin", "hypoglycemia", action="reduced", dose=dose
    )
    one = patient([treatment], [])
    found = [
        (candidate.slots["target"], candidate.answer)
        for candidate in single_candidates(one, one.stays[0])[QuestionType.CARE_PLAN_RATIONALE]
        if candidate.family == "changed_dose"
    ]
    assert found == [("insulin", answer)]


@pytest.mark.parametrize(
    ("label", "asked"), [("Thoracentesis", ["31 days"]), ("Open and other right hemicolectomy", [])]
)
def test_what_is_done_once_in_a_life_is_not_asked_for_as_a_repeat(label: str, asked: list[str]):
    found = progression_candidates(
        patient(
            [make_fact("procedure", 1, label, "2150-06-01", date="2150-06-01")],
            [make_fact("procedure", 1, label, "2150-07-02", date="2150-07-02")],
        )
    )
    assert [one.answer for one in found if one.family == "event_gap"] == asked
