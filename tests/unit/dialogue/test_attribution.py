from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.contracts.clock import parse_time
from tasks.contracts.dialogue import SourcedLine
from tasks.contracts.records import AdmissionBundle, Fact, FactKind
from tasks.dialogue.attribution import attributed
from tasks.dialogue.rules import violations
from tasks.dialogue.tracing import trace_turns
from tests.factories.dialogues import line, reply
from tests.factories.records import bundle, fact, summary

HOME = fact()
DISCHARGE = fact(FactKind.DISCHARGE_MEDICATION)
CREATININE = fact(
    FactKind.LAB, "admission creatinine", "1.9", detail={"point": "admission", "test": "creatinine"}
)
CULTURE = fact(
    FactKind.CULTURE,
    "urine culture",
    "Escherichia coli",
    time=parse_time("2150-06-01 09:00:00"),
    detail={"reported": "2150-06-01 10:00:00"},
)
COMPLAINT = fact(FactKind.CHIEF_COMPLAINT, "chief complaint", "chest pain")
DESTINATION = fact(FactKind.DISPOSITION, "discharge destination", "home")
ADMITTED = fact(FactKind.STAY, "admission date", "2150-06-01")
LEFT = fact(FactKind.STAY, "discharge date", "2150-06-05", 2)
STAYED = fact(FactKind.STAY, "length of stay", "4 days", 3)


def stated(
    text: str,
    facts: Sequence[Fact],
    place: int = 1,
    minutes: float = 10,
    stay: AdmissionBundle | None = None,
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Sources and touches of a text that is said in one of ten turns."""
    turns = [line(number, "Well then.", minutes) for number in range(1, 11)]
    turns[place - 1] = line(place, text, minutes)
    made = attributed(turns, facts, stay or bundle())[place - 1]
    return made.sources, made.touches


def test_a_fact_said_in_full_is_a_source() -> None:
    text = "You take furosemide 40 mg by mouth daily."
    assert stated(text, [HOME]) == (("home_medication:1",), ())


def test_a_name_alone_is_touched() -> None:
    assert stated("About your furosemide.", [HOME]) == ((), ("home_medication:1",))


def test_a_question_states_nothing() -> None:
    assert stated("Do you take furosemide 40 mg by mouth daily?", [HOME]) == (
        (),
        ("home_medication:1",),
    )


def test_a_question_in_between_does_not_join_what_stands_around_it() -> None:
    assert stated("You take furosemide? 40 mg by mouth daily is the dose.", [HOME])[0] == ()


def test_the_same_words_are_a_list_of_the_beginning_or_of_the_end() -> None:
    text = "That is furosemide 40 mg by mouth daily."
    both = [HOME, DISCHARGE]
    assert stated(text, both, place=2) == (("home_medication:1",), ("discharge_medication:1",))
    assert stated(text, both, place=9) == (("discharge_medication:1",), ("home_medication:1",))


def test_a_name_that_two_facts_share_touches_neither() -> None:
    other = fact(FactKind.TREATMENT, "furosemide", "edema", detail={"action": "increased"})
    assert stated("About your furosemide.", [HOME, other]) == ((), ())


def test_a_result_counts_from_when_it_was_known() -> None:
    text = "Your urine culture grew Escherichia coli."
    assert stated(text, [CULTURE], minutes=59) == ((), ())
    assert stated(text, [CULTURE], minutes=60) == (("culture:1",), ())


def test_a_short_value_belongs_to_its_own_sentence() -> None:
    assert stated("Your creatinine on admission was 1.9.", [CREATININE])[0] == ("lab:1",)
    assert stated("Creatinine was high on admission. The lactate was 1.9.", [CREATININE])[0] == ()
    assert stated("Your creatinine on admission was 11.9.", [CREATININE])[0] == ()


@pytest.mark.parametrize(
    ("text", "place", "expected"),
    [
        ("I came because of chest pain.", 1, ("chief_complaint:1",)),
        ("I hope the chest pain stays away.", 8, ()),
        ("You were admitted on 2150-06-01.", 1, ("stay:1",)),
        ("The film of 2150-06-01 is fine.", 1, ()),
        ("You leave us on 2150-06-05 after 4 days in the hospital.", 10, ("stay:2", "stay:3")),
        ("Take it for 4 days.", 10, ()),
        ("You can go home today.", 10, ("disposition:1",)),
        ("I want to go home.", 2, ()),
        ("Who is at home with you.", 10, ()),
    ],
)
def test_what_a_form_holds_is_stated_only_where_it_is_said_of_the_stay(
    text: str, place: int, expected: tuple[str, ...]
) -> None:
    facts = [COMPLAINT, DESTINATION, ADMITTED, LEFT, STAYED]
    assert stated(text, facts, place=place) == (expected, ())


def test_a_problem_of_the_previous_stay_is_a_source() -> None:
    later = bundle(previous=summary(problems=("pneumonia", "gout")))
    assert stated("You had gout.", [], stay=later) == (("previous:1",), ())
    assert stated("Do you have gout?", [], stay=later) == ((), ())


def test_a_problem_that_this_stay_has_too_needs_a_look_back() -> None:
    later = bundle(previous=summary(problems=("gout",)))
    known = [fact(FactKind.PAST_CONDITION, "gout", "gout")]
    assert stated("You have gout.", known, stay=later)[0] == ("past_condition:1",)
    assert stated("Last time it was gout.", known, stay=later)[0] == (
        "past_condition:1",
        "previous:0",
    )


WORDS = [
    "furosemide", "40 mg by mouth daily", "admission", "creatinine", "1.9", "on", "grew",
    "urine culture", "Escherichia coli", "chest pain", "go home", "2150-06-01", "admitted",
    "Last time", "pneumonia", "w/", ".", "?", ". ", "? ", ", ", "and",
]  # fmt: skip
SAYINGS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=12).map(" ".join)


@given(st.lists(st.tuples(SAYINGS, st.integers(0, 200)), min_size=2, max_size=8))
def test_inferred_sources_break_no_rule_and_can_all_be_traced(said: list[tuple[str, int]]) -> None:
    stay = bundle(previous=summary(problems=("Pneumonia", "grew")))
    facts = [HOME, DISCHARGE, CREATININE, CULTURE, COMPLAINT, DESTINATION, ADMITTED, LEFT]
    lines: list[SourcedLine] = [
        line(number, text, minutes, "Doctor" if number % 2 else "Patient")
        for number, (text, minutes) in enumerate(said, start=1)
    ]
    made = attributed(lines, facts, stay)
    broken = violations(reply(*made), stay, facts)
    assert not [one for one in broken if one.public.startswith("sources")]
    assert not [one for one in broken if "before it was known" in one.public]
    traced = trace_turns(made, facts, stay)
    named = {(one.turn_number, fact_id) for one in made for fact_id in (*one.sources, *one.touches)}
    assert named == {(turn.turn_number, one.fact_id) for turn in traced.turns for one in turn.items}
