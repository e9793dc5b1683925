"""Results of items as Prefect's futures hold them in memory."""

# Prefect leaves some of its overloads untyped.
# pyright: reportUnknownMemberType=false

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, cast

from prefect import State
from prefect.futures import PrefectFuture
from prefect.results import ResultRecord  # pyright: ignore[reportPrivateImportUsage]

R = TypeVar("R")


class ItemFuture(Generic[R]):
    """A submitted item.

    Prefect reads every result in its event loop: a thread that has thousands to take, while that
    loop is busy with the run's events, would wait there again and again.
    """

    def __init__(self, future: PrefectFuture[R]) -> None:
        self._future = future

    @property
    def state(self) -> State[R]:
        """How the item ended."""
        return self._future.state

    def add_done_callback(self, fn: Callable[[Any], None], /) -> None:
        """Call ``fn`` once, from any thread, when the item is done."""
        self._future.add_done_callback(fn)

    def result(self) -> R:
        """The item's result; raises what the item raised."""
        self._future.wait()
        state = self._future.state
        if state.is_completed() and isinstance(state.data, ResultRecord):
            return cast("R", state.data.result)
        return self._future.result()
