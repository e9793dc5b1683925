"""The provider decides who asks; what the rules ask is checked all the same."""

import pytest

from tasks.adapters.models import ModelSpec, open_model
from tasks.contracts.errors import ReplyInvalid
from tasks.contracts.questions import (
    AdmissionQuestionsInput,
    AdmissionQuestionsReply,
    CrossQuestionsInput,
    CrossQuestionsReply,
)
from tasks.qa.writing import RULES, ask_admission_questions, ask_cross_questions
from tests.factories.question_replies import FIRST, GOOD_REPLIES, lexicon, two_stays
from tests.factories.scripted import ScriptedModel

ADMISSION = AdmissionQuestionsInput(chart=two_stays(), hadm_id=FIRST, lexicon=lexicon())
CROSS = CrossQuestionsInput(chart=two_stays(), lexicon=lexicon())


def first_only(reply: AdmissionQuestionsReply) -> AdmissionQuestionsReply:
    return reply.model_copy(update={"qas": reply.qas[:1]})


def without_an_answer(reply: CrossQuestionsReply) -> CrossQuestionsReply:
    spoilt = reply.qas[0].model_copy(update={"answer": "something that no turn says"})
    return reply.model_copy(update={"qas": (spoilt, *reply.qas[1:])})


def test_the_rules_answer_without_a_model():
    model = open_model(ModelSpec(provider="programmatic"), RULES)
    assert len(ask_admission_questions(ADMISSION, model).qas) == 3
    assert len(ask_cross_questions(CROSS, model).qas) == 6


def test_a_language_model_is_asked_for_drafts_and_wordings():
    model = ScriptedModel(GOOD_REPLIES, [])
    assert len(ask_admission_questions(ADMISSION, model).qas) == 3
    assert len(ask_cross_questions(CROSS, model).qas) == 6
    assert "Write one question of each of these types" in model.messages[0]
    assert "Say every one of them in your own words" in model.messages[2]


def test_a_missing_question_of_the_rules_is_an_error():
    model = ScriptedModel(RULES, [first_only], provider="programmatic")
    with pytest.raises(ReplyInvalid, match="0 questions of type care_plan_rationale, expected 1"):
        ask_admission_questions(ADMISSION, model)


def test_an_unsupported_answer_of_the_rules_is_an_error():
    model = ScriptedModel(RULES, [without_an_answer], provider="programmatic")
    with pytest.raises(ReplyInvalid, match="90000001_cross_q01"):
        ask_cross_questions(CROSS, model)
