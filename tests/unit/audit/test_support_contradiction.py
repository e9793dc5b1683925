"""Uncited turns that give another answer, and turns that answer another question."""

from __future__ import annotations

import pytest

from tasks.audit.support.questions import audit_questions
from tests.unit.audit.patients import FIRST_STAY, STAYS, THIRD_STAY, patient, question, session

DISCHARGE = "what dose of furosemide was prescribed at discharge?"
HOW_OFTEN = "In how many hospitalizations was an echocardiogram done?"
RANGE = (
    "In how many hospitalizations from that of 2150-03-01 through that of 2150-06-10 was an "
    "echocardiogram done?"
)
THIRD_ECHO = "D The echocardiogram on 2151-01-22 showed no change."

CONTRADICTED = [
    (FIRST_STAY + DISCHARGE, "40 mg", ("1:9",), 0, "D At discharge you take furosemide 80 mg."),
    (FIRST_STAY + DISCHARGE, "40 mg", ("1:9",), 0, "P When I leave I take furosemide 20 mg."),
    (FIRST_STAY + "what was hemoglobin?", "9.8", ("1:5",), 0, "D Your hemoglobin is 10.1."),
    (
        FIRST_STAY + "on which date was the echocardiogram done?",
        "2150-03-03",
        ("1:7",),
        0,
        "D The echocardiogram was repeated on 2150-03-04.",
    ),
    (
        FIRST_STAY + "why was ibuprofen stopped?",
        "the kidneys",
        ("1:6",),
        0,
        "D Ibuprofen was stopped because of bleeding.",
    ),
    (
        THIRD_STAY + "was cough reported or denied?",
        "reported",
        ("3:2",),
        2,
        "D And you denied cough.",
    ),
    (HOW_OFTEN, "2 hospitalizations", ("1:7", "2:3"), 2, THIRD_ECHO),
    ("When was the echocardiogram last done?", "2150-06-11", ("1:7", "2:3"), 2, THIRD_ECHO),
]
OTHER_QUESTIONS = [
    (
        FIRST_STAY + "what dose of furosemide was taken at home?",
        "20 mg",
        ("1:4",),
        0,
        "D At discharge you take furosemide 80 mg.",
    ),
    (
        FIRST_STAY + "what was hemoglobin on admission?",
        "9.8",
        ("1:5",),
        0,
        "D Your hemoglobin at discharge is 10.1.",
    ),
    (FIRST_STAY + DISCHARGE, "40 mg", ("1:9",), 0, "D At discharge you take enalapril 80 mg."),
    (FIRST_STAY + DISCHARGE, "40 mg", ("1:9",), 1, "D At discharge you take furosemide 80 mg."),
    (RANGE, "2 hospitalizations", ("1:7", "2:3"), 2, THIRD_ECHO),
    (HOW_OFTEN, "2 hospitalizations", ("1:7", "2:3"), 2, "D No echocardiogram was done."),
    (HOW_OFTEN, "2 hospitalizations", ("1:7", "2:3"), 2, "P Will I have an echocardiogram?"),
    (
        HOW_OFTEN,
        "2 hospitalizations",
        ("1:7", "2:3"),
        2,
        "D At your previous stay you had an echocardiogram.",
    ),
]


def contradicting(
    text: str, answer: str, cites: tuple[str, ...], stay: int, turn: str
) -> tuple[str, ...]:
    sessions = tuple(session(n, further=(turn,) if n == stay else ()) for n in range(len(STAYS)))
    found = audit_questions(patient(question(text, answer, *cites), sessions=sessions))[0]
    assert found.supported is True
    return found.contradicting_turns


@pytest.mark.parametrize(("text", "answer", "cites", "stay", "turn"), CONTRADICTED)
def test_another_answer_in_the_stays_asked_about_contradicts(
    text: str, answer: str, cites: tuple[str, ...], stay: int, turn: str
) -> None:
    hadm_id, _, _, turns = STAYS[stay]

    assert contradicting(text, answer, cites, stay, turn) == (f"{hadm_id}:{len(turns) + 1}",)


@pytest.mark.parametrize(("text", "answer", "cites", "stay", "turn"), OTHER_QUESTIONS)
def test_an_answer_to_another_question_does_not(
    text: str, answer: str, cites: tuple[str, ...], stay: int, turn: str
) -> None:
    assert contradicting(text, answer, cites, stay, turn) == ()


def test_a_later_stay_overtakes_what_is_asked_without_a_time() -> None:
    timeless = question("What is the dose of furosemide at discharge?", "40 mg", "1:9")
    timed = question(FIRST_STAY + DISCHARGE, "40 mg", "1:9")

    found = audit_questions(patient(timeless, timed))

    assert found[0].contradicting_turns == ("20000002:4", "20000003:5")
    assert found[1].contradicting_turns == ()
