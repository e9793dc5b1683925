"""Waits until Prefect's server has recorded a flow run's history."""

from __future__ import annotations


def drain_history(flow_run_id: str, *, timeout_seconds: float = 120) -> bool:
    """Wait until every task run of a flow run is recorded in a terminal state.

    False where that took longer than the timeout or the server went away; never raises for those.
    """
    raise NotImplementedError
