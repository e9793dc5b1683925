"""Waits until Prefect's server has recorded a flow run's history.

Task runs reach the server's database through a queue of events; a process or server that ends
before the queue is empty loses them.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING
from uuid import UUID

import httpx

if TYPE_CHECKING:
    from prefect.client.orchestration import SyncPrefectClient

# Longer than the recorder's flush interval (1 s): a count that stays that long is complete.
_SETTLED_SECONDS = 1.5
_POLL_SECONDS = 0.1

ENDED = ["COMPLETED", "FAILED", "CRASHED", "CANCELLED"]


def drain_history(flow_run_id: str, *, timeout_seconds: float = 120) -> bool:
    """Wait until every task run of a flow run is recorded in a terminal state.

    False where that took longer than the timeout or the server went away; never raises for those.
    """
    deadline = time.monotonic() + timeout_seconds
    if not _send_events(timeout_seconds):
        return False
    last = -1
    settled_since = time.monotonic()
    while time.monotonic() < deadline:
        counts = _counts(flow_run_id)
        if counts is None:
            return False
        total, terminal = counts
        if total != last or terminal < total:
            last, settled_since = total, time.monotonic()
        elif time.monotonic() - settled_since >= _SETTLED_SECONDS:
            return True
        time.sleep(_POLL_SECONDS)
    return False


def close_killed_run(flow_run_id: str, pid: int, host: str) -> None:
    """Mark a flow run whose process was killed, and its open task runs, as Crashed.

    Prefect itself can't know. For whoever holds the lock that the killed process held. A run that
    another server knows, or that has ended, stays as it is.
    """
    from prefect.client.orchestration import get_client
    from prefect.exceptions import PrefectException
    from prefect.runtime import flow_run
    from prefect.states import Crashed

    message = f"process {pid} on {host} was killed; the work is taken up by run {flow_run.id}"
    try:
        with get_client(sync_client=True) as client:
            state = client.read_flow_run(UUID(flow_run_id)).state
            if state is None or not state.is_final():
                client.set_flow_run_state(flow_run_id, Crashed(message=message), force=True)
                for open_run in _open_task_runs(client, flow_run_id):
                    client.set_task_run_state(open_run, Crashed(message=message), force=True)
    except (httpx.HTTPError, PrefectException, ValueError):
        return


def _open_task_runs(client: SyncPrefectClient, flow_run_id: str) -> list[UUID]:
    """What a killed process was at: at most as many as it worked on at once."""
    query = {
        "flow_runs": {"id": {"any_": [flow_run_id]}},
        "task_runs": {"state": {"type": {"any_": ["PENDING", "RUNNING", "SCHEDULED"]}}},
    }
    return [
        UUID(str(one["id"]))
        for one in client.request("POST", "/task_runs/filter", json=query).json()
    ]


def _send_events(timeout_seconds: float) -> bool:
    """Send everything that this process has still to tell the server."""
    from prefect.events.worker import EventsWorker

    waited = EventsWorker.drain_all(timeout=timeout_seconds, at_exit=False)
    return not (isinstance(waited, tuple) and waited[1])


def _counts(flow_run_id: str) -> tuple[int, int] | None:
    """How many task runs are recorded, and how many of them ended."""
    from prefect.client.orchestration import get_client

    of_run: dict[str, object] = {"flow_runs": {"id": {"any_": [flow_run_id]}}}
    ended: dict[str, object] = {"task_runs": {"state": {"type": {"any_": ENDED}}}}
    try:
        with get_client(sync_client=True) as client:
            terminal = client.request("POST", "/task_runs/count", json=of_run | ended).json()
            total = client.request("POST", "/task_runs/count", json=of_run).json()
    except httpx.HTTPError:
        return None
    return int(total), int(terminal)
