"""What is audited within one patient: turns against the record, answers against citations."""

from __future__ import annotations

from tasks.audit.grounding.terms import ReleaseTerms
from tasks.audit.grounding.turns import audit_turns
from tasks.audit.support.questions import audit_questions
from tasks.contracts.audit import AuditPatient, PatientAudit


def audit_patient(patient: AuditPatient, terms: ReleaseTerms) -> PatientAudit:
    """Grounding of every turn that has a record, support or answerability of every question."""
    return PatientAudit(
        subject_id=patient.subject_id,
        turns=tuple(turn for session in patient.sessions for turn in audit_turns(session, terms)),
        questions=audit_questions(patient),
    )
