"""Asks a language model otherwise where the audits of a whole patient doubt a question."""

from __future__ import annotations

from dataclasses import replace

from tasks.contracts.chat import ChatModel
from tasks.contracts.errors import ItemFailed
from tasks.contracts.questions import (
    AdmissionQuestionsInput,
    CrossQuestionsInput,
    CrossQuestionsReply,
    Lexicon,
    PatientChart,
)
from tasks.qa.doubts import Asked, doubted_questions
from tasks.qa.generated.across import Known, ask_across_admissions, settled_plan
from tasks.qa.generated.admission import ask_about_admission
from tasks.terminology.normalization import normalize_question

MAXIMUM_ROUNDS = 4


def settle_worded(asked: Asked, chart: PatientChart, lexicon: Lexicon, model: ChatModel) -> Asked:
    """The questions, those doubted asked otherwise; whatever isn't doubted stays as it is.

    Beside another stay's dialogue a question can have a second answer, or repeat another one.
    Raises ItemFailed where doubts are left in the end.
    """
    work = _Settling(asked, chart, lexicon, model)
    doubted = work.doubted()
    for _ in range(MAXIMUM_ROUNDS):
        if not doubted:
            break
        work.ask_otherwise(doubted)
        doubted = work.doubted()
    if doubted:
        ids = ", ".join(sorted(doubted)[:3])
        raise ItemFailed(
            f"patient {chart.subject_id}: the audits doubt {len(doubted)} questions, however they "
            f"are asked: {ids}"
        )
    return work.asked


class _Settling:
    """A patient's questions as the doubted ones are replaced."""

    def __init__(
        self, asked: Asked, chart: PatientChart, lexicon: Lexicon, model: ChatModel
    ) -> None:
        self.asked = asked
        self._chart = chart
        self._lexicon = lexicon
        self._model = model
        self._refused: set[str] = set()
        self._plans_refused: set[str] = set()

    def doubted(self) -> frozenset[str]:
        """qa_ids that an audit doubts, or that repeat an earlier question."""
        questions = self.asked.questions()
        doubted = {question.qa_id for question in doubted_questions(questions, self._chart)}
        seen: set[str] = set()
        for question in questions:
            normalized = normalize_question(question.question)
            if normalized in seen:
                doubted.add(question.qa_id)
            seen.add(normalized)
        return frozenset(doubted)

    def ask_otherwise(self, doubted: frozenset[str]) -> None:
        """Ask anew what is doubted, and never again what was."""
        single = dict(self.asked.single)
        self._refused.update(
            normalize_question(one.question)
            for one in self.asked.questions()
            if one.qa_id in doubted
        )
        for hadm_id, reply in single.items():
            if any(question.qa_id in doubted for question in reply.qas):
                given = AdmissionQuestionsInput(
                    chart=self._chart,
                    hadm_id=hadm_id,
                    lexicon=self._lexicon,
                    refused=tuple(sorted(self._refused)),
                )
                single[hadm_id] = ask_about_admission(given, self._model, reply, doubted)
        cross = self.asked.cross
        if any(question.qa_id in doubted for question in cross.qas):
            cross = self._ask_across(doubted)
        self.asked = replace(self.asked, single=single, cross=cross)

    def _ask_across(self, doubted: frozenset[str]) -> CrossQuestionsReply:
        """Doubted words give way to the planned ones, doubted planned ones to another plan."""
        cross = self.asked.cross
        plan = settled_plan(self._given()).plan.reply
        known: dict[str, Known] = {}
        for planned, question in zip(plan.qas, cross.qas, strict=True):
            key = normalize_question(planned.question)
            if question.qa_id not in doubted:
                known[key] = Known(question.question, question.qa_id in cross.as_planned)
            elif normalize_question(question.question) != key:
                known[key] = Known(planned.question, as_planned=True)
            else:
                self._plans_refused.add(key)
        return ask_across_admissions(self._given(), self._model, known)

    def _given(self) -> CrossQuestionsInput:
        return CrossQuestionsInput(
            chart=self._chart,
            lexicon=self._lexicon,
            refused=tuple(sorted(self._plans_refused)),
        )
