from __future__ import annotations

import os
import uuid

import pytest
from prefect import flow, get_client, task
from prefect.runtime import flow_run

from flows.history import close_killed_run, drain_history
from flows.scheduling import ChainOutcome, run_chains

pytestmark = pytest.mark.usefixtures("prefect_server")


@task
def work(item: int, previous: int | None) -> int:
    if item == 13:
        raise ValueError("unlucky")
    return item + (previous or 0)


def run_items(chains: list[list[int]]) -> tuple[str, ChainOutcome[int, int]]:
    @flow(name="history")
    def history() -> tuple[str, ChainOutcome[int, int]]:
        outcome = run_chains(
            chains,
            lambda item, previous: work.submit(item, previous),
            concurrency=4,
            weight=lambda _: 1.0,
        )
        return str(flow_run.get_id()), outcome

    return history()


def recorded(run_id: str) -> dict[str, int]:
    counts: dict[str, int] = {}
    for state in ("COMPLETED", "FAILED", "RUNNING", "PENDING"):
        with get_client(sync_client=True) as client:
            counts[state] = client.request(
                "POST",
                "/task_runs/count",
                json={
                    "flow_runs": {"id": {"any_": [run_id]}},
                    "task_runs": {"state": {"type": {"any_": [state]}}},
                },
            ).json()
    return counts


def test_every_task_run_is_recorded_and_ended_after_draining() -> None:
    run_id, outcome = run_items([[1, 2, 3]] * 20 + [[13, 4]])
    assert drain_history(run_id, timeout_seconds=120)
    assert recorded(run_id) == {"COMPLETED": 60, "FAILED": 1, "RUNNING": 0, "PENDING": 0}
    assert [item.result for item in outcome.chains[0]] == [1, 3, 6]
    assert [(item.item, item.reason) for item in outcome.of("skipped")] == [
        (4, "predecessor_failed")
    ]
    assert isinstance(outcome.of("failed")[0].error, ValueError)


def test_time_that_is_too_short_is_told() -> None:
    run_id, _ = run_items([[1]])
    assert drain_history(run_id, timeout_seconds=0) is False


def test_run_without_tasks_is_drained() -> None:
    assert drain_history(str(uuid.uuid4()), timeout_seconds=60)


def test_task_runs_of_a_killed_process_end_with_its_flow_run() -> None:
    from prefect.states import Completed, Running

    with get_client(sync_client=True) as client:

        @flow(name="killed")
        def killed() -> None:
            return

        run = client.create_flow_run(killed, state=Running())
        tasks = [
            client.create_task_run(work, run.id, dynamic_key=str(number), state=state).id
            for number, state in enumerate((Running(), Completed()))
        ]

        @flow(name="next")
        def taken_up() -> None:
            close_killed_run(str(run.id), os.getpid(), "here")

        taken_up()
        assert [client.read_flow_run(run.id).state_name] == ["Crashed"]
        states = [client.read_task_run(one).state_name for one in tasks]
    assert states == ["Crashed", "Completed"]
