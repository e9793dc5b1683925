from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.contracts.clock import parse_time
from tasks.contracts.dialogue import ConversationLine
from tasks.gates.tables.evidence import Support, judge_support

FULL = Support(unsupported_words=0, superfluous_turns=0)


def line(text: str, time: str = "2150-06-01 10:00:00", number: int = 1) -> ConversationLine:
    return ConversationLine(turn_number=number, time=parse_time(time), speaker="Doctor", text=text)


DOSE = line("Furosemide was increased to 80 mg because of volume overload.")
LATER_DOSE = line("Furosemide was increased to 120 mg.", "2150-09-01 10:00:00", 3)
CREATININE = line("The creatinine is 1.9 today.", "2150-06-02 08:00:00", 4)
LATER_CREATININE = line("The creatinine is 1.4 today.", "2150-09-02 08:00:00", 5)
LAST_CREATININE = line("The creatinine is 1.2 today.", "2150-12-02 08:00:00", 7)
DATED = line("The culture of 2150-06-03 grew nothing.", "2150-06-05 08:00:00", 6)


@pytest.mark.parametrize(
    ("question", "answer", "cited"),
    [
        ("why was furosemide increased?", "volume overload", [DOSE]),
        ("why was furosemide increased?", "Volume overload.", [DOSE]),
        ("What was first given?", "80 mg to 120 mg", [DOSE, LATER_DOSE]),
        ("How do they compare?", "1.9 versus 1.4", [CREATININE, LATER_CREATININE]),
        ("On which days?", "2150-06-02 and 2150-09-02", [CREATININE, LATER_CREATININE]),
        ("How often was furosemide increased?", "2 hospitalizations", [DOSE, LATER_DOSE]),
        ("How many doses?", "2 different doses", [DOSE, LATER_DOSE]),
        ("How many days passed?", "92 days", [CREATININE, LATER_CREATININE]),
        ("How many days after 2150-06-01 was the culture?", "2 days", [DATED]),
        ("Which came first, the creatinine or the culture?", "creatinine", [CREATININE, DATED]),
        ("By how much did it fall?", "0.5", [CREATININE, LATER_CREATININE]),
        ("On which weekdays?", "Tuesday and Wednesday", [CREATININE, LATER_CREATININE]),
        (
            "Which stay had the higher creatinine, 2150-06-01 or 2150-09-01?",
            "2150-06-01",
            [CREATININE, LATER_CREATININE],
        ),
        ("Why was more furosemide needed?", "overload of volume", [DOSE]),
        ("What was the highest creatinine?", "1.9", [CREATININE, LATER_CREATININE]),
        ("In which direction did the creatinine move?", "fell", [CREATININE, LATER_CREATININE]),
        (
            "Which of 2150-06-01, 2150-09-01 and 2150-12-01 had the lowest creatinine?",
            "2150-12-01",
            [CREATININE, LATER_CREATININE, LAST_CREATININE],
        ),
        (
            "How did the creatinine run?",
            "1.9, 1.4, 1.2",
            [CREATININE, LATER_CREATININE, LAST_CREATININE],
        ),
        (
            "How much longer was the stay with the culture?",
            "4 days",
            [DATED, line("You were here 5 days."), line("You were here 1 day.")],
        ),
        (
            "How did the creatinine change since the culture?",
            "1.9 to 1.4",
            [CREATININE, DATED, LATER_CREATININE],
        ),
        (
            "At what dose was the drug that was increased because of volume overload taken?",
            "20 mg",
            [DOSE, line("Before this you took 20 mg.", number=9)],
        ),
    ],
)
def test_an_answer_that_follows_is_supported_and_needs_every_turn(
    question: str, answer: str, cited: list[ConversationLine]
) -> None:
    assert judge_support(question, answer, cited) == FULL


@pytest.mark.parametrize(
    ("answer", "cited", "unsupported"),
    [
        ("pulmonary edema", [DOSE], 2),
        ("volume depletion", [DOSE], 1),
        ("2 hospitalizations", [DOSE], 2),
        ("3 hospitalizations", [DOSE, LATER_DOSE], 2),
        ("93 days", [CREATININE, LATER_CREATININE], 2),
        ("0.6", [CREATININE, LATER_CREATININE], 1),
        ("Monday and Wednesday", [CREATININE, LATER_CREATININE], 2),
        ("volume overload", [], 2),
        ("20 mg", [line("Take 120 mg daily.")], 1),
        ("5 mg", [line("Take 2.5 mg daily.")], 1),
        ("2 times", [line("Come back in 2 weeks.")], 2),
        ("120 mg to 80 mg", [DOSE, LATER_DOSE], 5),
        ("by the", [DOSE], 2),
        ("rose", [CREATININE, LATER_CREATININE], 1),
        ("1.4, 1.9, 1.2", [CREATININE, LATER_CREATININE, LAST_CREATININE], 0),
    ],
)
def test_an_answer_that_does_not_follow_is_counted_in_words(
    answer: str, cited: list[ConversationLine], unsupported: int
) -> None:
    assert judge_support("What was it?", answer, cited).unsupported_words == unsupported


@pytest.mark.parametrize(
    ("question", "answer", "cited"),
    [
        ("why was furosemide increased?", "volume overload", [DOSE, CREATININE]),
        ("What was given?", "80 mg to 120 mg", [DOSE, LATER_DOSE, CREATININE]),
        ("How many days passed?", "92 days", [CREATININE, DATED, LATER_CREATININE]),
        (
            "during 2150-06-05, how was syncope, reported or denied?",
            "denied",
            [line("You denied syncope."), DATED],
        ),
    ],
)
def test_a_turn_that_could_be_left_out_is_counted(
    question: str, answer: str, cited: list[ConversationLine]
) -> None:
    assert judge_support(question, answer, cited).superfluous_turns == 1


def test_a_turn_that_names_what_is_asked_about_is_needed() -> None:
    reason = line("The reason was a dry cough.", number=8)
    stop = line("We stopped lisinopril.", number=7)
    assert judge_support("why was lisinopril stopped?", "a dry cough", [stop, reason]) == FULL


def test_an_impossible_date_is_no_date() -> None:
    odd = line("The form said 2150-13-45.")
    assert judge_support("How many days after 2150-02-30?", "3 days", [odd]).unsupported_words == 2


@given(st.text(max_size=60), st.text(min_size=1, max_size=30), st.lists(st.text(min_size=1)))
def test_any_text_is_judged_within_bounds(question: str, answer: str, texts: list[str]) -> None:
    cited = [line(text, number=n) for n, text in enumerate(texts, start=1)]
    support = judge_support(question, answer, cited)
    assert 0 <= support.superfluous_turns <= max(0, len(cited) - 1)
    assert support.unsupported_words >= 0


def test_one_of_two_things_may_be_named_in_the_other_ones_turn() -> None:
    film = line("The knee film after the total knee replacement was unchanged.")
    operation = line("The total knee replacement took place.", number=9)
    question = "Of the knee film and the total knee replacement, which came earlier?"
    assert judge_support(question, "knee film", [film, operation]).superfluous_turns == 0
