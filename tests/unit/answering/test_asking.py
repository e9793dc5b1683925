"""Batches, second askings and failures."""

from typing import Any

import pytest

from tasks.answering.asking import AnsweringModel
from tasks.answering.blocks import TurnBlocks
from tasks.answering.counting import CountedModel
from tasks.answering.messages import system_tokens
from tasks.answering.replies import AnswersReply, NumberedAnswer, by_number
from tasks.answering.timeline import timeline_text
from tasks.answering.views import FullContext
from tasks.contracts.chat import ChatRequest
from tasks.contracts.errors import ModelFailed, ProviderUnavailable, ReplyMalformed
from tasks.contracts.evaluation import Budget, Prediction
from tests.unit.answering.timelines import (
    Scripted,
    ScriptModel,
    abstain,
    answers,
    asked,
    given,
    patient,
)

TIMELINE = timeline_text(patient())
CUT = ModelFailed("the reply was cut at its output limit", "truncated")
TOO_LONG = ModelFailed("more than the model reads", "context_too_long")
BUSY = ModelFailed("no reply in time", "transient")
SHAPELESS = ReplyMalformed("the reply is no JSON of the asked shape", "patient text", ("x",))


def _ask(
    *script: Scripted, questions: int = 2, budget: Budget | None = None
) -> tuple[tuple[Prediction, ...], ScriptModel, CountedModel]:
    model = ScriptModel(script)
    view = FullContext(TIMELINE, TurnBlocks(TIMELINE))
    counted = CountedModel(model)
    answering = AnsweringModel(counted, view, budget or Budget())
    made = answering.answer(asked(*[f"Question {n}?" for n in range(1, questions + 1)]), 10)
    return made, model, counted


def _questions(model: ScriptModel) -> list[tuple[str, ...]]:
    return [given(request).questions for request in model.requests]


def _echo(request: ChatRequest[Any]) -> AnswersReply:
    said = enumerate(given(request).questions, 1)
    return AnswersReply(answers=[NumberedAnswer(number=n, answer=text) for n, text in said])


def _room(tokens: int) -> Budget:
    """A budget that leaves so many tokens beside the system message."""
    margin = 4096 - 16 - system_tokens() - tokens
    return Budget(context_tokens=4096, output_tokens=16, margin_tokens=margin)


def test_each_answer_belongs_to_the_question_of_its_number():
    made, model, counted = _ask(answers(n2=" 80  mg ", n1="5.9"))
    assert [(one.qa_id, one.outcome, one.answer) for one in made] == [
        ("q1", "answered", "5.9"),
        ("q2", "answered", "80 mg"),
    ]
    assert (made[0].asked_times, made[0].shown_turns, made[0].all_turns) == (1, 6, 6)
    assert (len(model.requests), counted.replies) == (1, 1)


def test_twelve_questions_make_a_batch_of_ten_and_one_of_two():
    made, model, _ = _ask(_echo, questions=12)
    assert [len(one) for one in _questions(model)] == [10, 2]
    assert [one.answer for one in made] == [f"Question {n}?" for n in range(1, 13)]


def test_questions_without_an_answer_are_asked_once_more_and_no_others():
    made, model, _ = _ask(answers(n2="80 mg"), answers(n1="5.9"))
    assert _questions(model) == [("Question 1?", "Question 2?"), ("Question 1?",)]
    assert [request.attempt for request in model.requests] == [0, 1]
    assert [(one.answer, one.asked_times) for one in made] == [("5.9", 2), ("80 mg", 1)]


def test_what_is_left_out_twice_is_missing():
    made, model, _ = _ask(answers(n1="5.9", n2=" "), answers())
    assert (made[0].outcome, made[0].answer) == ("answered", "5.9")
    assert (made[1].outcome, made[1].answer, made[1].asked_times) == ("missing", "", 2)
    assert made[1].reason == "not among the replies, asked twice"
    assert len(model.requests) == 2


def test_numbers_nobody_asked_and_two_answers_to_one_question_do_not_count():
    said = [(0, "zero"), (3, "three"), (1, "a"), (1, "b"), (2, "same"), (2, "same "), (-1, "x")]
    reply = [NumberedAnswer(number=n, answer=text) for n, text in said]
    assert by_number(reply, 2) == {2: "same"}


def test_null_is_no_answer_and_a_number_is_one():
    said = '{"answers": [{"number": 1, "answer": null}, {"number": "2", "answer": 80}]}'
    shaped = AnswersReply.model_validate_json(said)
    assert by_number(shaped.answers, 2) == {2: "80"}
    # What has no answer is missing, which counts 0: it isn't the failure of a call.
    made, _, _ = _ask(shaped, AnswersReply.model_validate_json(said))
    assert [(one.outcome, one.answer) for one in made] == [("missing", ""), ("answered", "80")]


def test_a_batch_that_is_cut_is_asked_by_halves():
    made, model, counted = _ask(CUT, _echo, questions=3)
    assert [len(one) for one in _questions(model)] == [3, 1, 2]
    assert [one.answer for one in made] == ["Question 1?", "Question 2?", "Question 3?"]
    assert counted.replies == 3


def test_one_question_that_fails_leaves_the_others_alone():
    def filtered(request: ChatRequest[Any]) -> AnswersReply:
        if "Question 2?" in given(request).questions:
            raise ModelFailed("a content filter stopped the request", "filtered")
        return _echo(request)

    made, _, _ = _ask(filtered, questions=4)
    assert [one.outcome for one in made] == ["answered", "failed", "answered", "answered"]
    assert made[1].reason == "filtered: a content filter stopped the request"
    assert (made[1].answer, made[1].asked_times) == ("", 1)


def test_a_reply_without_shape_is_asked_once_more_then_failed():
    made, model, _ = _ask(SHAPELESS, questions=1)
    assert len(model.requests) == 2
    assert (made[0].outcome, made[0].asked_times) == ("failed", 2)
    assert made[0].reason == "invalid: the reply is no JSON of the asked shape"
    made, _, _ = _ask(SHAPELESS, _echo, questions=1)
    assert made[0].answer == "Question 1?"


def test_a_request_nobody_answers_fails_its_questions_at_once():
    made, model, counted = _ask(BUSY, questions=4)
    assert {one.outcome for one in made} == {"failed"}
    assert (len(model.requests), counted.replies) == (1, 0)


def test_a_prompt_the_model_cannot_read_is_made_smaller():
    made, model, _ = _ask(TOO_LONG, TOO_LONG, _echo)
    shown = [len(given(request).lines) for request in model.requests]
    assert shown[0] == 6 > shown[1] > shown[2] > 0
    assert {one.outcome for one in made} == {"answered"}
    assert made[0].shown_turns == shown[2]
    assert made[0].truncated


def test_a_prompt_that_stays_too_long_fails():
    made, model, _ = _ask(TOO_LONG, questions=1)
    assert made[0].outcome == "failed"
    assert made[0].reason.startswith("context_too_long: ")
    assert len(model.requests) <= 7


def test_a_question_longer_than_the_prompt_fails_without_a_request():
    made, model, _ = _ask(_echo, questions=1, budget=_room(60))
    assert made[0].outcome == "failed"
    assert made[0].reason.startswith("context_too_long: the question alone takes ")
    assert model.requests == []


def test_a_prompt_never_exceeds_its_budget():
    for room in range(150, 420, 15):
        made, model, _ = _ask(abstain, budget=_room(room))
        assert all(one.prompt_tokens <= system_tokens() + room for one in made)
        assert all(request.maximum_output_tokens == 16 for request in model.requests)


def test_a_provider_that_answers_nobody_ends_the_work():
    with pytest.raises(ProviderUnavailable):
        _ask(ProviderUnavailable("gone"))


def test_a_server_is_told_how_many_answers_a_reply_has_and_another_number_is_read():
    _, model, _ = _ask(_echo, questions=3)
    (request,) = model.requests
    shape = request.response_model.model_json_schema()["properties"]["answers"]
    assert (shape["minItems"], shape["maxItems"]) == (3, 3)
    read = request.response_model.model_validate({"answers": [{"number": 1, "answer": "a"}]})
    assert isinstance(read, AnswersReply)
