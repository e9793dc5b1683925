"""One run of a flow: its folders, counts, gates and outcome."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, ParamSpec, TypeVar

import polars as pl
from prefect import Task
from prefect.futures import PrefectFuture
from prefect.runtime import flow_run

from flows.cache_cleaning import forget_used
from flows.item_failures import (
    came_from_cache,
    ends_the_run,
    followed_a_failure,
    is_prefects,
    reason_of,
)
from flows.item_results import ItemFuture
from flows.progress import current_progress
from flows.reporting import write_report
from flows.run_settings import RunSettings
from flows.scheduling import ChainOutcome, Follower, ItemOutcome, run_chains
from flows.session_usage import usage_of
from tasks.adapters.heap import settled_heap
from tasks.adapters.workspace import Workspace
from tasks.contracts.build import (
    DataClass,
    GateResult,
    Outcome,
    RunReport,
    SkippedItem,
    StageCount,
)
from tasks.contracts.errors import GateFailed, ServerLost, TooManyFailed
from tasks.contracts.usage import RunUsage
from tasks.gates.steps import check_gate

if TYPE_CHECKING:
    from tasks.adapters.llm.session import ModelSession

P = ParamSpec("P")
T = TypeVar("T")
R = TypeVar("R")
S = TypeVar("S", bound=RunSettings)

Status = Literal["computed", "cached", "failed", "skipped"]

_CONSEQUENCES = ("predecessor_failed", "fewer_than_two_sessions", "questions_failed")
"""Reasons that say nothing of what went wrong."""


@dataclass(kw_only=True)
class Run(Generic[S]):
    """What a run knows and has done so far.

    ``STAGES`` are its flow's in order. From ``COSTLY`` on its work may have been paid for; the
    share of that stage's items, ``ITEMS``, that may fail is limited.
    """

    STAGES: ClassVar[tuple[str, ...]]
    COSTLY: ClassVar[str]
    ITEMS: ClassVar[str]

    settings: S
    workspace: Workspace
    data_class: DataClass
    started: datetime
    stages: dict[str, StageCount] = field(default_factory=dict[str, StageCount])
    items: list[SkippedItem] = field(default_factory=list[SkippedItem])
    gates: list[GateResult] = field(default_factory=list[GateResult])
    used: set[str] = field(default_factory=set[str])
    sessions: tuple[ModelSession, ...] = ()

    @property
    def is_costly(self) -> bool:
        """Whether the folder holds work of this run that may have been paid for."""
        return self.COSTLY in self.stages

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
        if self.is_costly:
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
        if self.is_costly:
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
            lambda item, before: ItemFuture(submit(item, before)),
            concurrency=self.settings.concurrency,
            weight=weight,
            on_done=on_done,
            fatal=ends_the_run,
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
            if item.outcome == "failed" or followed_a_failure(item)
        ]

    def stop_if_too_many_failed(self) -> None:
        """Raise TooManyFailed above the allowed share, before more work or a new release."""
        failed = self.failures()
        done = self.stages.get(self.COSTLY, StageCount())
        planned = done.computed + done.cached + done.failed + done.skipped
        limit = self.settings.failed_share_limit
        if failed and len(failed) > limit * planned:
            first = next((one for one in failed if one.reason not in _CONSEQUENCES), failed[0])
            raise TooManyFailed(
                f"{len(failed)} items failed or depend on a failed one, of {planned} {self.ITEMS}; "
                f"the limit is {limit:.0%} (setting failed_share_limit). First: "
                f"{first.id}, {first.reason}"
            )

    def set_aside(self, items: Iterable[SkippedItem]) -> None:
        """List items that are left out or failed."""
        self.items.extend(items)

    def items_in_order(self) -> tuple[SkippedItem, ...]:
        """The items left out, in an order that doesn't depend on which task was done first."""
        order = self.STAGES.index
        return tuple(sorted(self.items, key=lambda one: (order(one.stage), one.subject_id, one.id)))

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
            skip_counts=(),
            gates=tuple(self.gates),
            usage=self._usage(outcome),
            message=message,
        )

    def _usage(self, outcome: Outcome) -> RunUsage:
        return usage_of(self.sessions, with_kept=outcome != "running")

    def record(
        self,
        stage: str,
        identify: Callable[[Any], tuple[str, str]],
        done: ItemOutcome[Any, Any],
    ) -> None:
        """Count an item that has ended, and list it where it failed or was skipped."""
        current_progress().item_ended(stage)
        if done.status == "done":
            self.count(stage, "cached" if came_from_cache(done.future) else "computed")
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
                reason=reason_of(done),
            )
        )
