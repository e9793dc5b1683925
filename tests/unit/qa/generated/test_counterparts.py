"""Counterparts differ from their hosts in the target alone."""

from __future__ import annotations

import pytest

from tasks.contracts.questions import ABSTENTION, CitedTurn, Evidence, Question, QuestionType
from tasks.qa.generated.counterparts import counterpart, counterpart_wish
from tasks.qa.generated.judging import QuestionJudge
from tasks.qa.generated.replies import Swap
from tests.factories.question_replies import FIRST, two_stays

PREFIX = "During the hospitalization from 2150-06-01 to 2150-06-05, "


def host(body: str) -> Question:
    return Question(
        qa_id="90000001_80000001_q03",
        scope="single_admission",
        question_type=QuestionType.CARE_PLAN_RATIONALE,
        question=f"{PREFIX}{body}",
        answer="40 mg",
        evidence=Evidence(
            admissions=(FIRST,),
            turn_ids=(2,),
            turns=(CitedTurn(hadm_id=FIRST, turn_number=2),),
        ),
    )


@pytest.mark.parametrize(
    ("body", "old", "new", "copied"),
    [
        (
            "at what dose was furosemide prescribed?",
            "furosemide",
            "warfarin",
            "at what dose was warfarin prescribed?",
        ),
        (
            "what did a chest film show?",
            "chest film",
            "abdominal ultrasound",
            "what did an abdominal ultrasound show?",
        ),
        (
            "why was Furosemide held, and when was furosemide resumed?",
            "furosemide",
            "eye drops",
            "why were eye drops held, and when were eye drops resumed?",
        ),
        ("what reaction followed latex?", "latex", r"a\1b", r"what reaction followed a\1b?"),
    ],
)
def test_code_replaces_the_target_and_lets_verb_and_article_agree(
    body: str, old: str, new: str, copied: str
):
    found = counterpart(host(body), (Swap(old=old, new=new),))
    assert found is not None
    assert found.question == f"{PREFIX}{copied}"
    assert found.answer == ABSTENTION
    assert found.question_type is QuestionType.ADVERSARIAL
    assert found.evidence == host(body).evidence


def test_a_host_that_does_not_name_the_target_has_no_counterpart():
    asked = host("at what dose was furosemide prescribed?")
    assert counterpart(asked, (Swap(old="furo", new="warfarin"),)) is None


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ("at what dose was warfarin prescribed?", None),
        ("at what dose were warfarin prescribed?", None),
        ("at what dose was furosemide prescribed?", "it still names the old target"),
        ("at what dose was metformin prescribed?", "it lacks its new target"),
        ("at what daily dose was warfarin prescribed?", "more is changed"),
        ("at what dose, if any, was warfarin prescribed?", "more is changed"),
        ("at what dose was warfarin, not furosemide, prescribed?", "it still names"),
        ("was warfarin prescribed at what dose?", "more is changed"),
        ("at what dose was warfarin or warfarin prescribed?", "more is changed"),
    ],
)
def test_a_model_may_change_nothing_else(body: str, fault: str | None):
    asked = host("at what dose was furosemide prescribed?")
    swaps = (Swap(old="furosemide", new="warfarin"),)
    planned = counterpart(asked, swaps)
    assert planned is not None
    wish = counterpart_wish(asked, swaps, planned, QuestionJudge(two_stays()))
    found = wish.check(planned.model_copy(update={"question": f"{PREFIX}{body}"}))
    if fault is None:
        assert found == ()
    else:
        assert any(fault in violation.public for violation in found)
        assert not any("warfarin" in one.public or "furosemide" in one.public for one in found)


def test_other_opening_dates_are_refused():
    asked = host("at what dose was furosemide prescribed?")
    swaps = (Swap(old="furosemide", new="warfarin"),)
    planned = counterpart(asked, swaps)
    assert planned is not None
    wish = counterpart_wish(asked, swaps, planned, QuestionJudge(two_stays()))
    moved = planned.question.replace("2150-06-05", "2150-06-06")
    assert wish.check(planned.model_copy(update={"question": moved})) != ()
