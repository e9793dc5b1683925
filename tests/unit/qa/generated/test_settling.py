"""Questions that the audits of the whole patient doubt are asked otherwise, the others kept."""

from __future__ import annotations

from functools import cache

import pytest

from tasks.contracts.errors import ItemFailed
from tasks.contracts.questions import AdmissionQuestionsInput, CrossQuestionsInput, Question
from tasks.qa.doubts import Asked, doubted_questions
from tasks.qa.generated import settling
from tasks.qa.generated.across import ask_across_admissions
from tasks.qa.generated.admission import ask_about_admission
from tasks.qa.generated.settling import settle_worded
from tests.factories.question_replies import FIRST, GOOD_REPLIES, SECOND, lexicon, two_stays
from tests.factories.scripted import ScriptedModel


def model() -> ScriptedModel:
    return ScriptedModel(GOOD_REPLIES, [])


@cache
def asked() -> Asked:
    return Asked(
        {
            hadm_id: ask_about_admission(
                AdmissionQuestionsInput(chart=two_stays(), hadm_id=hadm_id, lexicon=lexicon()),
                model(),
            )
            for hadm_id in (FIRST, SECOND)
        },
        ask_across_admissions(CrossQuestionsInput(chart=two_stays(), lexicon=lexicon()), model()),
    )


def settled(changed: Asked) -> Asked:
    return settle_worded(changed, two_stays(), lexicon(), model())


def with_single(question: Question) -> Asked:
    reply = asked().single[FIRST]
    changed = reply.model_copy(update={"qas": (question, *reply.qas[1:])})
    return Asked({**asked().single, FIRST: changed}, asked().cross)


def test_sound_questions_take_no_request():
    watched = model()
    assert settle_worded(asked(), two_stays(), lexicon(), watched) == asked()
    assert watched.messages == []


def test_a_doubted_question_of_a_stay_is_asked_otherwise_and_never_again():
    wrong = asked().single[FIRST].qas[0].model_copy(update={"answer": "a device nobody named"})
    after = settled(with_single(wrong))
    assert doubted_questions(after.questions(), two_stays()) == []
    assert after.single[FIRST].qas[0].question != wrong.question
    assert after.single[FIRST].qas[1:] == asked().single[FIRST].qas[1:]
    assert (after.single[SECOND], after.cross) == (asked().single[SECOND], asked().cross)


def test_doubted_words_across_stays_give_way_to_the_planned_ones():
    cross = asked().cross
    question = cross.qas[0].question.replace("2151-03-01", "2151-03-01, after warfarin,")
    drifted = cross.qas[0].model_copy(update={"question": question})
    changed = cross.model_copy(update={"qas": (drifted, *cross.qas[1:])})
    after = settled(Asked(asked().single, changed))
    assert after.cross.as_planned == (drifted.qa_id,)
    assert after.cross.qas[1:] == cross.qas[1:]
    assert after.cross.qas[0].answer == cross.qas[0].answer


def test_a_question_that_repeats_another_is_asked_otherwise():
    reply = asked().single[FIRST]
    repeated = reply.qas[1].model_copy(update={"qa_id": reply.qas[0].qa_id})
    after = settled(with_single(repeated))
    wordings = [one.question for one in after.questions()]
    assert len(set(wordings)) == len(wordings)


def test_doubts_that_stay_set_the_patient_aside(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(settling, "MAXIMUM_ROUNDS", 0)
    wrong = asked().single[FIRST].qas[0].model_copy(update={"answer": "a device nobody named"})
    with pytest.raises(ItemFailed, match=f"the audits doubt 1 questions.*{wrong.qa_id}"):
        settled(with_single(wrong))
