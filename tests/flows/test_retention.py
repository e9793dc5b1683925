from __future__ import annotations

import uuid

import pytest
from prefect import flow, get_client, task
from prefect.client.schemas.filters import FlowRunFilter, FlowRunFilterId
from prefect.runtime import flow_run

from flows.history import drain_history
from flows.retention import FLOWS, prune_history

pytestmark = pytest.mark.usefixtures("prefect_server")

OURS = ("first-of-ours", "last-of-ours")


@pytest.fixture(autouse=True)
def own_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other tests' runs on the same server have the real names: deleting them takes a minute."""
    monkeypatch.setattr("flows.retention.FLOWS", OURS)


@task
def work() -> None:
    return


def run_flow(name: str) -> str:
    @flow(name=name)
    def worked() -> str:
        work()
        return str(flow_run.get_id())

    run_id = worked()
    assert drain_history(run_id, timeout_seconds=120)
    return run_id


def left(*runs: str) -> set[str]:
    with get_client(sync_client=True) as client:
        wanted = FlowRunFilterId(any_=[uuid.UUID(run) for run in runs])
        found = client.read_flow_runs(flow_run_filter=FlowRunFilter(id=wanted))
    return {str(run.id) for run in found}


@pytest.mark.parametrize("name", OURS)
def test_only_this_programs_runs_are_deleted(name: str) -> None:
    ours, theirs = run_flow(name), run_flow("somebody-elses-flow")
    prune_history(0, dry_run=True)
    assert left(ours, theirs) == {ours, theirs}
    prune_history(0)
    assert left(ours, theirs) == {theirs}


def test_names_are_those_of_the_flows() -> None:
    from flows.build_benchmark import build_benchmark
    from flows.build_benchmark_demo import build_benchmark_demo
    from flows.evaluate_benchmark import evaluate_benchmark
    from flows.evaluate_preconsultation import evaluate_preconsultation
    from flows.evaluate_rubrics import evaluate_rubrics
    from flows.generate_rubrics import generate_rubrics

    assert (
        build_benchmark.name,
        build_benchmark_demo.name,
        evaluate_benchmark.name,
        generate_rubrics.name,
        evaluate_rubrics.name,
        evaluate_preconsultation.name,
    ) == FLOWS


def test_recent_runs_stay() -> None:
    ours = run_flow(OURS[0])
    prune_history(1)
    assert left(ours) == {ours}
