"""Prefect task of the gates."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl
from prefect import task
from prefect.artifacts import create_table_artifact
from prefect.cache_policies import NO_CACHE

from tasks.adapters.failures import guarded
from tasks.adapters.retrying import patiently
from tasks.contracts.build import GateResult
from tasks.gates.suites import require, run_gate


@task(
    name="check-gate",
    task_run_name="gate {stage}",
    tags=["gate"],
    cache_policy=NO_CACHE,
    persist_result=False,
)
@guarded
def check_gate(stage: str, tables: Mapping[str, pl.DataFrame]) -> GateResult:
    """Judge a stage's tables and publish the verdict; raises GateFailed."""
    result = run_gate(stage, tables)
    patiently(lambda: _publish(result))
    require(result)
    return result


def _publish(result: GateResult) -> None:
    verdict = "passed" if result.success else "FAILED"
    create_table_artifact(
        key=f"gate-{result.stage.replace('_', '-')}",
        table=[
            {
                "met": "yes" if line.success else "no",
                "rule": line.notes,
                "expectation": line.expectation,
                "failed rows": line.failed_rows,
                "first ids": ", ".join(line.first_ids),
                "could not be evaluated": line.error,
            }
            for line in sorted(result.results, key=lambda one: one.success)
        ],
        description=f"Gate {result.stage}: {verdict}, {result.rows} rows",
    )
