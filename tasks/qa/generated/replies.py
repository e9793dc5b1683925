"""What a language model is given for its questions, and what it replies: loosely typed drafts.

Lengths are bounded above what is accepted, so that a small model can't go on for ever.
"""

from __future__ import annotations

from pydantic import Field

from tasks.contracts.base import Contract
from tasks.contracts.questions import PatientChart, QuestionType


class QuestionDraft(Contract):
    """A question as a model proposes it; nothing of it is taken on trust."""

    question_type: str = Field(description="The type asked for")
    question: str = Field(max_length=250, description="The question, with its opening dates")
    answer: str = Field(
        max_length=150, description="At most ten words, word for word from the cited turns"
    )
    cited_turns: tuple[int, ...] = Field(
        max_length=12, description="Numbers of the turns the answer follows from, at most four"
    )


class QuestionDrafts(Contract):
    """A reply with questions of a model's own about one stay."""

    questions: tuple[QuestionDraft, ...] = Field(
        max_length=4, description="One question of each type asked for"
    )


class WordedQuestion(Contract):
    """A question in a model's words."""

    number: int = Field(description="Number of the question, as given")
    question: str = Field(max_length=600, description="The question in its new words")


class WordedQuestions(Contract):
    """A reply with questions put in other words."""

    questions: tuple[WordedQuestion, ...] = Field(
        max_length=16, description="The questions, by their numbers"
    )


class DraftingTask(Contract):
    """What is asked for about one stay."""

    chart: PatientChart = Field(description="Holds the stay; only its conversation is sent")
    hadm_id: str = Field(description="The admission asked about")
    types: tuple[QuestionType, ...] = Field(description="One question of each is wanted")
    avoid: tuple[str, ...] = Field(default=(), description="Questions that must not be asked")


class PlannedQuestion(Contract):
    """A question that code has worked out, to be put in other words."""

    number: int = Field(description="Its number within the request, from 1")
    question: str = Field(description="The planned wording")
    keep: tuple[str, ...] = Field(description="Words that have to stay: dates, targets, conditions")


class Swap(Contract):
    """What gives way to what."""

    old: str = Field(description="What the question asks about")
    new: str = Field(description="What it is to ask about")


class HostQuestion(Contract):
    """An accepted question that is to be asked again about something absent."""

    number: int = Field(description="Its number within the request, from 1")
    question: str = Field(description="The accepted wording")
    replace: tuple[Swap, ...] = Field(min_length=1, description="What changes, and nothing else")


class WordingTask(Contract):
    """Planned questions to be put in other words; the model doesn't see which can be answered."""

    prompt: str = Field(description="File name of the prompt")
    questions: tuple[PlannedQuestion | HostQuestion, ...] = Field(description="The questions")
