import pytest

from tasks.contracts.questions import Question
from tasks.scoring.errors import error_kind
from tasks.scoring.timeline import TimelineIndex
from tests.unit.scoring.builders import patient, question, session

FIRST = session("1", ["Furosemide is 40 mg for your edema.", "Thank you.", "Heparin was held."])
SECOND = session(
    "2",
    [
        "Furosemide went up to 80 mg.",
        "My knee hurts.",
        "You walked 200 feet after physical therapy.",
        "I slept well.",
    ],
    day=30,
)
THIRD = session("3", ["The creatinine is 2.1 now.", "Vancomycin caused a rash."], day=60)
DOSE = question("q1", "What was the dose of furosemide?", "80 mg", [("2", 1)])


def kind(asked: Question, answer: str) -> str:
    return error_kind(asked, answer, TimelineIndex(patient([FIRST, SECOND, THIRD], [asked])))


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("the question is not answerable", "wrong_abstention"),
        ("Not documented in the record.", "wrong_abstention"),
        # 40 stands in an earlier turn that speaks of furosemide too.
        ("40 mg", "stale_value"),
        # 2.1 stands in an uncited later stay only.
        ("2.1 mg", "other_admission"),
        # 200 stands in the cited stay, beside something else.
        ("200 mg", "other"),
        ("75 mg", "unsupported"),
        ("40 mg, later 75 mg", "unsupported"),
        ("80 mg", "other"),
        ("dose of furosemide", "other"),
        ("", "other"),
        # Words without numbers: in an uncited stay, nowhere, partly somewhere.
        ("vancomycin rash", "other_admission"),
        ("tacrolimus", "unsupported"),
        ("knee hurts", "other"),
    ],
)
def test_a_wrong_answer_is_of_the_first_kind_that_fits(answer: str, expected: str):
    assert kind(DOSE, answer) == expected


def test_an_earlier_value_of_something_else_is_not_stale():
    asked = question("q1", "What was the creatinine?", "2.1", [("3", 1)])
    assert kind(asked, "40") == "other_admission"


def test_an_earlier_turn_of_the_cited_stay_can_be_stale():
    stay = session("1", ["Furosemide is 40 mg.", "Yes.", "Furosemide is 80 mg now."])
    asked = question("q1", "What was the last dose of furosemide?", "80 mg", [("1", 3)])
    timeline = TimelineIndex(patient([stay], [asked]))
    assert error_kind(asked, "40 mg", timeline) == "stale_value"


def test_a_later_value_is_not_stale():
    asked = question("q1", "What was the dose of furosemide at first?", "40 mg", [("1", 1)])
    assert kind(asked, "80 mg") == "other_admission"


def test_stays_stand_for_turns_where_a_release_cites_none():
    evidence = DOSE.evidence.model_copy(update={"turns": (), "turn_ids": None})
    asked = DOSE.model_copy(update={"evidence": evidence})
    assert kind(asked, "40 mg") == "stale_value"
    assert kind(asked, "2.1 mg") == "other_admission"


def test_the_day_of_a_turn_counts_among_its_words():
    asked = question("q1", "When was furosemide increased?", "2150-07-01", [("2", 1)])
    assert kind(asked, "2150-06-01") == "stale_value"
    assert kind(asked, "2150-07-31") == "other_admission"
    assert kind(asked, "2150-12-24") == "unsupported"
