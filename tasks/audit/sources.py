"""A patient's staged files as the audits see a patient of a release."""

from __future__ import annotations

from tasks.adapters.workspace import Workspace
from tasks.contracts.audit import AuditPatient, AuditSession
from tasks.contracts.dialogue import AdmissionDialogue
from tasks.contracts.errors import ItemFailed
from tasks.contracts.release import PatientQuestions, PatientSources


def load_patient(patient: PatientSources, workspace: Workspace) -> AuditPatient:
    """Read a patient's dialogues and questions; raises ItemFailed for a damaged cache."""
    if patient.questions is None:
        raise ItemFailed(f"patient {patient.subject_id}: no questions were written")
    ref = patient.questions
    asked = workspace.load(ref.path, ref.sha256, PatientQuestions)
    dialogues = (
        workspace.load(one.path, one.sha256, AdmissionDialogue) for one in patient.dialogues
    )
    return AuditPatient(
        subject_id=patient.subject_id,
        sessions=tuple(AuditSession.of(one.bundle, one.lines) for one in dialogues),
        questions=asked.benchmark.qas,
    )
