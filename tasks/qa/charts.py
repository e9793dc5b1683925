"""Reads staged records and dialogues into the charts that questions are written from."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from tasks.adapters.workspace import Workspace
from tasks.contracts.build import ArtifactRef, BundleRef
from tasks.contracts.dialogue import AdmissionDialogue
from tasks.contracts.questions import ChartAdmission, Lexicon, PatientChart
from tasks.contracts.records import AdmissionRecord
from tasks.contracts.release import PatientSources
from tasks.qa.record_lexicon import told_in_full

_CHARTS_IN_MEMORY = 4


def load_chart(patient: PatientSources, workspace: Workspace) -> PatientChart:
    """All admissions of a patient with their dialogues."""
    return _read_chart(patient.model_dump_json(), workspace.out)


def load_stay_chart(
    records: Sequence[BundleRef], dialogue: ArtifactRef, workspace: Workspace
) -> PatientChart:
    """An admission with its dialogue, and without theirs those that have the same two dates.

    Questions about one stay are proven by its record, and by those they can't be told from.
    """
    own = next(ref for ref in records if ref.hadm_id == dialogue.hadm_id)
    began = [
        _load_admission(ref, dialogue, workspace) if ref is own else _untold(ref, workspace)
        for ref in records
        if ref.admission_start.date() == own.admission_start.date()
    ]
    left = next(one.bundle.admission_end.date() for one in began if one.lines)
    return PatientChart(
        subject_id=dialogue.subject_id,
        admissions=tuple(one for one in began if one.bundle.admission_end.date() == left),
    )


def load_record_chart(bundles: Sequence[BundleRef], workspace: Workspace) -> PatientChart:
    """A patient's records as if each dialogue told all of them."""
    records = [workspace.load(ref.path, ref.sha256, AdmissionRecord) for ref in bundles]
    return told_in_full(bundles[0].subject_id, records)


def load_lexicon(lexicon: ArtifactRef, workspace: Workspace) -> Lexicon:
    """The cohort's lexicon; the one read last is kept."""
    return _read_lexicon(lexicon.path, lexicon.sha256, workspace.out)


@lru_cache(maxsize=_CHARTS_IN_MEMORY)
def _read_chart(sources: str, out: str) -> PatientChart:
    """A patient's chart; kept for the patient's other tasks, which need the same one."""
    patient, workspace = PatientSources.model_validate_json(sources), Workspace(out=out)
    return PatientChart(
        subject_id=patient.subject_id,
        admissions=tuple(
            _load_admission(bundle, dialogue, workspace)
            for bundle, dialogue in zip(patient.bundles, patient.dialogues, strict=True)
        ),
    )


@lru_cache(maxsize=1)
def _read_lexicon(path: str, sha256: str, out: str) -> Lexicon:
    return Workspace(out=out).load(path, sha256, Lexicon)


def _untold(bundle: BundleRef, workspace: Workspace) -> ChartAdmission:
    record = workspace.load(bundle.path, bundle.sha256, AdmissionRecord)
    return ChartAdmission(bundle=record.bundle, facts=record.facts, lines=())


def _load_admission(
    bundle: BundleRef, dialogue: ArtifactRef, workspace: Workspace
) -> ChartAdmission:
    record = workspace.load(bundle.path, bundle.sha256, AdmissionRecord)
    spoken = workspace.load(dialogue.path, dialogue.sha256, AdmissionDialogue)
    return ChartAdmission(bundle=spoken.bundle, facts=record.facts, lines=spoken.lines)
