"""The shape in which a model answers, and what it is asked by."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, create_model
from pydantic.config import JsonDict

from tasks.answering.timeline import ContextLine
from tasks.contracts.base import Contract


class Asked(Contract):
    """A question as the answering side knows it: no gold answer, no type, no evidence."""

    qa_id: str = Field(description="The question's id, which no prompt holds")
    question: str = Field(min_length=1, repr=False, description="Its wording")


class Draft(BaseModel):
    """What a model may send: fields beyond the asked ones are left unread."""

    model_config = ConfigDict(frozen=True, extra="ignore", hide_input_in_errors=True)


def _as_text(value: object) -> object:
    """No answer for null, and a number as text: servers without schemas let models write both."""
    if value is None:
        return ""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return str(value) if is_number else value


class NumberedAnswer(Draft):
    """The answer to one question; empty where the model says that it has none."""

    number: int = Field(description="Number of the question")
    answer: Annotated[str, BeforeValidator(_as_text)] = Field(
        description="The answer alone, at most ten words"
    )


class AnswersReply(Draft):
    """The answers to the questions of one request."""

    answers: list[NumberedAnswer] = Field(description="One answer for each question")


@cache
def answers_of(count: int) -> type[AnswersReply]:
    """Answers to so many questions, for servers that hold replies to the schema: a small model
    would go on until it is cut. What comes in another number is read all the same.
    """
    bounds: JsonDict = {"minItems": count, "maxItems": count}
    answers = Field(description="One answer for each question", json_schema_extra=bounds)
    return create_model(
        AnswersReply.__name__,
        __base__=AnswersReply,
        __doc__=AnswersReply.__doc__,
        answers=(list[NumberedAnswer], answers),
    )


class AnswersInput(BaseModel):
    """What the programmatic provider reads: the same lines and questions as stand in the prompt."""

    model_config = ConfigDict(frozen=True, arbitrary_types_allowed=True)

    summary: str = Field(default="", description="The running summary, for memory strategies")
    lines: tuple[ContextLine, ...] = Field(description="What is shown, in time order")
    questions: tuple[str, ...] = Field(description="The questions, numbered from 1")


def by_number(answers: Iterable[NumberedAnswer], asked: int) -> dict[int, str]:
    """Answers by the number of their question, 1 to ``asked``.

    Left out are numbers that weren't asked, empty answers, and numbers with two different answers.
    """
    found: dict[int, set[str]] = {}
    for one in answers:
        text = " ".join(one.answer.split())
        if text and 1 <= one.number <= asked:
            found.setdefault(one.number, set()).add(text)
    return {number: texts.pop() for number, texts in found.items() if len(texts) == 1}
