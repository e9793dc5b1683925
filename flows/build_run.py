"""One run of a build: its folders, counts, gates and outcome."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, ParamSpec, TypeVar

import polars as pl
from prefect import Task
from prefect.futures import PrefectFuture
from prefect.runtime import flow_run

from flows.cache_cleaning import forget_used
from flows.heap import settled_heap
from flows.progress import current_progress
from flows.reporting import write_report
from flows.scheduling import ChainOutcome, Follower, ItemOutcome, run_chains
from flows.settings import Settings
from tasks.adapters.failures import describe, stops_everything
from tasks.adapters.models import ModelSpec
from tasks.adapters.workspace import Workspace
from tasks.contracts.build import (
    STAGES,
    DataClass,
    GateResult,
    OddityCount,
    Outcome,
    RunReport,
    SkipCount,
    SkippedItem,
    StageCount,
)
from tasks.contracts.errors import (
    AnamnesisError,
    GateFailed,
    ProviderUnavailable,
    ServerLost,
    TooManyFailed,
)
from tasks.contracts.usage import Estimate, RunUsage
from tasks.gates.steps import check_gate

if TYPE_CHECKING:
    from flows.asking import AskingEarly
    from tasks.adapters.llm.session import ModelSession

P = ParamSpec("P")
T = TypeVar("T")
R = TypeVar("R")

_CONSEQUENCES = ("predecessor_failed", "fewer_than_two_sessions", "questions_failed")
"""Reasons that say nothing of what went wrong."""

Status = Literal["computed", "cached", "failed", "skipped"]


@dataclass
class BuildRun:
    """What a run knows and has done so far."""

    settings: Settings
    workspace: Workspace
    spec: ModelSpec
    data_class: DataClass
    started: datetime
    stages: dict[str, StageCount] = field(default_factory=dict[str, StageCount])
    items: list[SkippedItem] = field(default_factory=list[SkippedItem])
    skip_counts: tuple[SkipCount, ...] = ()
    oddities: tuple[OddityCount, ...] = ()
    gates: list[GateResult] = field(default_factory=list[GateResult])
    used: set[str] = field(default_factory=set[str])
    session: ModelSession | None = None
    early: AskingEarly | None = None
    estimate: Estimate | None = None

    @contextmanager
    def stage(self, name: str, total: int = 0) -> Generator[None]:
        """Time a stage and tell whoever watches."""
        self.stages[name] = StageCount()
        current_progress().stage_started(name, total)
        begun = time.monotonic()
        try:
            yield
        finally:
            seconds = round(time.monotonic() - begun, 3)
            self.stages[name] = self.stages[name].model_copy(update={"seconds": seconds})
            current_progress().stage_ended(name, self.stages[name])
        if "dialogues" in self.stages:
            # An earlier run's report must not stand as this one's if this one is killed.
            write_report(self.workspace.report, self.report("running"))

    def count(self, stage: str, status: Status, number: int = 1) -> None:
        """Add to a stage's counts."""
        before = self.stages[stage]
        self.stages[stage] = before.model_copy(update={status: getattr(before, status) + number})

    def cached(self, task: Task[P, R]) -> Task[P, R]:
        """A step whose results are kept in this output's cache."""
        return task.with_options(result_storage=self.workspace.results)

    def take_up(self, key: str) -> None:
        """Note a cache key that this run uses, and drop its result where that is damaged."""
        if "dialogues" in self.stages:
            # From here on the cache holds this run's work too; until it ends nobody knows which.
            forget_used(self.workspace)
        self.used.add(key)
        self.workspace.forget_stale(key)

    def gate(self, stage: str, tables: Mapping[str, pl.DataFrame]) -> None:
        """Judge a stage's tables; raises GateFailed, and keeps the verdict either way."""
        try:
            self.gates.append(check_gate(stage, tables))
        except GateFailed as failure:
            self.gates.append(failure.result)
            raise

    def fan_out(
        self,
        stage: str,
        chains: Sequence[Sequence[T]],
        submit: Callable[[T, R | None], PrefectFuture[R]],
        identify: Callable[[T], tuple[str, str]],
        weight: Callable[[T], float] = lambda _item: 1.0,
        follow: Callable[[ItemOutcome[T, R]], Sequence[Follower]] | None = None,
    ) -> ChainOutcome[T, R]:
        """Run a stage's items, count them and list what failed.

        ``identify`` gives an item's id and subject_id, ``follow`` what an item makes possible.
        Raises what every other item would fail of too: a provider or server that can't be reached,
        a full disk. What was finished stays in the cache.
        """
        with settled_heap(), self.stage(stage, sum(len(chain) for chain in chains)):
            return self.spread(
                chains, submit, partial(self.record, stage, identify), weight, follow
            )

    def spread(
        self,
        chains: Sequence[Sequence[T]],
        submit: Callable[[T, R | None], PrefectFuture[R]],
        on_done: Callable[[ItemOutcome[T, R]], None],
        weight: Callable[[T], float] = lambda _item: 1.0,
        follow: Callable[[ItemOutcome[T, R]], Sequence[Follower]] | None = None,
    ) -> ChainOutcome[T, R]:
        """Run items within a stage; what becomes of them is told to ``on_done``."""
        outcome = run_chains(
            chains,
            submit,
            concurrency=self.settings.concurrency,
            weight=weight,
            on_done=on_done,
            fatal=_ends_the_run,
            follow=follow,
        )
        if outcome.fatal is not None:
            raise ServerLost if is_prefects(outcome.fatal) else outcome.fatal
        return outcome

    def failures(self) -> list[SkippedItem]:
        """Items that failed, and those that depend on a failed one."""
        return [
            item
            for item in self.items_in_order()
            if item.outcome == "failed" or _followed_a_failure(item)
        ]

    def stop_if_too_many_failed(self) -> None:
        """Raise TooManyFailed above the allowed share, before more work or a new release."""
        failed = self.failures()
        done = self.stages.get("dialogues", StageCount())
        planned = done.computed + done.cached + done.failed + done.skipped
        limit = self.settings.failed_share_limit
        if failed and len(failed) > limit * planned:
            first = next((one for one in failed if one.reason not in _CONSEQUENCES), failed[0])
            raise TooManyFailed(
                f"{len(failed)} items failed or depend on a failed one, of {planned} admissions; "
                f"the limit is {limit:.0%} (setting failed_share_limit). First: "
                f"{first.id}, {first.reason}"
            )

    def set_aside(self, items: Iterable[SkippedItem]) -> None:
        """List items that are left out or failed."""
        self.items.extend(items)

    def items_in_order(self) -> tuple[SkippedItem, ...]:
        """The items left out, in an order that doesn't depend on which task was done first."""
        return tuple(
            sorted(self.items, key=lambda one: (STAGES.index(one.stage), one.subject_id, one.id))
        )

    def report(self, outcome: Outcome, message: str = "") -> RunReport:
        """The run's report, as of now."""
        return RunReport(
            flow_run_id=flow_run.get_id(),
            flow_run_name=flow_run.get_name(),
            outcome=outcome,
            started=self.started.isoformat(timespec="seconds"),
            seconds=round((datetime.now(UTC) - self.started).total_seconds(), 3),
            stages=self.stages,
            items=self.items_in_order(),
            skip_counts=self.skip_counts,
            oddities=self.oddities,
            gates=tuple(self.gates),
            usage=self._usage(outcome),
            estimate=self.estimate,
            message=message,
        )

    def _usage(self, outcome: Outcome) -> RunUsage:
        if self.session is None:
            return RunUsage()
        kept = self.session.kept_usage() if outcome != "running" else None
        return RunUsage.of(self.session.usage(), kept)

    def record(
        self,
        stage: str,
        identify: Callable[[Any], tuple[str, str]],
        done: ItemOutcome[Any, Any],
    ) -> None:
        """Count an item that has ended, and list it where it failed or was skipped."""
        current_progress().item_ended(stage)
        if done.status == "done":
            self.count(stage, "cached" if _came_from_cache(done.future) else "computed")
        else:
            self.record_failure(stage, *identify(done.item), done)

    def record_failure(
        self, stage: str, item: str, subject_id: str, done: ItemOutcome[Any, Any]
    ) -> None:
        """Count and list an item that failed or was skipped."""
        if done.status == "done":
            return
        self.count(stage, done.status)
        self.items.append(
            SkippedItem(
                id=item,
                subject_id=subject_id,
                stage=stage,
                outcome=done.status,
                reason=done.reason or (describe(done.error) if done.error else ""),
            )
        )


def _ends_the_run(error: Exception) -> bool:
    """Whether the other items would fail of it too; a step's own errors are its item's alone."""
    of_a_step = isinstance(error, AnamnesisError | OSError)
    return not of_a_step or isinstance(error, ProviderUnavailable) or stops_everything(error)


def is_prefects(error: Exception) -> bool:
    """Whether Prefect failed around a step: only its server can be at fault there."""
    return type(error).__module__.partition(".")[0] in ("prefect", "httpx", "httpcore", "anyio")


def _followed_a_failure(item: SkippedItem) -> bool:
    return item.reason == "predecessor_failed"


def _came_from_cache(future: Any) -> bool:
    return future is not None and future.state.name == "Cached"
