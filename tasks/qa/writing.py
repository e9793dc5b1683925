"""Questions of an admission or a patient: ask the provider, check the rules, repair."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from pydantic import BaseModel

from tasks.adapters.programmatic import Rules
from tasks.adapters.prompts import repair_message
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
from tasks.qa.messages import (
    render_admission_messages,
    render_cross_messages,
    restore_identifiers,
)
from tasks.qa.support import violations
from tasks.qa.tallies import admission_set_violations, cross_set_violations

RULES: Mapping[type[BaseModel], Rules] = {
    AdmissionQuestionsReply: write_admission_questions,
    CrossQuestionsReply: write_cross_questions,
}
"""What the programmatic provider answers question requests with."""

MAXIMUM_REPAIRS = 3

QuestionsReply = TypeVar("QuestionsReply", AdmissionQuestionsReply, CrossQuestionsReply)


def ask_admission_questions(
    given: AdmissionQuestionsInput, model: ChatModel
) -> AdmissionQuestionsReply:
    """Three questions about one admission; raises ReplyInvalid after three failed repairs."""
    chart, hadm_id = given.chart, given.hadm_id

    def broken_by(reply: AdmissionQuestionsReply) -> tuple[str, ...]:
        return (
            *_each_violation(reply.qas, chart),
            *admission_set_violations(reply.qas, chart, hadm_id),
        )

    request = ChatRequest(lambda: render_admission_messages(given), given, AdmissionQuestionsReply)
    return _accepted(
        request, lambda reply: restore_identifiers(reply, chart, hadm_id), broken_by, model
    )


def ask_cross_questions(given: CrossQuestionsInput, model: ChatModel) -> CrossQuestionsReply:
    """3n questions across a patient's n admissions; raises ReplyInvalid after three repairs."""
    chart = given.chart

    def broken_by(reply: CrossQuestionsReply) -> tuple[str, ...]:
        return (
            *_each_violation(reply.qas, chart),
            *cross_set_violations(reply.qas, chart, reply.substitutions),
        )

    request = ChatRequest(lambda: render_cross_messages(given), given, CrossQuestionsReply)
    return _accepted(
        request, lambda reply: restore_identifiers(reply, chart, None), broken_by, model
    )


def _accepted(
    request: ChatRequest[QuestionsReply],
    restore: Callable[[QuestionsReply], QuestionsReply],
    broken_by: Callable[[QuestionsReply], tuple[str, ...]],
    model: ChatModel,
) -> QuestionsReply:
    reply = restore(model.complete(request).parsed)
    broken = broken_by(reply)
    for _ in range(MAXIMUM_REPAIRS if model.provider != "programmatic" else 0):
        if not broken:
            break
        repair = repair_message(request, reply, broken, domain="qa")
        reply = restore(model.complete(repair).parsed)
        broken = broken_by(reply)
    if broken:
        raise ReplyInvalid(
            f"the questions break {len(broken)} rules: " + "; ".join(broken[:3]), broken
        )
    return reply


def _each_violation(questions: Sequence[Question], chart: PatientChart) -> tuple[str, ...]:
    return tuple(broken for question in questions for broken in violations(question, chart))
