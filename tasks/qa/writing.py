"""Questions of an admission or a patient: ask the provider, check the rules, repair."""

from __future__ import annotations

from collections.abc import Mapping
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
)
from tasks.qa.admission_questions import write_admission_questions
from tasks.qa.cross_questions import write_cross_questions
from tasks.qa.messages import render_admission_messages, render_cross_messages
from tasks.qa.support import violations

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
    system_message, task_message = render_admission_messages(given)
    request = ChatRequest(system_message, task_message, given, AdmissionQuestionsReply)
    return _accepted(request, given.chart, model, f"admission {given.hadm_id}")


def ask_cross_questions(given: CrossQuestionsInput, model: ChatModel) -> CrossQuestionsReply:
    """3n questions across a patient's n admissions; raises ReplyInvalid after three repairs."""
    system_message, task_message = render_cross_messages(given)
    request = ChatRequest(system_message, task_message, given, CrossQuestionsReply)
    return _accepted(request, given.chart, model, f"patient {given.chart.subject_id}")


def _accepted(
    request: ChatRequest[QuestionsReply], chart: PatientChart, model: ChatModel, item: str
) -> QuestionsReply:
    reply = model.complete(request).parsed
    broken = _violations(reply, chart)
    for _ in range(MAXIMUM_REPAIRS if model.provider != "programmatic" else 0):
        if not broken:
            break
        reply = model.complete(repair_message(request, reply, broken, domain="qa")).parsed
        broken = _violations(reply, chart)
    if broken:
        raise ReplyInvalid(
            f"{item}: the questions break {len(broken)} rules: " + "; ".join(broken[:3]), broken
        )
    return reply


def _violations(
    reply: AdmissionQuestionsReply | CrossQuestionsReply, chart: PatientChart
) -> tuple[str, ...]:
    return tuple(broken for question in reply.qas for broken in violations(question, chart))
