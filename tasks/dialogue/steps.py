"""Prefect tasks of dialogue synthesis.

Tasks of which there are thousands have no tags: before each one with tags Prefect asks its server
for a place among the runs with that tag, and 64 workers wait for the answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from prefect import task

from tasks.adapters.failures import guarded
from tasks.adapters.models import ModelSpec, WorkItem, model_recipe, open_model
from tasks.adapters.recipe import digest, domain_recipe, step_key
from tasks.adapters.retrying import CACHED, RETRIED
from tasks.adapters.workspace import Workspace
from tasks.audit.grounding.terms import build_terms
from tasks.audit.term_names import names_of
from tasks.contracts.build import ArtifactRef, BundleRef
from tasks.contracts.dialogue import PreviousDialogue
from tasks.contracts.records import AdmissionRecord
from tasks.dialogue.examining import Apart, Case
from tasks.dialogue.synthesis import RULES, synthesise


def record_terms_key(bundles: Sequence[BundleRef]) -> str:
    """Cache key: the records and the recipe decide what counts as a name."""
    parts = [domain_recipe("audit"), *(bundle.sha256 for bundle in bundles)]
    return step_key("dialogues", "terms", parts)


def dialogue_key(
    bundle: BundleRef,
    previous: ArtifactRef | None,
    spec: ModelSpec,
    terms: ArtifactRef | None = None,
) -> str:
    """Cache key: the record, the previous dialogue's summary and the recipe decide the dialogue.

    So do the terms by which the claims of a model are judged.
    """
    recipe = digest([domain_recipe("audit", "dialogue"), model_recipe(spec)])
    before = [previous.sha256 if previous else "", *([terms.sha256] if terms else [])]
    return step_key("dialogues", bundle.hadm_id, [bundle.sha256, *before, recipe])


def _terms_cache_key(_context: Any, given: dict[str, Any]) -> str:
    return record_terms_key(given["bundles"])


def _cache_key(_context: Any, given: dict[str, Any]) -> str:
    return dialogue_key(given["bundle"], given["previous"], given["spec"], given["terms"])


@task(
    name="collect-record-terms",
    task_run_name="terms of the cohort's records",
    cache_key_fn=_terms_cache_key,
    **CACHED,
)
@guarded
def collect_record_terms(bundles: tuple[BundleRef, ...], workspace: Workspace) -> ArtifactRef:
    """Collect what the audit of a release with these records counts as a name."""
    records = (workspace.load(one.path, one.sha256, AdmissionRecord) for one in bundles)
    names = names_of(build_terms(record.bundle for record in records))
    return workspace.store(record_terms_key(bundles), names, subject_id="")


@task(
    name="synthesise-dialogue",
    task_run_name="dialogue {bundle.subject_id} {bundle.hadm_id}",
    cache_key_fn=_cache_key,
    **CACHED,
    **RETRIED,
)
@guarded
def synthesise_dialogue(
    bundle: BundleRef,
    previous: ArtifactRef | None,
    spec: ModelSpec,
    workspace: Workspace,
    terms: ArtifactRef | None = None,
    urgency: float = 0.0,
) -> ArtifactRef:
    """Write one admission's dialogue and summary, after the patient's previous admission.

    ``terms`` are for a language model, which can name what only another record holds. ``urgency``,
    the work that waits for this admission, decides whose reply is checked first.
    """
    record = workspace.load(bundle.path, bundle.sha256, AdmissionRecord)
    summary = (
        workspace.load(previous.path, previous.sha256, PreviousDialogue).summary
        if previous
        else None
    )
    work = WorkItem(stage="dialogues", subject_id=bundle.subject_id, item=bundle.hadm_id)
    case = Case(workspace=workspace, bundle=bundle, previous=summary, turns=spec.turns, terms=terms)
    dialogue = synthesise(
        record,
        summary,
        open_model(spec, RULES, work),
        spec.turns,
        lambda given: Apart(case, given, urgency),
    )
    return workspace.store(
        dialogue_key(bundle, previous, spec, terms),
        dialogue,
        subject_id=bundle.subject_id,
        hadm_id=bundle.hadm_id,
    )
