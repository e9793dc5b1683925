"""A patient's questions by set, and which of them the support and answerability audits doubt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tasks.audit.support.questions import audit_questions
from tasks.contracts.audit import AuditPatient, AuditSession
from tasks.contracts.questions import (
    AdmissionQuestionsReply,
    CrossQuestionsReply,
    PatientChart,
    Question,
)


@dataclass(frozen=True)
class Asked:
    """A patient's questions by set."""

    single: Mapping[str, AdmissionQuestionsReply]
    cross: CrossQuestionsReply

    def questions(self) -> tuple[Question, ...]:
        """All of them."""
        single = (question for reply in self.single.values() for question in reply.qas)
        return (*single, *self.cross.qas)


def audited(chart: PatientChart, questions: tuple[Question, ...]) -> AuditPatient:
    """A chart and questions about it as the audits see them."""
    return AuditPatient(
        subject_id=chart.subject_id,
        sessions=tuple(AuditSession.of(one.bundle, one.lines) for one in chart.admissions),
        questions=questions,
    )


def doubted_questions(questions: tuple[Question, ...], chart: PatientChart) -> list[Question]:
    """Questions with a fault that the support or answerability audit names."""
    found = audit_questions(audited(chart, questions))
    return [one for one, audit in zip(questions, found, strict=True) if audit.has_fault]
