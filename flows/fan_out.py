"""Runs a stage's items as Prefect task runs, in chains, and counts what became of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TypeVar

from prefect.futures import PrefectFuture

from flows.progress import current_progress
from flows.scheduling import ChainOutcome, ItemOutcome, run_chains
from tasks.contracts.build import StageCount
from tasks.contracts.errors import ProviderUnavailable

T = TypeVar("T")
R = TypeVar("R")


def fan_out(
    stage: str,
    chains: Sequence[Sequence[T]],
    submit: Callable[[T, R | None], PrefectFuture[R]],
    *,
    concurrency: int,
    weight: Callable[[T], float],
) -> tuple[ChainOutcome[T, R], StageCount]:
    """Run a stage's chains with ``task.submit``; returns the outcomes and the stage's counts.

    An unreachable provider stops the stage (the outcome's ``fatal``); other failures stop only
    their own chain.
    """
    progress = current_progress()
    started = time.monotonic()
    progress.stage_started(stage, sum(len(chain) for chain in chains))
    outcome = run_chains(
        chains,
        submit,
        concurrency=concurrency,
        weight=weight,
        on_done=lambda _: progress.item_ended(stage),
        fatal=lambda error: isinstance(error, ProviderUnavailable),
    )
    count = count_outcomes(outcome, seconds=time.monotonic() - started)
    progress.stage_ended(stage, count)
    return outcome, count


def count_outcomes(outcome: ChainOutcome[T, R], *, seconds: float) -> StageCount:
    """How many items were computed, cached, failed and skipped."""
    done = outcome.of("done")
    cached = sum(was_cached(item) for item in done)
    return StageCount(
        computed=len(done) - cached,
        cached=cached,
        failed=len(outcome.of("failed")),
        skipped=len(outcome.of("skipped")),
        seconds=round(seconds, 3),
    )


def was_cached(item: ItemOutcome[T, R]) -> bool:
    """Whether a done item's result came from Prefect's cache."""
    return isinstance(item.future, PrefectFuture) and item.future.state.name == "Cached"
