"""Questions of an admission or a patient, by the provider asked; programmatic ones are checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import BaseModel

from tasks.adapters.programmatic import Rules
from tasks.contracts.chat import ChatModel, ChatRequest
from tasks.contracts.errors import ReplyInvalid
from tasks.contracts.questions import (
    AdmissionQuestionsInput,
    AdmissionQuestionsReply,
    CrossQuestionsInput,
    CrossQuestionsReply,
    PatientChart,
    Question,
)
from tasks.qa.admission_questions import write_admission_questions
from tasks.qa.cross_questions import write_cross_questions
from tasks.qa.generated.across import ask_across_admissions
from tasks.qa.generated.admission import ask_about_admission
from tasks.qa.support import violations
from tasks.qa.tallies import admission_set_violations, cross_set_violations

RULES: Mapping[type[BaseModel], Rules] = {
    AdmissionQuestionsReply: write_admission_questions,
    CrossQuestionsReply: write_cross_questions,
}
"""What the programmatic provider answers question requests with."""


def ask_admission_questions(
    given: AdmissionQuestionsInput, model: ChatModel
) -> AdmissionQuestionsReply:
    """Three questions about one admission; raises ReplyInvalid where no sound ones are found."""
    if model.provider != "programmatic":
        return ask_about_admission(given, model)
    request = ChatRequest(_no_messages, given, AdmissionQuestionsReply)
    reply = model.complete(request).parsed
    _refuse(
        *_each_violation(reply.qas, given.chart),
        *admission_set_violations(reply.qas, given.chart, given.hadm_id),
    )
    return reply


def ask_cross_questions(given: CrossQuestionsInput, model: ChatModel) -> CrossQuestionsReply:
    """3n questions across a patient's n admissions; raises ReplyInvalid likewise."""
    if model.provider != "programmatic":
        return ask_across_admissions(given, model)
    request = ChatRequest(_no_messages, given, CrossQuestionsReply)
    reply = model.complete(request).parsed
    _refuse(
        *_each_violation(reply.qas, given.chart),
        *cross_set_violations(reply.qas, given.chart, reply.substitutions),
    )
    return reply


def _no_messages() -> tuple[str, str]:
    """The programmatic provider reads the payload alone."""
    return "", ""


def _refuse(*broken: str) -> None:
    if broken:
        raise ReplyInvalid(
            f"the questions break {len(broken)} rules: " + "; ".join(broken[:3]), broken
        )


def _each_violation(questions: Sequence[Question], chart: PatientChart) -> tuple[str, ...]:
    return tuple(broken for question in questions for broken in violations(question, chart))
