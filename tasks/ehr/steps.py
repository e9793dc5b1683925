"""Prefect tasks of reading MIMIC and building admission records."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from prefect import task
from prefect.cache_policies import NO_CACHE

from tasks.adapters.failures import guarded
from tasks.adapters.mimic_files import locate_source
from tasks.adapters.mimic_inspection import inspect_files
from tasks.adapters.recipe import digest, domain_recipe, step_key
from tasks.adapters.retrying import CACHED
from tasks.adapters.workspace import Workspace
from tasks.contracts.build import ArtifactRef, CohortRequest, SourceFileInfo
from tasks.ehr.staging import stage_cohort


def bundles_key(inputs: tuple[SourceFileInfo, ...], request: CohortRequest) -> str:
    """Cache key: the files' digests, the cohort asked for and the recipe decide the records."""
    parts = [
        domain_recipe("ehr"),
        request.model_dump_json(),
        *(f"{file.name} {file.sha256}" for file in inputs),
    ]
    return step_key("cohort", "all", [digest(parts)])


def _cache_key(_context: Any, given: dict[str, Any]) -> str:
    return bundles_key(given["inputs"], given["request"])


@task(
    name="read-inputs",
    task_run_name="fingerprints of the inputs",
    tags=["source"],
    cache_policy=NO_CACHE,
    persist_result=False,
)
@guarded
def read_inputs(mimic: str, note: str) -> tuple[SourceFileInfo, ...]:
    """Find MIMIC's files, check their headers and take their digests."""
    return tuple(file.info() for file in inspect_files(locate_source(Path(mimic), Path(note))))


@task(
    name="build-bundles",
    task_run_name="bundles of the cohort",
    tags=["bundles"],
    cache_key_fn=_cache_key,
    **CACHED,
)
@guarded
def build_bundles(
    mimic: str,
    note: str,
    inputs: tuple[SourceFileInfo, ...],
    request: CohortRequest,
    workspace: Workspace,
) -> ArtifactRef:
    """Read the source once, choose the cohort and stage a record for every usable admission."""
    build = stage_cohort(Path(mimic), Path(note), inputs, request, workspace)
    return workspace.store(bundles_key(inputs, request), build, subject_id="")
