"""Prefect tasks of timelines and of the release."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from prefect import task
from prefect.cache_policies import NO_CACHE

from tasks.adapters.failures import guarded
from tasks.adapters.recipe import domain_recipe, step_key
from tasks.adapters.retrying import CACHED, RETRIED
from tasks.adapters.workspace import Workspace
from tasks.contracts.build import ArtifactRef, GateResult, Manifest
from tasks.contracts.dialogue import SkippedAdmission
from tasks.contracts.release import (
    PatientSources,
    PatientTimeline,
    ReleaseFacts,
)
from tasks.contracts.statistics import PatientFigures
from tasks.release.sources import load_dialogues, load_questions, load_sessions
from tasks.release.statistics import measure_patient, summarise_release
from tasks.release.timeline import build_timeline, summarise_patient
from tasks.release.writing import finish_release, stage_patient


def timeline_key(
    patient: PatientSources, eligible_admissions: int, skipped: tuple[SkippedAdmission, ...]
) -> str:
    """Cache key: the dialogues, what was skipped and the recipe decide the timeline."""
    parts = [
        domain_recipe("release"),
        str(eligible_admissions),
        *(one.model_dump_json() for one in skipped),
        *(ref.sha256 for ref in patient.dialogues),
    ]
    return step_key("timelines", patient.subject_id, parts)


def _cache_key(_context: Any, given: dict[str, Any]) -> str:
    return timeline_key(given["patient"], given["eligible_admissions"], given["skipped"])


@task(
    name="assemble-timeline",
    task_run_name="timeline {patient.subject_id}",
    cache_key_fn=_cache_key,
    **CACHED,
    **RETRIED,
)
@guarded
def assemble_timeline(
    patient: PatientSources,
    eligible_admissions: int,
    skipped: tuple[SkippedAdmission, ...],
    workspace: Workspace,
) -> ArtifactRef:
    """Join a patient's dialogues in time order and count their turns and tokens."""
    dialogues = load_dialogues(patient, workspace)
    made = PatientTimeline(
        timeline=build_timeline(dialogues),
        summary=summarise_patient(dialogues, eligible_admissions, skipped),
    )
    key = timeline_key(patient, eligible_admissions, skipped)
    return workspace.store(key, made, subject_id=patient.subject_id)


@task(
    name="stage-patient",
    task_run_name="stage {patient.subject_id}",
    tags=["release"],
    cache_policy=NO_CACHE,
    persist_result=False,
    **RETRIED,
)
@guarded
def stage_release_patient(
    patient: PatientSources, folder: str, workspace: Workspace
) -> PatientFigures:
    """Write one patient's release folder into the staged release; returns its figures."""
    sessions = load_sessions(patient, workspace)
    asked = load_questions(patient, workspace)
    stage_patient(Path(folder), sessions, asked)
    return measure_patient(sessions.timeline, asked.benchmark)


@task(
    name="finish-release",
    task_run_name="manifest, statistics and card",
    tags=["release"],
    cache_policy=NO_CACHE,
    persist_result=False,
)
@guarded
def finish_staged_release(
    folder: str,
    facts: ReleaseFacts,
    figures: list[PatientFigures],
    gates: tuple[GateResult, ...],
) -> Manifest:
    """Write manifest, statistics, gate verdicts and card beside the staged patients."""
    return finish_release(Path(folder), facts, summarise_release(figures), gates)
