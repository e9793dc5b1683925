"""Prefect tasks of dialogue synthesis."""

from __future__ import annotations

from typing import Any

from prefect import task

from tasks.adapters.failures import guarded
from tasks.adapters.models import ModelSpec, WorkItem, open_model
from tasks.adapters.recipe import digest, domain_recipe, step_key
from tasks.adapters.retrying import RETRY_DELAYS_SECONDS, worth_retrying
from tasks.adapters.workspace import Workspace
from tasks.contracts.build import ArtifactRef, BundleRef
from tasks.contracts.dialogue import PreviousDialogue
from tasks.contracts.records import AdmissionRecord
from tasks.dialogue.synthesis import RULES, synthesise


def dialogue_key(bundle: BundleRef, previous: ArtifactRef | None, spec: ModelSpec) -> str:
    """Cache key: the record, the previous dialogue's summary and the recipe decide the dialogue."""
    recipe = digest([domain_recipe("audit", "dialogue"), spec.model_dump_json()])
    before = previous.sha256 if previous else ""
    return step_key("dialogues", bundle.hadm_id, [bundle.sha256, before, recipe])


def _cache_key(_context: Any, given: dict[str, Any]) -> str:
    return dialogue_key(given["bundle"], given["previous"], given["spec"])


@task(
    name="synthesise-dialogue",
    task_run_name="dialogue {bundle.subject_id} {bundle.hadm_id}",
    tags=["dialogue"],
    cache_key_fn=_cache_key,
    persist_result=True,
    result_serializer="json",
    retries=len(RETRY_DELAYS_SECONDS),
    retry_delay_seconds=RETRY_DELAYS_SECONDS,
    retry_condition_fn=worth_retrying,
)
@guarded
def synthesise_dialogue(
    bundle: BundleRef, previous: ArtifactRef | None, spec: ModelSpec, workspace: Workspace
) -> ArtifactRef:
    """Write one admission's dialogue and summary, after the patient's previous admission."""
    record = workspace.load(bundle.path, bundle.sha256, AdmissionRecord)
    summary = (
        workspace.load(previous.path, previous.sha256, PreviousDialogue).summary
        if previous
        else None
    )
    work = WorkItem(stage="dialogues", subject_id=bundle.subject_id, item=bundle.hadm_id)
    dialogue = synthesise(record, summary, open_model(spec, RULES, work), spec.turns)
    return workspace.store(
        dialogue_key(bundle, previous, spec),
        dialogue,
        subject_id=bundle.subject_id,
        hadm_id=bundle.hadm_id,
    )
