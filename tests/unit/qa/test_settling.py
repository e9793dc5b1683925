"""Questions that the audits doubt are asked otherwise; the others stay as they are."""

from __future__ import annotations

from functools import cache

import pytest

from tasks.adapters.models import ModelSpec, open_model
from tasks.contracts.chat import ChatModel
from tasks.contracts.errors import ItemFailed
from tasks.contracts.questions import (
    AdmissionQuestionsInput,
    CrossQuestionsInput,
    Lexicon,
    Question,
    QuestionType,
)
from tasks.qa import settling
from tasks.qa.doubts import Asked, doubted_questions
from tasks.qa.lexicon import build_lexicon
from tasks.qa.settling import settle
from tasks.qa.writing import RULES, ask_admission_questions, ask_cross_questions
from tests.factories.question_replies import FIRST, SECOND, two_stays


def model() -> ChatModel:
    return open_model(ModelSpec(provider="programmatic"), RULES)


@cache
def lexicon() -> Lexicon:
    return build_lexicon(lambda: [two_stays()])


@cache
def asked() -> Asked:
    single = {
        hadm_id: ask_admission_questions(
            AdmissionQuestionsInput(chart=two_stays(), hadm_id=hadm_id, lexicon=lexicon()), model()
        )
        for hadm_id in (FIRST, SECOND)
    }
    cross = ask_cross_questions(CrossQuestionsInput(chart=two_stays(), lexicon=lexicon()), model())
    return settle(Asked(single, cross), two_stays(), lexicon(), model())


def with_wrong_answer() -> tuple[Asked, Question]:
    """The first stay's first question, answered by what no turn says."""
    reply = asked().single[FIRST]
    wrong = reply.qas[0].model_copy(update={"answer": "a device that nobody mentioned"})
    changed = reply.model_copy(update={"qas": (wrong, *reply.qas[1:])})
    return Asked({**asked().single, FIRST: changed}, asked().cross), wrong


def test_questions_that_no_audit_doubts_stay_as_they_are() -> None:
    assert doubted_questions(asked().questions(), two_stays()) == []
    assert settle(asked(), two_stays(), lexicon(), model()) == asked()


def test_a_doubted_question_is_asked_otherwise_and_other_sets_are_left_alone() -> None:
    tampered, wrong = with_wrong_answer()
    assert [one.qa_id for one in doubted_questions(tampered.questions(), two_stays())] == [
        wrong.qa_id
    ]
    settled = settle(tampered, two_stays(), lexicon(), model())
    assert doubted_questions(settled.questions(), two_stays()) == []
    assert wrong.question not in {one.question for one in settled.questions()}
    assert settled.single[SECOND] == asked().single[SECOND]
    assert settled.cross == asked().cross
    assert [one.question_type for one in settled.single[FIRST].qas] == [
        QuestionType.MEDICAL_REASONING,
        QuestionType.CARE_PLAN_RATIONALE,
        QuestionType.ADVERSARIAL,
    ]


def test_a_question_that_no_rewriting_mends_sets_the_patient_aside(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(settling, "MAXIMUM_REWRITES", 0)
    tampered, wrong = with_wrong_answer()
    with pytest.raises(ItemFailed, match=f"the audits doubt 1 questions.*{wrong.qa_id}"):
        settle(tampered, two_stays(), lexicon(), model())
