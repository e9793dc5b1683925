"""The questions across a patient's admissions: worked out by code, worded by a language model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tasks.contracts.chat import ChatModel
from tasks.contracts.errors import ItemFailed
from tasks.contracts.questions import (
    CrossQuestionsInput,
    CrossQuestionsReply,
    Question,
    QuestionType,
)
from tasks.qa.composing import Draft
from tasks.qa.cross_questions import CrossPlan, plan_cross_questions
from tasks.qa.generated.counterparts import counterpart, counterpart_wish
from tasks.qa.generated.judging import QuestionJudge
from tasks.qa.generated.keeping import planned_wish
from tasks.qa.generated.replies import Swap
from tasks.qa.generated.wording import PLANNED, Wish, word_questions
from tasks.terminology.normalization import normalize_question

MAXIMUM_PLANS = 8


class Known(NamedTuple):
    """Words that a planned question got before, and whether they are the planned ones."""

    text: str
    as_planned: bool


KnownWords = Mapping[str, Known]
"""By the normalized planned question."""


class SettledPlan(NamedTuple):
    """Questions worked out by code that no audit doubts, and what judged them."""

    plan: CrossPlan
    judge: QuestionJudge


def settled_plan(given: CrossQuestionsInput) -> SettledPlan:
    """Settles targets, golds and citations: a model adds the words.

    Raises ItemFailed where the audits doubt planned questions however they are drawn.
    """
    refused = set(given.refused)
    for _ in range(MAXIMUM_PLANS):
        plan = plan_cross_questions(given.model_copy(update={"refused": tuple(sorted(refused))}))
        judge = QuestionJudge(given.chart, plan.reply.qas)
        doubted = [question for question in plan.reply.qas if judge.faults(question)]
        if not doubted:
            return SettledPlan(plan, judge)
        refused.update(normalize_question(question.question) for question in doubted)
    raise ItemFailed(
        f"patient {given.chart.subject_id}: the audits doubt planned questions across admissions,"
        " however they are drawn"
    )


def ask_across_admissions(
    given: CrossQuestionsInput, model: ChatModel, known: KnownWords | None = None
) -> CrossQuestionsReply:
    """3n questions in a model's words; ``known`` are words that it found before.

    A question whose new words don't keep its meaning stays as planned. Raises ItemFailed where the
    dialogues supply too few questions.
    """
    plan, judge = settled_plan(given)
    work = _Wording(judge, model, plan)
    work.take_over(known or {})
    work.word_answerable()
    work.word_adversarial()
    return plan.reply.model_copy(
        update={
            "qas": tuple(work.worded[question.qa_id] for question in plan.reply.qas),
            "as_planned": tuple(sorted(work.as_planned)),
        }
    )


@dataclass(frozen=True)
class _Planned:
    """A planned question and the draft behind it."""

    question: Question
    draft: Draft

    @property
    def adversarial(self) -> bool:
        return self.question.question_type is QuestionType.ADVERSARIAL


class _Wording:
    """The questions of a plan, as they get their words."""

    def __init__(self, judge: QuestionJudge, model: ChatModel, plan: CrossPlan) -> None:
        self._judge = judge
        self._model = model
        self._plan = [
            _Planned(question, draft)
            for question, draft in zip(plan.reply.qas, plan.drafts, strict=True)
        ]
        self.worded: dict[str, Question] = {}
        self.as_planned: list[str] = []
        self._copied: set[str] = set()

    def take_over(self, known: KnownWords) -> None:
        """Use the words that were found before, where nothing is wrong with them."""
        for planned in self._plan:
            words = known.get(normalize_question(planned.question.question))
            if words is None:
                continue
            question = planned.question.model_copy(update={"question": words.text})
            if not self._judge.faults(question):
                self.worded[question.qa_id] = question
                self.as_planned += [question.qa_id] if words.as_planned else []

    def word_answerable(self) -> None:
        """Have the answerable questions worded; the model isn't told their answers."""
        left = [one for one in self._left() if not one.adversarial]
        self._take([planned_wish(one.question, one.draft, self._judge) for one in left], PLANNED)

    def word_adversarial(self) -> None:
        """Have the others written as counterparts of worded ones, else worded like these."""
        counterparts: list[Wish] = []
        alone: list[Wish] = []
        for planned in self._left():
            wish = self._counterpart(planned)
            if wish is None:
                alone.append(planned_wish(planned.question, planned.draft, self._judge))
            else:
                counterparts.append(wish)
        self._take(alone, PLANNED)
        self._take(counterparts, "cross_adversarial.md")

    def _left(self) -> list[_Planned]:
        return [one for one in self._plan if one.question.qa_id not in self.worded]

    def _take(self, wishes: Sequence[Wish], prompt: str) -> None:
        taken = {
            normalize_question(question.question)
            for question in (*self.worded.values(), *(one.question for one in self._left()))
        }
        own = {normalize_question(wish.planned.question) for wish in wishes}
        worded = word_questions(wishes, prompt, self._model, taken - own)
        self.worded.update({question.qa_id: question for question in worded.questions})
        self.as_planned += worded.as_planned

    def _counterpart(self, planned: _Planned) -> Wish | None:
        """The worded question that a planned one copies, asked about the absent target.

        A question is copied once: three alike would stand out.
        """
        for host in self._plan:
            swaps = _swaps(host.draft, planned.draft)
            if host.adversarial or not swaps or host.question.qa_id in self._copied:
                continue
            about = self.worded[host.question.qa_id].model_copy(
                update={"qa_id": planned.question.qa_id, "evidence": planned.question.evidence}
            )
            copied = counterpart(about, swaps)
            if copied is not None and not self._judge.faults(copied):
                self._copied.add(host.question.qa_id)
                return counterpart_wish(about, swaps, copied, self._judge)
        return None


def _swaps(host: Draft, copy: Draft) -> tuple[Swap, ...]:
    """What differs between a candidate and its adversarial copy; nothing for other pairs."""
    one, other = host.candidate, copy.candidate
    if one.family != other.family or one.slots.keys() != other.slots.keys():
        return ()
    differing = [name for name in one.slots if one.slots[name] != other.slots[name]]
    movable = {*one.targets, "a"} if "ordinal" in one.slots else set(one.targets)
    if not set(differing) <= movable:
        return ()
    return tuple(Swap(old=one.slots[name], new=other.slots[name]) for name in differing)
