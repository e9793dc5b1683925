"""Order of work: chains of items, each waiting for its predecessor only.

Knows nothing of Prefect: it drives anything that hands out futures. An item is submitted when its
predecessor is done and a worker is free, the chain with most work left first, so no worker is ever
held by a waiting item. Where one chain will take longest whatever is done, the others are not
hurried: they would only hold it up. What follows from a finished item and nothing waits for, such
as questions about a finished dialogue, takes its turn among the chains by its own weight.
"""

from __future__ import annotations

import heapq
import math
import queue
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from typing import Any, Generic, Literal, Protocol, TypeVar

T = TypeVar("T")
R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)

PREDECESSOR_FAILED = "predecessor_failed"
STOPPED = "stopped"
SPARE = 1.15
"""Items at once, as a multiple of what all work would need if its weights were right."""

_LONGEST_WAIT_SECONDS = 0.5


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


@dataclass(frozen=True)
class Follower:
    """Work that a finished item makes possible and that no other item waits for.

    ``weight`` is in the chains' unit. ``start`` submits it; ``settle`` is told its outcome in the
    scheduling thread, once.
    """

    weight: float
    start: Callable[[], FutureLike[Any]]
    settle: Callable[[ItemOutcome[Follower, Any]], None]


def run_chains(
    chains: Sequence[Sequence[T]],
    submit: Callable[[T, R | None], FutureLike[R]],
    *,
    concurrency: int,
    weight: Callable[[T], float],
    on_done: Callable[[ItemOutcome[T, R]], None] | None = None,
    fatal: Callable[[Exception], bool] | None = None,
    follow: Callable[[ItemOutcome[T, R]], Sequence[Follower]] | None = None,
) -> ChainOutcome[T, R]:
    """Run every chain in order, at most ``concurrency`` items at once.

    ``submit`` gets an item and its predecessor's result (None for a chain's first item). ``weight``
    estimates an item's work in any unit. A failed item's successors are skipped with reason
    ``predecessor_failed``; other chains go on. After an error that ``fatal`` accepts nothing more
    is submitted and what is left is skipped with reason ``stopped``. ``on_done`` is called in the
    calling thread, once an item; then ``follow`` names what the item makes possible.
    """
    plan: ChainPlan[T, R] = ChainPlan(chains, weight, fatal or _never)
    finished: queue.SimpleQueue[tuple[int | Follower, FutureLike[Any]]] = queue.SimpleQueue()
    in_flight = 0
    while in_flight or plan.can_submit():
        while plan.can_submit() and in_flight < plan.pace(concurrency):
            taken = plan.take()
            if isinstance(taken, Follower):
                mark, future = taken, taken.start()
            else:
                mark, item, previous = taken
                future = submit(item, previous)
            future.add_done_callback(partial(_announce, finished, mark, future))
            in_flight += 1
        mark, future = _next(finished)
        in_flight -= 1
        if isinstance(mark, Follower):
            mark.settle(plan.settle_follower(mark, future))
            continue
        outcomes = plan.settle(mark, future)
        _tell(on_done, outcomes)
        for outcome in outcomes if follow is not None else ():
            plan.add(follow(outcome) if follow else ())
    _tell(on_done, plan.skip_rest())
    for follower in plan.left_followers():
        follower.settle(ItemOutcome(follower, "skipped", reason=STOPPED))
    return plan.outcome()


class ChainPlan(Generic[T, R]):
    """Which items are done and which chain goes next: the decisions, without threads or clock."""

    def __init__(
        self,
        chains: Sequence[Sequence[T]],
        weight: Callable[[T], float],
        fatal: Callable[[Exception], bool],
    ) -> None:
        self._chains = chains
        self._is_fatal = fatal
        self._outcomes: list[list[ItemOutcome[T, R]]] = [[] for _ in chains]
        self._remaining = [[*remaining_weights(chain, weight), 0.0] for chain in chains]
        self._left = [remaining[0] for remaining in self._remaining]
        self._longest = [(-left, number) for number, left in enumerate(self._left)]
        heapq.heapify(self._longest)
        self._work = sum(self._left)
        self._fatal: Exception | None = None
        self._ready: list[tuple[float, int]] = []
        self._followers: list[tuple[float, int, Follower]] = []
        self._followed = 0
        for number, chain in enumerate(chains):
            if chain:
                self._push(number)

    def can_submit(self) -> bool:
        """Whether an item may be submitted now."""
        return bool(self._ready or self._followers) and self._fatal is None

    def pace(self, concurrency: int) -> int:
        """How many items at once: as many as all work needs to end with the longest chain.

        More would end no sooner and hold that chain up, where items share a processor or a server.
        Weights are estimates: there is always some more than that, and never less than half.
        """
        while self._longest and -self._longest[0][0] != self._left[self._longest[0][1]]:
            _, number = heapq.heappop(self._longest)
            heapq.heappush(self._longest, (-self._left[number], number))
        longest = -self._longest[0][0] if self._longest else 0.0
        if not longest:
            return concurrency
        needed = math.ceil(SPARE * self._work / longest)
        return min(concurrency, max(needed, math.ceil(concurrency / 2)))

    def take(self) -> tuple[int, T, R | None] | Follower:
        """A follower, or the chain with most work left, its next item and its last result.

        Whichever weighs more; a chain before a follower of the same weight.
        """
        if not self._ready or (self._followers and self._followers[0][0] < self._ready[0][0]):
            return heapq.heappop(self._followers)[2]
        _, number = heapq.heappop(self._ready)
        done = self._outcomes[number]
        return number, self._chains[number][len(done)], done[-1].result if done else None

    def settle(self, number: int, future: FutureLike[R]) -> list[ItemOutcome[T, R]]:
        """Record a finished item, and its successors where it failed."""
        done = self._outcomes[number]
        item = self._chains[number][len(done)]
        try:
            outcome = ItemOutcome[T, R](item, "done", result=future.result(), future=future)
        except Exception as error:  # noqa: BLE001 - whatever an item raises is its outcome
            outcome = ItemOutcome[T, R](item, "failed", error=error, future=future)
        done.append(outcome)
        self._now_left(number, self._remaining[number][len(done)])
        if outcome.error is None:
            if len(done) < len(self._chains[number]):
                self._push(number)
            return [outcome]
        self._note(outcome.error)
        self._now_left(number, 0.0)
        return [outcome, *self._skip(number, PREDECESSOR_FAILED)]

    def add(self, followers: Sequence[Follower]) -> None:
        """Take in what a finished item made possible."""
        for follower in followers:
            self._followed += 1
            self._work += follower.weight
            heapq.heappush(self._followers, (-follower.weight, self._followed, follower))

    def settle_follower(
        self, follower: Follower, future: FutureLike[Any]
    ) -> ItemOutcome[Follower, Any]:
        """Record a finished follower."""
        self._work -= follower.weight
        try:
            return ItemOutcome[Follower, Any](
                follower, "done", result=future.result(), future=future
            )
        except Exception as error:  # noqa: BLE001 - whatever it raises is its outcome
            self._note(error)
            return ItemOutcome[Follower, Any](follower, "failed", error=error, future=future)

    def left_followers(self) -> list[Follower]:
        """What was never submitted, in the order it was added."""
        return [follower for _, _, follower in sorted(self._followers, key=lambda one: one[1])]

    def skip_rest(self) -> list[ItemOutcome[T, R]]:
        """Record what was never submitted."""
        return [skip for number in range(len(self._chains)) for skip in self._skip(number, STOPPED)]

    def outcome(self) -> ChainOutcome[T, R]:
        """Every item's outcome."""
        return ChainOutcome(tuple(tuple(done) for done in self._outcomes), self._fatal)

    def _now_left(self, number: int, left: float) -> None:
        self._work += left - self._left[number]
        self._left[number] = left

    def _note(self, error: Exception) -> None:
        if self._fatal is None and self._is_fatal(error):
            self._fatal = error

    def _skip(self, number: int, reason: str) -> list[ItemOutcome[T, R]]:
        done = self._outcomes[number]
        skipped = [
            ItemOutcome[T, R](item, "skipped", reason=reason)
            for item in self._chains[number][len(done) :]
        ]
        done.extend(skipped)
        return skipped

    def _push(self, number: int) -> None:
        heapq.heappush(self._ready, (-self._remaining[number][len(self._outcomes[number])], number))


def remaining_weights(chain: Sequence[T], weight: Callable[[T], float]) -> list[float]:
    """For each position of a chain, the weight from there to its end."""
    return list(accumulate(weight(item) for item in reversed(chain)))[::-1]


def _announce(
    finished: queue.SimpleQueue[tuple[int | Follower, FutureLike[Any]]],
    mark: int | Follower,
    future: FutureLike[Any],
    _: object,
) -> None:
    finished.put((mark, future))


def _next(finished: queue.SimpleQueue[T]) -> T:
    """Wait for an item to end, waking up now and then: where a library has system calls restarted
    after signals, an endless wait would hold up Ctrl-C.
    """
    while True:
        with suppress(queue.Empty):
            return finished.get(timeout=_LONGEST_WAIT_SECONDS)


def _tell(
    on_done: Callable[[ItemOutcome[T, R]], None] | None, outcomes: list[ItemOutcome[T, R]]
) -> None:
    if on_done is not None:
        for outcome in outcomes:
            on_done(outcome)


def _never(_: Exception) -> bool:
    return False
