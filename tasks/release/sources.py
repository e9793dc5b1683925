"""Reads a patient's staged files back."""

from __future__ import annotations

from tasks.adapters.workspace import Workspace
from tasks.contracts.dialogue import AdmissionDialogue
from tasks.contracts.errors import ItemFailed
from tasks.contracts.release import (
    PatientQuestions,
    PatientSessions,
    PatientSources,
    PatientTimeline,
)


def load_dialogues(patient: PatientSources, workspace: Workspace) -> tuple[AdmissionDialogue, ...]:
    """A patient's accepted dialogues in time order; raises ItemFailed for a damaged cache."""
    return tuple(
        workspace.load(ref.path, ref.sha256, AdmissionDialogue) for ref in patient.dialogues
    )


def load_sessions(patient: PatientSources, workspace: Workspace) -> PatientSessions:
    """A patient's dialogues with their timeline; raises ItemFailed where there is none yet."""
    if patient.timeline is None:
        raise ItemFailed(f"patient {patient.subject_id}: no timeline was made")
    ref = patient.timeline
    made = workspace.load(ref.path, ref.sha256, PatientTimeline)
    return PatientSessions(
        dialogues=load_dialogues(patient, workspace),
        timeline=made.timeline,
        summary=made.summary,
    )


def load_questions(patient: PatientSources, workspace: Workspace) -> PatientQuestions:
    """A patient's questions; raises ItemFailed where there are none yet."""
    if patient.questions is None:
        raise ItemFailed(f"patient {patient.subject_id}: no questions were written")
    ref = patient.questions
    return workspace.load(ref.path, ref.sha256, PatientQuestions)
