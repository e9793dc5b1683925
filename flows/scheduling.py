"""Order of work: chains of items, each waiting for its predecessor only.

Knows nothing of Prefect: it drives anything that hands out futures. An item is submitted when its
predecessor is done and a worker is free, the chain with most work left first, so no worker is ever
held by a waiting item.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, Protocol, TypeVar

T = TypeVar("T")
R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)

PREDECESSOR_FAILED = "predecessor_failed"
STOPPED = "stopped"


class FutureLike(Protocol[R_co]):
    """What the scheduler needs of a submitted item: ``concurrent.futures`` and Prefect have it."""

    def result(self) -> R_co:
        """The item's result; raises what the item raised."""
        ...

    def add_done_callback(self, fn: Callable[[Any], None], /) -> object:
        """Call ``fn`` once, from any thread, when the item is done."""
        ...


@dataclass(frozen=True)
class ItemOutcome(Generic[T, R]):
    """What became of one item.

    ``result`` is set for done items, ``error`` for failed ones, ``reason`` for skipped ones;
    ``future`` is what ``submit`` returned, None for skipped items.
    """

    item: T
    status: Literal["done", "failed", "skipped"]
    result: R | None = None
    error: Exception | None = None
    reason: str = ""
    future: FutureLike[R] | None = None


@dataclass(frozen=True)
class ChainOutcome(Generic[T, R]):
    """What became of every item, in the order given; ``fatal`` is the error that stopped all."""

    chains: tuple[tuple[ItemOutcome[T, R], ...], ...]
    fatal: Exception | None = None

    def of(self, status: Literal["done", "failed", "skipped"]) -> tuple[ItemOutcome[T, R], ...]:
        """The items that ended so, chain by chain."""
        return tuple(item for chain in self.chains for item in chain if item.status == status)


def run_chains(
    chains: Sequence[Sequence[T]],
    submit: Callable[[T, R | None], FutureLike[R]],
    *,
    concurrency: int,
    weight: Callable[[T], float],
    on_done: Callable[[ItemOutcome[T, R]], None] | None = None,
    fatal: Callable[[Exception], bool] | None = None,
) -> ChainOutcome[T, R]:
    """Run every chain in order, at most ``concurrency`` items at once.

    ``submit`` gets an item and its predecessor's result (None for a chain's first item). ``weight``
    estimates an item's work in any unit. A failed item's successors are skipped with reason
    ``predecessor_failed``; other chains go on. After an error that ``fatal`` accepts nothing more
    is submitted and what is left is skipped with reason ``stopped``. ``on_done`` is called in the
    calling thread, once an item.
    """
    raise NotImplementedError
