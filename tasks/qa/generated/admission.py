"""The three questions about one admission, by a language model."""

from __future__ import annotations

from collections.abc import Collection

from tasks.contracts.chat import ChatModel
from tasks.contracts.errors import ItemFailed, ReplyInvalid
from tasks.contracts.questions import (
    AdmissionQuestionsInput,
    AdmissionQuestionsReply,
    Question,
    QuestionType,
)
from tasks.qa.admission_questions import AdmissionPlan, plan_admission_questions
from tasks.qa.generated.absent_targets import single_counterpart
from tasks.qa.generated.counterparts import counterpart_wish
from tasks.qa.generated.free_questions import ANSWERABLE, FreeQuestions, same_matter
from tasks.qa.generated.judging import QuestionJudge
from tasks.qa.generated.keeping import planned_wish
from tasks.qa.generated.repairing import Violation
from tasks.qa.generated.wording import PLANNED, Wish, word_questions
from tasks.qa.stays import patient_stays
from tasks.terminology.normalization import normalize_question

MAXIMUM_PLANS = 8


def ask_about_admission(
    given: AdmissionQuestionsInput,
    model: ChatModel,
    before: AdmissionQuestionsReply | None = None,
    doubted: Collection[str] = (),
) -> AdmissionQuestionsReply:
    """A model's own answerable questions, and the counterpart of one of them.

    Where the model's own fail, questions that code has worked out are put in its words. Of the
    questions asked ``before`` only those whose qa_ids are ``doubted`` are asked anew. Raises
    ReplyInvalid where the stay supplies no sound question of a type.
    """
    writer = _Writer(given, model)
    if before is not None:
        writer.keep(before, doubted)
    return writer.reply()


class _Writer:
    """The questions of an admission in the making."""

    def __init__(self, given: AdmissionQuestionsInput, model: ChatModel) -> None:
        self._given = given
        self._model = model
        patient = patient_stays(given.chart)
        self._patient = patient
        self._stay = patient.stays[patient.position_of(given.hadm_id)]
        self._judge = QuestionJudge(given.chart)
        self._found: dict[QuestionType, Question] = {}
        self._substitutions: dict[str, int] = {}
        self._planned: list[str] = []
        self._as_planned: list[str] = []

    def keep(self, before: AdmissionQuestionsReply, doubted: Collection[str]) -> None:
        """Take over the questions that nothing is wrong with."""
        sound = [question for question in before.qas if question.qa_id not in doubted]
        self._found = {question.question_type: question for question in sound}
        self._planned = [one.qa_id for one in sound if one.qa_id in before.planned]
        self._as_planned = [one.qa_id for one in sound if one.qa_id in before.as_planned]
        self._substitutions = {
            kind: count for kind, count in before.substitutions.items() if kind in self._found
        }

    def reply(self) -> AdmissionQuestionsReply:
        """Ask for what is missing."""
        free = FreeQuestions(self._given, self._stay, self._judge, self._found)
        broken = free.ask(self._model)
        self._found.update(free.accepted)
        if free.missing:
            self._word_planned(free.missing, broken)
        if QuestionType.ADVERSARIAL not in self._found:
            self._ask_counterpart()
        return AdmissionQuestionsReply(
            qas=tuple(self._found[kind] for kind in (*ANSWERABLE, QuestionType.ADVERSARIAL)),
            substitutions=self._substitutions,
            planned=tuple(sorted(self._planned)),
            as_planned=tuple(sorted(self._as_planned)),
        )

    def _ask_counterpart(self) -> None:
        hosts = [self._found[kind] for kind in ANSWERABLE]
        found = single_counterpart(self._given, self._patient, self._stay, hosts, self._judge)
        if found is None:
            self._word_planned((QuestionType.ADVERSARIAL,), ())
            return
        wish = counterpart_wish(found.host, found.swaps, found.question, self._judge)
        self._take([wish], "single_adversarial.md")

    def _word_planned(self, kinds: Collection[QuestionType], broken: tuple[Violation, ...]) -> None:
        try:
            plan = self._plan(kinds)
        except ItemFailed as error:
            if not broken:
                raise
            raise _invalid(self._given.hadm_id, broken) from error
        wishes = [
            planned_wish(question, draft, self._judge)
            for question, draft in zip(plan.reply.qas, plan.drafts, strict=True)
            if question.question_type in kinds
        ]
        self._take(wishes, PLANNED)
        self._planned += [wish.planned.qa_id for wish in wishes]
        self._substitutions.update(
            {kind: count for kind, count in plan.reply.substitutions.items() if kind in kinds}
        )

    def _take(self, wishes: list[Wish], prompt: str) -> None:
        taken = {*self._given.refused, *map(_normalized, self._found.values())}
        worded = word_questions(wishes, prompt, self._model, taken)
        self._found.update({question.question_type: question for question in worded.questions})
        self._as_planned += worded.as_planned

    def _plan(self, kinds: Collection[QuestionType]) -> AdmissionPlan:
        """Questions worked out by code that no audit doubts and that ask for something new."""
        refused = {*self._given.refused, *map(_normalized, self._found.values())}
        for _ in range(MAXIMUM_PLANS):
            given = self._given.model_copy(update={"refused": tuple(sorted(refused))})
            plan = plan_admission_questions(given)
            doubted = [
                question
                for question in plan.reply.qas
                if question.question_type in kinds and self._is_no_use(question)
            ]
            if not doubted:
                return plan
            refused.update(map(_normalized, doubted))
        raise ItemFailed(
            f"admission {self._given.hadm_id}: the audits doubt every planned question"
        )

    def _is_no_use(self, question: Question) -> bool:
        repeats = any(same_matter(question, other) for other in self._found.values())
        return repeats or bool(self._judge.faults(question))


def _normalized(question: Question) -> str:
    return normalize_question(question.question)


def _invalid(hadm_id: str, broken: tuple[Violation, ...]) -> ReplyInvalid:
    public = tuple(violation.public for violation in broken)
    return ReplyInvalid(
        f"admission {hadm_id}: the questions break {len(public)} rules after every repair: "
        + "; ".join(public[:3]),
        public,
    )
