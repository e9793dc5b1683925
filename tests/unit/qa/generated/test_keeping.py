"""A planned question in other words: what has to stay, and what must not change."""

from __future__ import annotations

import pytest

from tasks.contracts.questions import CitedTurn, Evidence, Question, QuestionType
from tasks.qa.candidates import Candidate
from tasks.qa.composing import Draft
from tasks.qa.forms import wordings
from tasks.qa.generated.judging import QuestionJudge, wording_faults
from tasks.qa.generated.keeping import planned_wish
from tasks.qa.generated.wording import Wish
from tests.factories.question_replies import FIRST, SECOND, two_stays

PLANNED = (
    "How did the discharge dose of furosemide change from the stay that began on 2150-06-01 to "
    "that of 2151-03-01?"
)
SLOTS = {"target": "furosemide", "a": "2150-06-01", "b": "2151-03-01"}


def wish() -> Wish:
    question = Question(
        qa_id="90000001_cross_q01",
        scope="cross_admission",
        question_type=QuestionType.LONGITUDINAL_PROGRESSION,
        question=PLANNED,
        answer="40 mg to 60 mg",
        evidence=Evidence(
            admissions=(FIRST, SECOND),
            turns=(
                CitedTurn(hadm_id=FIRST, turn_number=2),
                CitedTurn(hadm_id=SECOND, turn_number=2),
            ),
        ),
    )
    candidate = Candidate("handover_dose", SLOTS, ("target",), "drug", "40 mg to 60 mg", ())
    draft = Draft(QuestionType.LONGITUDINAL_PROGRESSION, PLANNED, candidate)
    return planned_wish(question, draft, QuestionJudge(two_stays()))


def broken(text: str) -> list[str]:
    asked = wish()
    return [one.public for one in asked.check(asked.planned.model_copy(update={"question": text}))]


@pytest.mark.parametrize(
    "text",
    [
        PLANNED,
        "Between the hospitalizations of 2150-06-01 and 2151-03-01, how did the dose of furosemide "
        "at discharge develop?",
        "What dose of furosemide went with the patient at discharge from the stay of 2150-06-01, "
        "and what dose from the one of 2151-03-01?",
    ],
)
def test_other_words_for_the_same_are_taken(text: str):
    assert broken(text) == []


@pytest.mark.parametrize(
    ("text", "public"),
    [
        (PLANNED.replace("furosemide", "the diuretic"), "words that have to stay are missing"),
        (PLANNED.replace("2151-03-01", "2151-03-02"), "the dates are not those of the question"),
        (
            "How did the discharge dose of furosemide change up to the stay of 2151-03-01 from the "
            "one of 2150-06-01?",
            "the dates are not those of the question, in their order",
        ),
        (PLANNED.replace("dose", "20 mg dose"), "it holds a number of its own"),
        (PLANNED.replace("discharge dose", "dose at home"), "a condition is lost"),
        (
            PLANNED.replace("discharge dose", "first discharge dose"),
            "whether it asks for the first",
        ),
        (PLANNED.replace("change", "increase"), "a condition is new"),
        (PLANNED.replace("How did", "Did"), "yes or no"),
        (PLANNED.replace("?", ", from 40 mg to 60 mg?"), "it gives its answer away"),
        (PLANNED.replace("furosemide", "your furosemide"), "third person"),
    ],
)
def test_what_changes_the_question_is_refused(text: str, public: str):
    found = broken(text)
    assert any(public in one for one in found)
    assert not any("furosemide" in one or "2150" in one or "mg" in one for one in found)


def test_the_words_that_have_to_stay_are_listed_and_told():
    asked = wish()
    assert asked.shown.model_dump() == {
        "number": 1,
        "question": PLANNED,
        "keep": ("furosemide", "2150-06-01", "2151-03-01"),
    }
    lost = asked.planned.model_copy(update={"question": PLANNED.replace("furosemide", "it")})
    assert "these words have to stay: `furosemide`" in [one.told for one in asked.check(lost)]


def test_no_planned_wording_breaks_the_rules_of_wording():
    """But for one filler, which speaks of the last conversation with the team."""
    days = {"{a}": "2150-01-01", "{b}": "2150-02-01", "{c}": "2150-03-01"}
    for family, known in wordings().items():
        for wording in known if family != "care_weekday" else ():
            text = wording
            for slot, day in days.items():
                text = text.replace(slot, day)
            assert list(wording_faults(text)) == [], f"{family}: {wording}"
