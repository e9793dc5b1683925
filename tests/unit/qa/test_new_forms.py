"""Forms beyond lookup on hand-made charts. Turn 1 admits; turn 2 + i states facts[i]."""

from collections.abc import Iterable, Sequence
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.contracts.questions import QuestionType
from tasks.contracts.records import Fact
from tasks.qa.candidates import Candidate, was_or_were
from tasks.qa.comparison import comparison_candidates
from tasks.qa.courses import from_to
from tasks.qa.frequency import frequency_candidates
from tasks.qa.progression import progression_candidates
from tasks.qa.quantities import movement
from tasks.qa.single import single_candidates
from tasks.qa.stays import PatientStays, patient_stays
from tasks.qa.thresholds import round_between
from tests.factories.charts import make_admission, make_chart, make_fact

DAYS = (("2150-06-01", "2150-06-04"), ("2150-07-01", "2150-07-02"),
        ("2150-09-01", "2150-09-09"), ("2151-01-01", "2151-01-06"))  # fmt: skip

Found = tuple[str, list[tuple[int, int]]]


def patient(*stays: Sequence[Fact]) -> PatientStays:
    return patient_stays(
        make_chart(
            *(
                make_admission(f"8000000{at}", f"{first} 10:00:00", f"{last} 15:00:00", facts)
                for at, (facts, (first, last)) in enumerate(zip(stays, DAYS, strict=False))
            )
        )
    )


def reasoning(*facts: Fact) -> tuple[Candidate, ...]:
    one = patient(facts, [])
    return single_candidates(one, one.stays[0])[QuestionType.MEDICAL_REASONING]


def care(*facts: Fact) -> tuple[Candidate, ...]:
    one = patient(facts, [])
    return single_candidates(one, one.stays[0])[QuestionType.CARE_PLAN_RATIONALE]


def of(family: str, candidates: Iterable[Candidate]) -> list[Found]:
    return [
        (one.answer, [(cite.stay, cite.turn) for cite in one.cites])
        for one in candidates
        if one.family == family
    ]


def slots(family: str, candidates: Iterable[Candidate], *names: str) -> list[tuple[str, ...]]:
    return [tuple(one.slots[name] for name in names) for one in candidates if one.family == family]


def lab(value: str, test: str = "lactate", point: str = "admission", number: int = 1) -> Fact:
    return make_fact("lab", number, f"{point} {test}", value, point=point, test=test)


def home(drug: str, dose: str, number: int = 1) -> Fact:
    return make_fact("home_medication", number, drug, f"{dose} daily", dose=dose)


def discharge(drug: str, dose: str, number: int = 1) -> Fact:
    return make_fact("discharge_medication", number, drug, f"{dose} daily", dose=dose)


def treated(drug: str, action: str, reason: str, number: int = 1) -> Fact:
    return make_fact("treatment", number, drug, reason, action=action)


def diagnosed(title: str, rank: str, number: int = 1) -> Fact:
    return make_fact("diagnosis", number, title, rank)


def test_a_reason_leads_to_its_treatment():
    found = reasoning(treated("furosemide", "started", "leg edema"))
    assert of("treatment_for", found) == [("furosemide", [(0, 2)])]
    assert slots("treatment_for", found, "target", "action") == [("leg edema", "started")]


@pytest.mark.parametrize("other", ["leg edema", "persistent leg edema"])
def test_a_reason_for_two_treatments_leads_to_none(other: str):
    found = reasoning(
        treated("furosemide", "started", "leg edema"), treated("torsemide", "given", other, 2)
    )
    assert "furosemide" not in [answer for answer, _ in of("treatment_for", found)]


@pytest.mark.parametrize("measure", ["anticoagulation", "oral intake", "telemetry monitoring"])
def test_what_is_no_drug_is_not_asked_for_as_a_medicine(measure: str):
    found = care(treated(measure, "held", "active bleeding"))
    assert of("changed_for", found) == []
    assert of("measure_changed_for", found) == [(measure, [(0, 2)])]


def test_a_reason_leads_to_the_dose_of_the_drug_it_changed():
    found = care(
        treated("furosemide", "increased", "leg edema"),
        home("furosemide", "20 mg"),
        discharge("furosemide", "40 mg"),
    )
    assert of("changed_for", found) == [("furosemide", [(0, 2)])]
    assert of("hop_home_dose", found) == [("20 mg", [(0, 2), (0, 3)])]
    assert of("hop_discharge_dose", found) == [("40 mg", [(0, 2), (0, 4)])]


def test_a_drug_treated_alone_and_together_for_two_reasons_is_not_asked_about():
    found = care(
        treated("vancomycin", "held", "rash"),
        treated("vancomycin and cefepime", "held", "kidney injury", 2),
    )
    assert of("change_reason", found) == []


def test_doses_and_values_are_followed_through_the_stay():
    found = care(home("furosemide", "20 mg"), discharge("furosemide", "60 mg"))
    assert of("dose_course", found) == [("20 mg to 60 mg", [(0, 2), (0, 3)])]
    assert of("dose_shift", found) == [("40", [(0, 2), (0, 3)])]
    assert slots("dose_shift", found, "verb", "unit") == [("raised", "mg")]
    values = reasoning(lab("9.1"), lab("8.7", point="discharge", number=2))
    assert of("lab_course", values) == [("9.1 to 8.7", [(0, 2), (0, 3)])]
    assert of("lab_shift", values) == [("0.4", [(0, 2), (0, 3)])]
    assert slots("lab_shift", values, "verb") == [("fall",)]


def test_no_number_of_tablets_and_no_difference_that_is_one_of_the_doses_is_asked_for():
    assert of("dose_shift", care(home("x", "1 tab"), discharge("x", "3 tab"))) == []
    assert of("dose_shift", care(home("x", "20 mg"), discharge("x", "40 mg"))) == []


def event(kind: str, number: int, label: str, day: str) -> Fact:
    return make_fact(kind, number, label, day if kind == "procedure" else "clear", date=day)


def test_what_came_next_is_the_one_event_of_the_next_dated_day():
    one = event("procedure", 1, "colonoscopy", "2150-06-01")
    two = event("culture", 1, "urine culture", "2150-06-02")
    three = event("imaging", 1, "head scan", "2150-06-03")
    assert of("event_next", reasoning(one, two, three)) == [
        ("urine culture", [(0, 2), (0, 3)]),
        ("head scan", [(0, 3), (0, 4)]),
    ]
    same_day = event("imaging", 2, "chest film", "2150-06-02")
    assert of("event_next", reasoning(one, two, same_day)) == []


def history(label: str, value: str, number: int) -> Fact:
    polarity = {"reported": "present", "denied": "denied"}[value]
    return make_fact("history", number, label, value, polarity=polarity)


def test_the_rest_of_a_closed_group_is_asked_for():
    found = reasoning(
        history("cough", "reported", 1), history("fever", "reported", 2),
        history("chills", "denied", 3), history("rash", "denied", 4),
        history("syncope", "denied", 5),
    )  # fmt: skip
    known = dict(zip(slots("symptom_companion", found, "target", "state"),
                     of("symptom_companion", found), strict=True))  # fmt: skip
    assert known["cough", "reported"] == ("fever", [(0, 2), (0, 3)])
    assert known["rash", "denied"] == ("chills and syncope", [(0, 4), (0, 5), (0, 6)])


def test_the_rest_of_a_group_is_named_in_the_order_in_which_it_is_told():
    found = care(change("aspirin", "new", 3), change("digoxin", "new", 2), change("zinc", "new", 1))
    besides = dict(zip(slots("change_companion", found, "target"), of("change_companion", found),
                       strict=True))  # fmt: skip
    assert besides["zinc",] == ("aspirin and digoxin", [(0, 2), (0, 3), (0, 4)])
    one = make_admission(
        "80000000", "2150-06-01 10:00:00", "2150-06-04 10:00:00",
        [change("zinc", "new", 1), change("aspirin", "new", 3), change("digoxin", "new", 2)],
    )  # fmt: skip
    reordered = one.model_copy(update={"facts": (*one.facts[:3], *one.facts[:2:-1])})
    two = make_admission("80000001", "2150-07-01 10:00:00", "2150-07-04 10:00:00")
    stays = patient_stays(make_chart(reordered, two))
    again = single_candidates(stays, stays.stays[0])[QuestionType.CARE_PLAN_RATIONALE]
    assert "aspirin and digoxin" in [answer for answer, _ in of("change_companion", again)]


def test_a_group_that_the_dialogue_leaves_open_is_not_asked_about():
    one = make_admission(
        "80000000", "2150-06-01 10:00:00", "2150-06-04 10:00:00",
        [history("cough", "reported", 1), history("fever", "reported", 2)],
        unstated=[history("rash", "reported", 3)],
    )  # fmt: skip
    two = make_admission("80000001", "2150-07-01 10:00:00", "2150-07-04 10:00:00")
    stays = patient_stays(make_chart(one, two))
    found = single_candidates(stays, stays.stays[0])[QuestionType.MEDICAL_REASONING]
    assert of("symptom_companion", found) == []


def change(drug: str, kind: str, number: int) -> Fact:
    return make_fact("medication_change", number, drug, kind, change=kind)


def test_drugs_changed_alike_and_visits_ask_for_one_another():
    found = care(
        change("aspirin", "stopped", 1), change("digoxin", "stopped", 2),
        make_fact("follow_up", 1, "cardiology clinic", "in two weeks"),
        make_fact("follow_up", 2, "repeat creatinine", "in one week"),
    )  # fmt: skip
    assert of("change_companion", found) == [
        ("digoxin", [(0, 2), (0, 3)]), ("aspirin", [(0, 2), (0, 3)])
    ]  # fmt: skip
    assert of("visit_companion", found)[0] == ("repeat creatinine", [(0, 4), (0, 5)])


def test_a_secondary_diagnosis_leads_to_the_primary_one():
    found = reasoning(diagnosed("pneumonia", "primary"), diagnosed("gout", "secondary", 2))
    assert of("primary_beside", found) == [("pneumonia", [(0, 2), (0, 3)])]


def test_a_complaint_is_asked_for_beside_another_symptom():
    found = reasoning(
        make_fact("chief_complaint", 1, "chief complaint", "chest pain"),
        history("nausea", "reported", 1),
        history("chest pain", "reported", 2),
    )
    assert of("complaint_with", found) == [("chest pain", [(0, 2), (0, 3)])]
    assert slots("complaint_with", found, "target") == [("nausea",)]


def test_values_of_three_stays_have_a_path_a_direction_and_extremes():
    one = patient([lab("9.1")], [lab("10.4")], [lab("8.7")])
    cites = [(0, 2), (1, 2), (2, 2)]
    progression = list(progression_candidates(one))
    assert of("lab_path", progression) == [("9.1, 10.4, 8.7", cites)]
    assert of("lab_direction", progression) == [("rose, then fell", cites)]
    comparison = list(comparison_candidates(one))
    assert of("lab_extreme", comparison) == [("10.4", cites), ("8.7", cites)]
    assert of("lab_extreme_stay", comparison) == [("2150-07-01", cites), ("2150-09-01", cites)]


def test_a_highest_value_that_two_stays_share_names_none():
    comparison = list(comparison_candidates(patient([lab("9.1")], [lab("9.1")], [lab("8.7")])))
    assert of("lab_extreme_stay", comparison) == [("2150-09-01", [(0, 2), (1, 2), (2, 2)])]


def test_what_was_done_differs_only_where_the_words_mean_different_things():
    def in_which(first: str, second: str) -> list[Found]:
        one = patient([treated("lisinopril", first, "cough")],
                      [treated("lisinopril", second, "cough")])  # fmt: skip
        return of("action_stay", comparison_candidates(one))

    assert in_which("held", "increased") == [
        ("2150-06-01", [(0, 2), (1, 2)]), ("2150-07-01", [(0, 2), (1, 2)])
    ]  # fmt: skip
    assert in_which("decreased", "reduced") == []
    assert in_which("stopped", "discontinued") == []


def test_a_stay_is_named_by_its_own_primary_diagnosis():
    came = [
        make_fact("chief_complaint", 1, "chief complaint", said) for said in ("cough", "melena")
    ]
    one = patient(
        [diagnosed("pneumonia", "primary"), came[0], lab("9.1")],
        [diagnosed("gastric ulcer", "primary"), came[1], lab("7.2")],
    )
    progression = list(progression_candidates(one))
    assert of("neighbour_diagnosis", progression) == [
        ("gastric ulcer", [(0, 2), (1, 2)]), ("pneumonia", [(0, 2), (1, 2)])
    ]  # fmt: skip
    assert slots("neighbour_diagnosis", progression, "target", "which") == [
        ("pneumonia", "right after"), ("gastric ulcer", "right before")
    ]  # fmt: skip
    assert of("neighbour_complaint", progression)[0] == ("melena", [(0, 2), (1, 3)])
    assert of("lab_since", progression) == [("9.1 to 7.2", [(0, 2), (0, 4), (1, 4)])]
    comparison = list(comparison_candidates(one))
    assert ("2 days", [(0, 2), (0, 5), (1, 5)]) in of("length_by_problem", comparison)


def test_a_primary_diagnosis_that_another_stay_has_too_names_no_stay():
    one = patient(
        [diagnosed("acute kidney failure", "primary")],
        [diagnosed("acute kidney failure, unspecified", "primary")],
    )
    assert of("neighbour_diagnosis", progression_candidates(one)) == []


def test_a_decision_is_followed_to_the_very_next_stay():
    decided = treated("lisinopril", "increased", "hypertension")
    next_one = patient([decided], [home("lisinopril", "40 mg")])
    assert of("aftermath_dose", progression_candidates(next_one)) == [("40 mg", [(0, 2), (1, 2)])]
    later = patient([decided], [], [home("lisinopril", "40 mg")])
    assert of("aftermath_dose", progression_candidates(later)) == []


def test_values_beyond_a_round_number_are_counted():
    one = patient([lab("9.1")], [lab("12.4")], [lab("8.7")], [lab("13.9")])
    found = [one for one in frequency_candidates(one) if one.family == "count_threshold"]
    whole = [
        (one.slots["side"], one.slots["bound"], one.answer, [cite.stay for cite in one.cites])
        for one in found
        if (one.slots["a"], one.slots["b"]) == ("2150-06-01", "2151-01-01")
    ]
    assert whole == [
        ("above", "10", "2 hospitalizations", [1, 3]),
        ("below", "10", "2 hospitalizations", [0, 2]),
        ("above", "9", "3 hospitalizations", [0, 1, 3]),
        ("below", "13", "3 hospitalizations", [0, 1, 2]),
    ]


def test_a_symptom_denied_in_between_does_not_close_a_range():
    one = patient(
        [history("cough", "reported", 1)], [history("cough", "denied", 1)],
        [history("cough", "reported", 1)],
    )  # fmt: skip
    found = [one for one in frequency_candidates(one) if one.family == "count_symptom"]
    assert [(one.answer, [cite.stay for cite in one.cites], one.plain) for one in found] == [
        ("2 hospitalizations", [0, 2], False)
    ]


@pytest.mark.parametrize(
    ("earlier", "later", "expected"),
    [("20 mg", "40 mg", "20 mg to 40 mg"), ("no growth", "Proteus", "no growth; Proteus"),
     ("5 to 10 mg", "20 mg", "5 to 10 mg; 20 mg")],
)  # fmt: skip
def test_figures_are_joined_by_to_and_words_by_a_semicolon(earlier: str, later: str, expected: str):
    assert from_to(earlier, later) == expected


@pytest.mark.parametrize(
    ("target", "verb"),
    [("furosemide", "was"), ("compression stockings", "were"), ("cefepime and vancomycin", "were"),
     ("calcium gluconate", "was"), ("sepsis", "was"), ("tiotropium plus", "was"),
     ("cefepime against Proteus and others", "were")],
)  # fmt: skip
def test_the_verb_agrees_with_the_target(target: str, verb: str):
    assert was_or_were(target) == verb


@given(st.decimals(0, 1000, places=2), st.decimals(0, 1000, places=2))
def test_a_round_bound_lies_strictly_between(one: Decimal, other: Decimal):
    lower, upper = sorted((one, other))
    bound = round_between(lower, upper)
    if bound is None:
        assert upper - lower <= Decimal("0.2")
    else:
        assert lower < bound < upper


@given(st.lists(st.integers(-50, 50), min_size=2, max_size=6))
def test_a_mirrored_path_moves_the_other_way(numbers: list[int]):
    swapped = {"rose": "fell", "fell": "rose", "stayed the same": "stayed the same"}
    moves = movement([Decimal(one) for one in numbers]).split(", then ")
    mirrored = movement([Decimal(-one) for one in numbers]).split(", then ")
    assert len(moves) == len(numbers) - 1
    assert [swapped[move] for move in moves] == mirrored


def test_events_with_an_and_of_their_own_are_not_asked_about_in_pairs():
    one = event("procedure", 1, "open and other hemicolectomy", "2150-06-01")
    two = event("culture", 1, "urine culture", "2150-06-02")
    found = reasoning(one, two)
    assert of("event_interval", found) == of("event_order", found) == []
    assert of("event_day", found) == [("1 day", [(0, 1), (0, 3)])]
