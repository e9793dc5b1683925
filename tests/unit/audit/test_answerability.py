"""Adversarial questions that nothing answers, and ones that the timeline or record answers."""

from __future__ import annotations

import pytest

from tasks.audit.support.questions import audit_questions
from tasks.contracts.questions import ABSTENTION
from tests.factories.records import bundle, discharge_note
from tests.unit.audit.patients import (
    FIRST_STAY,
    SECOND_STAY,
    STAYS,
    patient,
    question,
    session,
)


def answered(text: str, *cites: str, note: str = "") -> tuple[str, ...]:
    record = bundle([discharge_note(text=note)]) if note else None
    sessions = tuple(session(n, bundle=record if n == 1 else None) for n in range(len(STAYS)))
    one = question(text, ABSTENTION, *cites)
    return audit_questions(patient(one, sessions=sessions))[0].answered


@pytest.mark.parametrize(
    "text",
    [
        FIRST_STAY + "what dose of Lipitor was prescribed at discharge?",
        FIRST_STAY + "why was warfarin started?",
        SECOND_STAY + "why was warfarin started?",
        "When was the colonoscopy done in the stays of 2150-03-01 and 2150-06-10?",
        "When was the EKG first done?",
        "Which came first, the echocardiogram or the colonoscopy?",
        "By how much was furosemide decreased?",
        "On which date did the third following hospitalization after that of 2150-03-01 begin?",
    ],
)
def test_what_is_absent_is_not_answered(text: str) -> None:
    assert answered(text, "1:9", "2:4") == ()


@pytest.mark.parametrize(
    ("text", "places"),
    [
        (FIRST_STAY + "what dose of Zoloft was prescribed at discharge?", ("20000001:9",)),
        (
            FIRST_STAY + "what dose of Lasix was prescribed at discharge?",
            ("20000001:4", "20000001:6", "20000001:9"),
        ),
        ("Why was Coumadin started?", ("20000003:5",)),
        ("When was the TTE first done?", ("20000001:7", "20000002:3")),
        (
            "On which date did the second following hospitalization after that of 2150-03-01 "
            "begin?",
            ("20000003:record",),
        ),
    ],
)
def test_other_names_of_what_is_told_are_found(text: str, places: tuple[str, ...]) -> None:
    assert answered(text, "1:9", "2:4") == places


def test_two_events_that_are_told_apart_are_in_an_order() -> None:
    found = answered("Which came first, the echocardiogram or the blood culture?", "1:9", "3:4")

    assert found == ("20000001:7", "20000002:3", "20000003:3")


@pytest.mark.parametrize(
    ("text", "note", "found"),
    [
        ("When was the colonoscopy done?", "Procedures:\nColonoscopy in May.\n", True),
        ("When was the EGD done?", "Procedures:\nUpper endoscopy in May.\n", True),
        ("When was the colonoscopy done?", "Procedures:\nSigmoidoscopy in May.\n", False),
        (
            "What was the dose of nadolol at discharge?",
            "Medications on Admission:\n1. Nadolol 20 mg daily\n",
            False,
        ),
        (
            "What was the dose of nadolol at discharge?",
            "Discharge Medications:\n1. Nadolol 20 mg daily\n",
            True,
        ),
        ("Why was nadolol held?", "Hospital Course:\nNadolol was given.\n", False),
        ("Why was nadolol held?", "Hospital Course:\nNadolol was held.\n", True),
    ],
)
def test_the_record_behind_the_dialogue_counts(text: str, note: str, found: bool) -> None:
    assert answered(text, "1:9", "2:4", note=note) == (("20000002:record",) if found else ())


def test_a_question_about_one_stay_is_not_answered_by_another() -> None:
    text = "what dose of nadolol was prescribed at discharge?"
    note = "Discharge Medications:\n1. Nadolol 20 mg daily\n"

    assert answered(SECOND_STAY + text, "2:4", note=note) == ("20000002:record",)
    assert answered(FIRST_STAY + text, "1:9", note=note) == ()
