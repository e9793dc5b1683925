"""Sending replies back: exact violations, three times at most, never the same reply for ever."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from tasks.contracts.chat import ChatReply, ChatRequest, Reply
from tasks.contracts.dialogue import TokenUsage
from tasks.contracts.errors import ModelFailed, Outcome, ReplyMalformed
from tasks.qa.generated.repairing import MAXIMUM_REPAIRS, Violation, ask_with_repairs
from tasks.qa.generated.replies import WordedQuestion, WordedQuestions, WordingTask

TASK = WordingTask(prompt="cross_regular.md", questions=())


def says(text: str) -> WordedQuestions:
    return WordedQuestions(questions=(WordedQuestion(number=1, question=text),))


@dataclass
class Replies:
    """Gives its replies in turn; an error is raised."""

    replies: Iterator[WordedQuestions | Exception]
    requests: list[ChatRequest[Any]] = field(default_factory=list[ChatRequest[Any]])
    provider: str = "openai"
    model: str = "scripted"
    temperature: float | None = None
    used: TokenUsage = field(default_factory=TokenUsage)

    def complete(self, request: ChatRequest[Reply]) -> ChatReply[Reply]:
        self.requests.append(request)
        reply = next(self.replies)
        if isinstance(reply, Exception):
            raise reply
        parsed = request.response_model.model_validate(reply.model_dump())
        return ChatReply(parsed=parsed, usage=TokenUsage())


def request() -> ChatRequest[WordedQuestions]:
    return ChatRequest(lambda: ("system", "task"), TASK, WordedQuestions)


def only_good(reply: WordedQuestions) -> tuple[Violation, ...]:
    text = reply.questions[0].question
    return () if text == "good" else (Violation("a rule", f"not `{text}`"),)


def test_the_reply_and_its_exact_violations_are_sent_back():
    model = Replies(iter([says("bad"), says("good")]))
    assert ask_with_repairs(request(), only_good, model) == ()
    (exchange,) = model.requests[1].exchanges
    assert '"question":"bad"' in exchange.reply
    assert "- not `bad`" in exchange.answer


def test_repairs_end_after_three():
    model = Replies(iter([says(f"bad {number}") for number in range(9)]))
    left = ask_with_repairs(request(), only_good, model)
    assert [violation.public for violation in left] == ["a rule"]
    assert len(model.requests) == 1 + MAXIMUM_REPAIRS == 4


def test_a_reply_given_once_more_is_not_sent_back_again():
    model = Replies(iter([says("bad")] * 9))
    assert ask_with_repairs(request(), only_good, model) != ()
    assert len(model.requests) == 2


def test_a_malformed_reply_is_sent_back_as_it_came():
    malformed = ReplyMalformed("no JSON", "{oops", ("questions: expected a list",))
    model = Replies(iter([malformed, says("good")]))
    assert ask_with_repairs(request(), only_good, model) == ()
    (exchange,) = model.requests[1].exchanges
    assert exchange.reply == "{oops"
    assert "- questions: expected a list" in exchange.answer


def test_what_is_public_of_a_malformed_reply_quotes_nothing():
    malformed = [ReplyMalformed("no JSON", "secret", (f"secret {n}",)) for n in range(9)]
    left = ask_with_repairs(request(), only_good, Replies(iter(malformed)))
    assert [violation.public for violation in left] == ["the reply is not of the asked shape"]


@pytest.mark.parametrize("outcome", ["truncated", "context_too_long", "prompt_cut"])
def test_what_is_too_long_for_the_model_is_not_sent_again(outcome: Outcome):
    model = Replies(iter([ModelFailed("too long", outcome)]))
    left = ask_with_repairs(request(), only_good, model)
    assert [violation.public for violation in left] == [f"the request failed: {outcome}"]
    assert len(model.requests) == 1


def test_a_refusal_ends_it_at_once():
    model = Replies(iter([ModelFailed("declined", "refused")]))
    with pytest.raises(ModelFailed):
        ask_with_repairs(request(), only_good, model)
    assert len(model.requests) == 1
