"""Which results of a task are kept, and which of its failures are worth another try."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, TypeVar

import httpx

from tasks.contracts.errors import AnamnesisError, ServerLost

R = TypeVar("R")

RETRY_DELAYS_SECONDS = [1.0, 5.0]
SERVER_DELAYS_SECONDS = [1.0, 2.0, 4.0, 8.0, 15.0]
"""Long enough for Prefect's server to be started again."""


def worth_retrying(_task: Any, _task_run: Any, state: Any) -> bool:
    """True for faults of the machine (a full disk, a lock), false for faults of data or settings.

    Has the shape of Prefect's ``retry_condition_fn``. Provider faults are retried in the chat
    client alone, so the two never multiply.
    """
    failure = state.result(raise_on_failure=False)
    return isinstance(failure, OSError) and not isinstance(failure, AnamnesisError)


CACHED: dict[str, Any] = {"persist_result": True, "result_serializer": "json"}
"""Options of a Prefect task whose result is kept under its cache key."""

RETRIED: dict[str, Any] = {
    "retries": len(RETRY_DELAYS_SECONDS),
    "retry_delay_seconds": RETRY_DELAYS_SECONDS,
    "retry_condition_fn": worth_retrying,
}
"""Options of a Prefect task that is tried again after a fault of the machine."""


def patiently(call: Callable[[], R]) -> R:
    """Call Prefect's server, and again while it can't be reached: Prefect doesn't always.

    Raises ServerLost where it stays away.
    """
    for seconds in (*SERVER_DELAYS_SECONDS, None):
        try:
            return call()
        except httpx.TransportError:
            if seconds is not None:
                time.sleep(seconds)
    raise ServerLost
