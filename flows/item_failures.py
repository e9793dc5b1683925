"""What became of an item of a run, and whether its failure ends the run."""

from __future__ import annotations

from typing import Any

from flows.scheduling import ItemOutcome
from tasks.adapters.failures import describe, stops_everything
from tasks.contracts.build import SkippedItem
from tasks.contracts.errors import AnamnesisError, ProviderUnavailable


def reason_of(done: ItemOutcome[Any, Any]) -> str:
    """Why an item failed or was skipped, without patient text; empty for one that was done."""
    return done.reason or (describe(done.error) if done.error else "")


def ends_the_run(error: Exception) -> bool:
    """Whether the other items would fail of it too; a step's own errors are its item's alone."""
    of_a_step = isinstance(error, AnamnesisError | OSError)
    return not of_a_step or isinstance(error, ProviderUnavailable) or stops_everything(error)


def is_prefects(error: Exception) -> bool:
    """Whether Prefect failed around a step: only its server can be at fault there."""
    return type(error).__module__.partition(".")[0] in ("prefect", "httpx", "httpcore", "anyio")


def followed_a_failure(item: SkippedItem) -> bool:
    """Whether an item was left out as the one before it failed."""
    return item.reason == "predecessor_failed"


def came_from_cache(future: Any) -> bool:
    """Whether Prefect found an item's result in the cache."""
    return future is not None and future.state.name == "Cached"
