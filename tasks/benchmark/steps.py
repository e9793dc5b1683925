"""Prefect tasks that read a release to be evaluated."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from prefect import task

from tasks.adapters.failures import guarded
from tasks.adapters.recipe import domain_recipe, step_key
from tasks.adapters.retrying import CACHED, RETRIED
from tasks.adapters.workspace import Workspace
from tasks.benchmark.reading import files_digests, read_benchmark_patient
from tasks.contracts.build import ArtifactRef


def patient_key(folder: str) -> str:
    """Cache key: the two files and how they are read; raises ReleaseError for a missing one."""
    path = Path(folder)
    parts = [path.name, *files_digests(path), domain_recipe("audit", "benchmark")]
    return step_key("patients", path.name, parts)


def _cache_key(_context: Any, given: dict[str, Any]) -> str:
    return patient_key(given["folder"])


@task(
    name="read-patient",
    task_run_name="read {folder}",
    cache_key_fn=_cache_key,
    **CACHED,
    **RETRIED,
)
@guarded
def read_patient(folder: str, workspace: Workspace) -> ArtifactRef:
    """Read one patient's timeline and questions into the cache."""
    patient = read_benchmark_patient(Path(folder))
    return workspace.store(patient_key(folder), patient, subject_id=patient.subject_id)
