"""Which failures of a task are worth another try."""

from __future__ import annotations

from typing import Any

from tasks.contracts.errors import AnamnesisError

RETRY_DELAYS_SECONDS = [1.0, 5.0]


def worth_retrying(_task: Any, _task_run: Any, state: Any) -> bool:
    """True for faults of the machine (a full disk, a lock), false for faults of data or settings.

    Has the shape of Prefect's ``retry_condition_fn``. Provider faults are retried in the chat
    client alone, so the two never multiply.
    """
    failure = state.result(raise_on_failure=False)
    return isinstance(failure, OSError) and not isinstance(failure, AnamnesisError)
