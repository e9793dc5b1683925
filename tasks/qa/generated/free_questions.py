"""A model's own questions about one stay, taken one by one as they prove sound."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tasks.contracts.chat import ChatModel, ChatRequest
from tasks.contracts.questions import AdmissionQuestionsInput, Question, QuestionType
from tasks.qa.generated.drafts import Asked, read_draft
from tasks.qa.generated.judging import QuestionJudge
from tasks.qa.generated.messages import drafting_messages
from tasks.qa.generated.repairing import Violation, ask_with_repairs
from tasks.qa.generated.replies import DraftingTask, QuestionDraft, QuestionDrafts
from tasks.qa.stays import Stay
from tasks.terminology.normalization import normalize_question

ANSWERABLE = (QuestionType.MEDICAL_REASONING, QuestionType.CARE_PLAN_RATIONALE)
FREE_ATTEMPTS = 2
"""Requests for a model's own questions, each with its repairs and from another seed."""

OUTPUT_TOKENS = 1500


class FreeQuestions:
    """The answerable questions of a stay; ``accepted`` are those that are sound so far."""

    def __init__(
        self,
        given: AdmissionQuestionsInput,
        stay: Stay,
        judge: QuestionJudge,
        kept: Mapping[QuestionType, Question],
    ) -> None:
        self._given = given
        self._stay = stay
        self._judge = judge
        self._refused = frozenset(given.refused)
        self.accepted = {kind: kept[kind] for kind in ANSWERABLE if kind in kept}

    @property
    def missing(self) -> tuple[QuestionType, ...]:
        """Types without a sound question."""
        return tuple(kind for kind in ANSWERABLE if kind not in self.accepted)

    def ask(self, model: ChatModel) -> tuple[Violation, ...]:
        """Ask for what is missing, twice at most; returns what is wrong with the last reply."""
        broken: tuple[Violation, ...] = ()
        for attempt in range(FREE_ATTEMPTS):
            if self.missing:
                broken = ask_with_repairs(self._request(attempt), self.take, model)
        return broken

    def _request(self, attempt: int) -> ChatRequest[QuestionDrafts]:
        task = DraftingTask(
            chart=self._given.chart,
            hadm_id=self._given.hadm_id,
            types=self.missing,
            avoid=(*self._given.refused, *(one.question for one in self.accepted.values())),
        )
        return ChatRequest(
            lambda: drafting_messages(task),
            task,
            QuestionDrafts,
            attempt=attempt,
            maximum_output_tokens=OUTPUT_TOKENS,
        )

    def take(self, reply: QuestionDrafts) -> tuple[Violation, ...]:
        """Keep the questions that are sound and name what is wrong with the others."""
        drafts = {_type_of(draft): draft for draft in reply.questions}
        return tuple(
            Violation(f"{kind}: {fault}", f"`{kind}`: {fault}")
            for kind in self.missing
            for fault in self._faults(kind, drafts.get(kind))
        )

    def _faults(self, kind: QuestionType, draft: QuestionDraft | None) -> Iterator[str]:
        if draft is None:
            yield "the question is missing"
            return
        asked = Asked(question_id(self._given, kind), kind)
        question, faults = read_draft(draft, asked, self._stay, self._judge)
        yield from faults
        if question is None:
            return
        if normalize_question(question.question) in self._refused:
            yield "this question must not be asked"
        elif any(same_matter(question, other) for other in self.accepted.values()):
            yield "the other question asks for the same already"
        else:
            self.accepted[kind] = question


def question_id(given: AdmissionQuestionsInput, kind: QuestionType) -> str:
    """The id of an admission's question of a type; they are filed in a fixed order."""
    number = (*ANSWERABLE, QuestionType.ADVERSARIAL).index(kind) + 1
    return f"{given.chart.subject_id}_{given.hadm_id}_q{number:02d}"


def same_matter(one: Question, other: Question) -> bool:
    """Two questions that are worded alike, or have one answer from the same turns."""
    return normalize_question(one.question) == normalize_question(other.question) or (
        one.evidence.turns == other.evidence.turns
        and one.answer.casefold() == other.answer.casefold()
    )


def _type_of(draft: QuestionDraft) -> str:
    return "_".join(draft.question_type.casefold().replace("-", " ").replace("_", " ").split())
