"""Prefect tasks of answering: a patient's memories, and a chunk of a patient's questions."""

from __future__ import annotations

from typing import Any

from prefect import task

from tasks.adapters.embedders import open_embedder
from tasks.adapters.failures import guarded
from tasks.adapters.files import make_private, write_json
from tasks.adapters.models import ModelSpec, WorkItem, open_model
from tasks.adapters.retrying import CACHED, RETRIED
from tasks.adapters.workspace import Workspace
from tasks.answering.answers import answer_by_model, answer_unread, asked_of
from tasks.answering.keys import answers_key, memories_key, readable_memories
from tasks.answering.loading import load_patient, load_timeline, ready_patient
from tasks.answering.memory_building import build_store
from tasks.answering.rules import RULES
from tasks.answering.systems import UNREAD, SystemSpec
from tasks.contracts.build import ArtifactRef

_RULED = ModelSpec(provider="programmatic")


def _memories_cache_key(_context: Any, given: dict[str, Any]) -> str:
    return memories_key(given["patient"], given["system"])


def _answers_cache_key(_context: Any, given: dict[str, Any]) -> str:
    names = ("patient", "memories", "system", "first", "count")
    return answers_key(*(given[name] for name in names))


@task(
    name="build-memories",
    task_run_name="memories {patient.subject_id} {system.name}",
    cache_key_fn=_memories_cache_key,
    **CACHED,
    **RETRIED,
)
@guarded
def build_memories(patient: ArtifactRef, system: SystemSpec, workspace: Workspace) -> ArtifactRef:
    """Read a patient's timeline into memories; a copy for people lies beside them."""
    work = WorkItem(stage="memories", subject_id=patient.subject_id, item=system.name)
    model = open_model(system.model or _RULED, RULES, work)
    embedder = open_embedder(system.embedder, patient.subject_id) if system.embedder else None
    timeline = load_timeline(patient, workspace)
    store = build_store(patient.subject_id, system, timeline, model, embedder)
    readable = workspace.cache / readable_memories(system, patient.subject_id)
    make_private(readable.parent.parent)
    make_private(readable.parent)
    write_json(readable, store)
    return workspace.store(memories_key(patient, system), store, subject_id=patient.subject_id)


@task(
    name="answer-questions",
    task_run_name="answers {patient.subject_id} {system.name} {first}",
    cache_key_fn=_answers_cache_key,
    **CACHED,
    **RETRIED,
)
@guarded
def answer_questions(
    patient: ArtifactRef,
    memories: ArtifactRef | None,
    system: SystemSpec,
    first: int,
    count: int,
    workspace: Workspace,
) -> ArtifactRef:
    """Answer ``count`` of a patient's questions from position ``first``, from 0."""
    read = load_patient(patient, workspace)
    asked = asked_of(read, first, count)
    if system.strategy in UNREAD:
        answered = answer_unread(read, system, asked)
    else:
        work = WorkItem(
            stage="answers", subject_id=patient.subject_id, item=f"{system.name} {first}"
        )
        model = open_model(system.model or _RULED, RULES, work)
        ready = ready_patient(patient, memories, system, workspace)
        answered = answer_by_model(patient.subject_id, system, ready, asked, model)
    key = answers_key(patient, memories, system, first, count)
    return workspace.store(key, answered, subject_id=patient.subject_id)
