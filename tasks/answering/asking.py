"""Asks a model a patient's questions: in batches, and once more for what it left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tasks.adapters.tokens import count_tokens
from tasks.answering.blocks import Shown
from tasks.answering.counting import CountedModel
from tasks.answering.messages import (
    questions_part,
    system_message,
    system_tokens,
    task_message,
)
from tasks.answering.replies import AnswersInput, AnswersReply, Asked, answers_of, by_number
from tasks.answering.views import View
from tasks.contracts.chat import ChatRequest
from tasks.contracts.errors import ModelFailed
from tasks.contracts.evaluation import AnswerOutcome, Budget, Prediction

SHARE_LEFT = 0.75
"""Where a model can't read a prompt, the next one has so much of its room."""

MOST_REDUCTIONS = 6
"""A prompt is made smaller so often at most: to a sixth of its room."""

_ANSWERED_BY_HALVES = ("truncated", "invalid", "refused", "filtered", "context_too_long")
"""Failures that one question of a batch may have brought on the others."""


@dataclass(frozen=True)
class _Result:
    """What became of one question in one request; ``shown`` is null where none was made."""

    answer: str = field(default="", repr=False)
    failure: str = ""
    shown: Shown | None = None
    prompt_tokens: int = 0


@dataclass(frozen=True)
class AnsweringModel:
    """A model that is shown what a view gives."""

    model: CountedModel
    view: View
    budget: Budget

    def answer(self, asked: Sequence[Asked], questions_a_call: int) -> tuple[Prediction, ...]:
        """One prediction a question, in their order; a failed request fails its questions alone.

        Raises ProviderUnavailable where the model answers nobody.
        """
        first = self._in_batches(asked, questions_a_call, attempt=0)
        left_out = [one for one, result in zip(asked, first, strict=True) if _is_open(result)]
        again = self._in_batches(left_out, questions_a_call, attempt=1)
        second = {one.qa_id: result for one, result in zip(left_out, again, strict=True)}
        return tuple(
            _prediction(one, second.get(one.qa_id, result), 2 if one.qa_id in second else 1)
            for one, result in zip(asked, first, strict=True)
        )

    def _in_batches(self, asked: Sequence[Asked], size: int, attempt: int) -> list[_Result]:
        results: list[_Result] = []
        for start in range(0, len(asked), size):
            results += self._batch(asked[start : start + size], attempt)
        return results

    def _batch(self, asked: Sequence[Asked], attempt: int) -> list[_Result]:
        """A result for each question; a batch that fails is asked by halves where that may help."""
        questions = tuple(one.question for one in asked)
        try:
            return self._ask(questions, attempt)
        except _Unanswered as unanswered:
            if len(asked) > 1 and unanswered.outcome in _ANSWERED_BY_HALVES:
                middle = len(asked) // 2
                return self._batch(asked[:middle], attempt) + self._batch(asked[middle:], attempt)
            return [unanswered.result] * len(asked)

    def _ask(self, questions: tuple[str, ...], attempt: int) -> list[_Result]:
        part = questions_part(questions)
        part_tokens = count_tokens(part)
        room = self.budget.prompt_tokens - system_tokens() - part_tokens
        for _ in range(1 + MOST_REDUCTIONS):
            shown = self.view.show(questions[0], room)
            task_tokens = shown.block.tokens + part_tokens
            prompt_tokens = system_tokens() + task_tokens
            if prompt_tokens > self.budget.prompt_tokens:
                raise _Unanswered(_no_room(prompt_tokens, self.budget), "context_too_long", shown)
            try:
                reply = self._complete(questions, part, shown, task_tokens, attempt)
            except ModelFailed as failure:
                if failure.outcome != "context_too_long" or not shown.block.lines:
                    raise _Unanswered(_reason(failure), failure.outcome, shown) from None
                room = int(SHARE_LEFT * min(room, shown.block.tokens))
                continue
            answers = by_number(reply.answers, len(questions))
            return [
                _Result(answers.get(number, ""), "", shown, prompt_tokens)
                for number in range(1, len(questions) + 1)
            ]
        raise _Unanswered(_NEVER_READ, "context_too_long", None)

    def _complete(
        self, questions: tuple[str, ...], part: str, shown: Shown, task_tokens: int, attempt: int
    ) -> AnswersReply:
        request = ChatRequest(
            lambda: (system_message(), task_message(shown.block, part)),
            AnswersInput(summary=shown.summary, lines=shown.block.lines, questions=questions),
            answers_of(len(questions)),
            attempt=attempt,
            maximum_output_tokens=self.budget.output_tokens,
            task_tokens=task_tokens,
        )
        return self.model.complete(request).parsed


class _Unanswered(Exception):
    """A batch that came to nothing."""

    def __init__(self, reason: str, outcome: str, shown: Shown | None) -> None:
        super().__init__(outcome)
        self.outcome = outcome
        self.result = _Result(failure=reason, shown=shown)


_NEVER_READ = f"context_too_long: the model refused the prompt also after {MOST_REDUCTIONS} cuts"


def _no_room(prompt_tokens: int, budget: Budget) -> str:
    return (
        f"context_too_long: the question alone takes {prompt_tokens} tokens of a prompt's "
        f"{budget.prompt_tokens}"
    )


def _reason(failure: ModelFailed) -> str:
    return f"{failure.outcome}: {failure}"


def _is_open(result: _Result) -> bool:
    """Whether a question is asked again: it has no answer, or the reply had no shape."""
    return not result.answer and (not result.failure or result.failure.startswith("invalid:"))


def _prediction(asked: Asked, result: _Result, asked_times: int) -> Prediction:
    outcome: AnswerOutcome = "failed" if result.failure else "answered"
    if not result.failure and not result.answer:
        outcome = "missing"
    shown = result.shown
    stated = Prediction(
        qa_id=asked.qa_id,
        outcome=outcome,
        answer=result.answer,
        reason=result.failure or ("" if result.answer else "not among the replies, asked twice"),
        asked_times=asked_times,
        prompt_tokens=result.prompt_tokens,
    )
    if shown is None:
        return stated
    return stated.model_copy(
        update={
            "shown_turns": shown.turns,
            "all_turns": shown.all_turns,
            "truncated": shown.truncated,
            "shown_sessions": shown.sessions,
            "ranked_admissions": shown.ranked_admissions,
            "ranked_turns": shown.ranked_turns,
            "split_documents": shown.split_documents,
        }
    )
