"""Questions across stays: code works them out, the model words them and can change nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pydantic import BaseModel

from tasks.contracts.chat import ChatRequest
from tasks.contracts.errors import ItemFailed
from tasks.contracts.questions import (
    ABSTENTION,
    CrossQuestionsInput,
    CrossQuestionsReply,
    Question,
    QuestionType,
)
from tasks.qa.generated.across import Known, ask_across_admissions, settled_plan
from tasks.qa.generated.replies import HostQuestion, WordedQuestions, WordingTask
from tasks.qa.tallies import cross_set_violations
from tasks.terminology.normalization import normalize_question
from tests.factories.charts import make_chart
from tests.factories.question_replies import GOOD_REPLIES, lexicon, two_stays
from tests.factories.scripted import ScriptedModel, WatchedModel


def given() -> CrossQuestionsInput:
    return CrossQuestionsInput(chart=two_stays(), lexicon=lexicon())


def ask(
    *spoil: Callable[[Any], BaseModel], known: dict[str, Known] | None = None
) -> tuple[CrossQuestionsReply, list[ChatRequest[Any]]]:
    requests: list[ChatRequest[Any]] = []
    model = WatchedModel(ScriptedModel(GOOD_REPLIES, list(spoil)), requests.append)
    return ask_across_admissions(given(), model, known), requests


def in_capitals(reply: WordedQuestions) -> WordedQuestions:
    """Other words that say the same."""
    return WordedQuestions(
        questions=tuple(
            one.model_copy(update={"question": f"Tell: {one.question}"}) for one in reply.questions
        )
    )


def with_another_date(reply: WordedQuestions) -> WordedQuestions:
    return WordedQuestions(
        questions=tuple(
            one.model_copy(update={"question": one.question.replace("2150", "2149")})
            for one in reply.questions
        )
    )


def golds(questions: tuple[Question, ...]) -> list[tuple[object, ...]]:
    return [(one.qa_id, one.question_type, one.answer, one.evidence) for one in questions]


def test_targets_golds_and_citations_are_the_planned_ones():
    reply, _ = ask(in_capitals)
    plan = settled_plan(given()).plan
    assert golds(reply.qas) == golds(plan.reply.qas)
    assert reply.as_planned == ()
    answerable = [one.question for one in reply.qas if one.answer != ABSTENTION]
    assert all(question.startswith("Tell: ") for question in answerable)
    assert cross_set_violations(reply.qas, two_stays(), reply.substitutions) == ()


def test_the_model_sees_neither_answers_nor_turns_nor_ids():
    _, requests = ask()
    for request in requests:
        shown = request.task_message
        assert "40 mg" not in shown
        assert "Regarding" not in shown
        assert ABSTENTION not in shown
        assert not any(one in shown for one in ("90000001", "80000001", "cross_q", "$"))


def test_changed_questions_are_sent_back_and_stay_as_planned_in_the_end():
    reply, requests = ask(*[with_another_date] * 8)
    plan = settled_plan(given()).plan
    answerable = [one.qa_id for one in plan.reply.qas if one.answer != ABSTENTION]
    assert set(answerable) <= set(reply.as_planned)
    assert [one.question for one in reply.qas][:4] == [one.question for one in plan.reply.qas][:4]
    assert "its dates, in their order, have to be: 2150-06-01" in requests[1].exchanges[0].answer


def test_unanswerable_questions_are_counterparts_of_worded_ones():
    reply, requests = ask(in_capitals)
    hosts = [
        one
        for request in requests
        if isinstance(request.payload, WordingTask)
        for one in request.payload.questions
        if isinstance(one, HostQuestion)
    ]
    assert hosts
    worded = {one.question for one in reply.qas if one.answer != ABSTENTION}
    assert {host.question for host in hosts} <= worded
    absent = {one.question for one in reply.qas if one.question_type is QuestionType.ADVERSARIAL}
    for host in hosts:
        copied = host.question
        for swap in host.replace:
            copied = copied.replace(swap.old, swap.new)
        assert copied in absent


def test_two_questions_worded_alike_are_not_taken():
    def all_the_same(reply: WordedQuestions) -> WordedQuestions:
        first = reply.questions[0].question
        return WordedQuestions(
            questions=tuple(one.model_copy(update={"question": first}) for one in reply.questions)
        )

    reply, _ = ask(*[all_the_same] * 8)
    wordings = [normalize_question(one.question) for one in reply.qas]
    assert len(set(wordings)) == len(wordings)


def test_words_known_from_before_are_not_asked_for_again():
    before, _ = ask()
    plan = settled_plan(given()).plan.reply
    known = {
        normalize_question(planned.question): Known(question.question, as_planned=number == 0)
        for number, (planned, question) in enumerate(zip(plan.qas, before.qas, strict=True))
    }
    after, requests = ask(known=known)
    assert requests == []
    assert after.qas == before.qas
    assert after.as_planned == (before.qas[0].qa_id,)


def test_one_stay_supplies_no_question_across():
    alone = CrossQuestionsInput(chart=make_chart(two_stays().admissions[0]), lexicon=lexicon())
    with pytest.raises(ItemFailed, match="cross-admission questions need two"):
        ask_across_admissions(alone, ScriptedModel(GOOD_REPLIES, []))
