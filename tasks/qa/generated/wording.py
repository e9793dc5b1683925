"""Questions that code has worked out, put in a model's words; where these fail, as planned."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from tasks.contracts.chat import ChatModel, ChatRequest
from tasks.contracts.questions import Question
from tasks.qa.generated.messages import wording_messages
from tasks.qa.generated.repairing import Violation, ask_with_repairs
from tasks.qa.generated.replies import (
    HostQuestion,
    PlannedQuestion,
    WordedQuestions,
    WordingTask,
)
from tasks.terminology.normalization import normalize_question

PLANNED = "cross_regular.md"
"""Prompt that has planned questions put in other words, those of one stay as well."""

BATCH = 8
"""Questions of one request."""

OUTPUT_TOKENS = 1500


@dataclass(frozen=True)
class Wish:
    """A sound question in planned words, how a model is shown it, and what its words must keep."""

    planned: Question
    shown: PlannedQuestion | HostQuestion
    check: Callable[[Question], tuple[Violation, ...]]


@dataclass(frozen=True)
class Worded:
    """The questions of some wishes, in order, and the ids of those left in planned words."""

    questions: tuple[Question, ...]
    as_planned: tuple[str, ...]


def word_questions(
    wishes: Sequence[Wish], prompt: str, model: ChatModel, taken: Iterable[str] = ()
) -> Worded:
    """Have questions put in other words, a few a request; ``taken`` are normalized others.

    Words that fail after every repair give way to the planned ones, which are sound: a patient
    isn't lost over style.
    """
    used = {*taken, *(normalize_question(wish.planned.question) for wish in wishes)}
    questions: list[Question] = []
    as_planned: list[str] = []
    for start in range(0, len(wishes), BATCH):
        batch = _Batch(wishes[start : start + BATCH], used)
        task = batch.task(prompt)
        request = ChatRequest(
            lambda task=task: wording_messages(task),
            task,
            WordedQuestions,
            maximum_output_tokens=OUTPUT_TOKENS,
        )
        ask_with_repairs(request, batch.take, model)
        questions += batch.questions()
        as_planned += batch.left()
    return Worded(tuple(questions), tuple(as_planned))


class _Batch:
    """The questions of one request, and those of them that a reply has worded well."""

    def __init__(self, wishes: Sequence[Wish], used: set[str]) -> None:
        self._wishes = wishes
        self._used = used
        self._worded: dict[int, Question] = {}

    def left(self) -> list[str]:
        """Ids of the questions without good words so far."""
        numbered = enumerate(self._wishes, start=1)
        return [wish.planned.qa_id for number, wish in numbered if number not in self._worded]

    def task(self, prompt: str) -> WordingTask:
        """What the model is given, the questions numbered from 1."""
        return WordingTask(
            prompt=prompt,
            questions=tuple(
                wish.shown.model_copy(update={"number": number})
                for number, wish in enumerate(self._wishes, start=1)
            ),
        )

    def questions(self) -> list[Question]:
        """All of them, those without good words as planned."""
        return [
            self._worded.get(number, wish.planned)
            for number, wish in enumerate(self._wishes, start=1)
        ]

    def take(self, reply: WordedQuestions) -> tuple[Violation, ...]:
        """Keep what is good and name what is wrong with the rest."""
        texts = {one.number: " ".join(one.question.split()) for one in reply.questions}
        broken: list[Violation] = []
        for number, wish in enumerate(self._wishes, start=1):
            if number not in self._worded:
                for violation in self._taken_or_broken(number, wish, texts.get(number, "")):
                    at = f"question {number}: "
                    broken.append(Violation(at + violation.public, at + violation.told))
        return tuple(broken)

    def _taken_or_broken(self, number: int, wish: Wish, text: str) -> tuple[Violation, ...]:
        if not text:
            return (Violation.plain("it is missing"),)
        normalized = normalize_question(text)
        if normalized in self._used - {normalize_question(wish.planned.question)}:
            return (Violation.plain("it is the same as another question"),)
        worded = wish.planned.model_copy(update={"question": text})
        broken = wish.check(worded)
        if not broken:
            self._used.add(normalized)
            self._worded[number] = worded
        return broken
