from __future__ import annotations

import heapq
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flows.scheduling import ChainOutcome, ChainPlan, Follower, ItemOutcome, run_chains

Item = tuple[str, float]


def seconds(item: Item) -> float:
    return item[1]


def done(value: object) -> Future[object]:
    future: Future[object] = Future()
    future.set_result(value)
    return future


def broken(error: Exception) -> Future[object]:
    future: Future[object] = Future()
    future.set_exception(error)
    return future


def simulate(chains: Sequence[Sequence[Item]], workers: int) -> tuple[float, list[str]]:
    """Virtual time at which the last item ends, and the order in which items started."""
    plan: ChainPlan[Item, None] = ChainPlan(chains, seconds, lambda _: False)
    now = 0.0
    running: list[tuple[float, int]] = []
    started: list[str] = []
    while running or plan.can_submit():
        while plan.can_submit() and len(running) < plan.pace(workers):
            taken = plan.take()
            assert not isinstance(taken, Follower)
            chain, item, _ = taken
            started.append(item[0])
            heapq.heappush(running, (now + item[1], chain))
        now, chain = heapq.heappop(running)
        plan.settle(chain, done(None))  # pyright: ignore[reportArgumentType]
    return now, started


def statuses(outcome: ChainOutcome[str, object]) -> list[list[tuple[str, str, str]]]:
    return [[(item.item, item.status, item.reason) for item in chain] for chain in outcome.chains]


def unit(_: str) -> float:
    return 1.0


def test_chain_with_most_work_left_starts_first() -> None:
    chains = [[("short", 2.0)], [("long 1", 1.0), ("long 2", 4.0)], [("middle", 3.0)]]
    # Two workers: long (5) and middle (3) at 0; long 2 at 1; short at 3, ends at 5 like long 2.
    assert simulate(chains, workers=2) == (5.0, ["long 1", "middle", "long 2", "short"])


def test_equal_chains_start_in_the_order_given() -> None:
    chains = [[("a", 1.0)], [("b", 1.0)], [("c", 1.0)]]
    assert simulate(chains, workers=1) == (3.0, ["a", "b", "c"])


def test_sixteen_patients_of_four_calls_on_four_workers_keep_every_worker_busy() -> None:
    chains = [[(f"{patient}.{call}", 1.0) for call in range(4)] for patient in range(16)]
    assert simulate(chains, workers=4)[0] == 16.0


LONG_AND_SHORT = [[("long", 1.0)] * 10, *([(f"{short}", 1.0)] for short in range(10))]


@pytest.mark.parametrize(
    ("concurrency", "at_once"),
    [
        # Twenty seconds of work beside a chain of ten take two workers, and some more.
        (3, 3),
        (5, 3),
        # Weights may be wrong: half of the workers are never held back.
        (6, 3),
        (8, 4),
        (1, 1),
    ],
)
def test_short_chains_are_not_hurried_beside_one_that_takes_longest_anyway(
    concurrency: int, at_once: int
) -> None:
    plan: ChainPlan[Item, None] = ChainPlan(LONG_AND_SHORT, seconds, lambda _: False)
    assert plan.pace(concurrency) == at_once


def test_when_the_longest_chain_has_failed_the_others_set_the_pace() -> None:
    plan: ChainPlan[Item, None] = ChainPlan(LONG_AND_SHORT, seconds, lambda _: False)
    plan.take()
    plan.settle(0, broken(ValueError("no")))  # pyright: ignore[reportArgumentType]
    assert plan.pace(8) == 8


def test_what_follows_from_items_counts_as_work() -> None:
    plan: ChainPlan[Item, None] = ChainPlan(LONG_AND_SHORT, seconds, lambda _: False)
    follower = Follower(25.0, lambda: done(None), lambda _: None)
    plan.add([follower])
    # 45 seconds of work beside ten: 4.5 workers and some more.
    assert plan.pace(8) == 6
    plan.settle_follower(follower, done(None))
    assert plan.pace(8) == 4


durations = st.floats(min_value=0.1, max_value=10.0)
chain_durations = st.lists(st.lists(durations, min_size=1, max_size=12), min_size=1, max_size=30)


@given(chain_durations, st.integers(min_value=1, max_value=8))
def test_never_longer_than_the_lower_bound_and_one_item(
    times: list[list[float]], workers: int
) -> None:
    chains = [[("", time) for time in chain] for chain in times]
    total = sum(map(sum, times))
    bound = max(total / workers, max(map(sum, times)))
    assert simulate(chains, workers)[0] <= bound + max(map(max, times)) + 1e-9


@given(
    st.lists(st.lists(st.floats(1.0, 3.0), min_size=3, max_size=30), min_size=16, max_size=60),
    st.integers(min_value=1, max_value=4),
)
def test_within_fifteen_percent_of_the_lower_bound_on_cohorts(
    times: list[list[float]], workers: int
) -> None:
    chains = [[("", time) for time in chain] for chain in times]
    bound = max(sum(map(sum, times)) / workers, max(map(sum, times)))
    assert simulate(chains, workers)[0] <= 1.15 * bound


@given(chain_durations, st.integers(min_value=1, max_value=8))
def test_every_item_starts_once(times: list[list[float]], workers: int) -> None:
    chains = [
        [(f"{number}.{position}", time) for position, time in enumerate(chain)]
        for number, chain in enumerate(times)
    ]
    assert sorted(simulate(chains, workers)[1]) == sorted(
        name for chain in chains for name, _ in chain
    )


def test_item_gets_its_predecessors_result() -> None:
    seen: list[tuple[str, object]] = []

    def submit(item: str, previous: object) -> Future[object]:
        seen.append((item, previous))
        return done(f"result of {item}")

    outcome = run_chains([["a1", "a2"], ["b1"]], submit, concurrency=1, weight=unit)
    assert seen == [("a1", None), ("a2", "result of a1"), ("b1", None)]
    assert [item.result for item in outcome.of("done")] == [
        "result of a1",
        "result of a2",
        "result of b1",
    ]


def test_failed_item_skips_its_successors_and_nothing_else() -> None:
    def submit(item: str, _: object) -> Future[object]:
        return broken(ValueError("no")) if item == "a2" else done(item)

    outcome = run_chains(
        [["a1", "a2", "a3", "a4"], ["b1", "b2"]], submit, concurrency=2, weight=unit
    )
    assert statuses(outcome) == [
        [
            ("a1", "done", ""),
            ("a2", "failed", ""),
            ("a3", "skipped", "predecessor_failed"),
            ("a4", "skipped", "predecessor_failed"),
        ],
        [("b1", "done", ""), ("b2", "done", "")],
    ]
    assert repr(outcome.of("failed")[0].error) == "ValueError('no')"
    assert outcome.fatal is None


def test_fatal_error_stops_everything_that_has_not_started() -> None:
    def submit(item: str, _: object) -> Future[object]:
        return broken(ConnectionError("gone")) if item == "a1" else done(item)

    outcome = run_chains(
        [["a1", "a2"], ["b1", "b2"]],
        submit,
        concurrency=1,
        weight=unit,
        fatal=lambda error: isinstance(error, ConnectionError),
    )
    assert statuses(outcome) == [
        [("a1", "failed", ""), ("a2", "skipped", "predecessor_failed")],
        [("b1", "skipped", "stopped"), ("b2", "skipped", "stopped")],
    ]
    assert repr(outcome.fatal) == "ConnectionError('gone')"


def test_listener_hears_of_every_item_once_in_the_calling_thread() -> None:
    heard: list[tuple[str, str, bool]] = []
    caller = threading.current_thread()

    def listen(outcome: ItemOutcome[str, object]) -> None:
        heard.append((outcome.item, outcome.status, threading.current_thread() is caller))

    with ThreadPoolExecutor(2) as pool:

        def submit(item: str, _: object) -> Future[object]:
            return pool.submit(fail_on, "a1", item)

        run_chains([["a1", "a2"], ["b1"]], submit, concurrency=2, weight=unit, on_done=listen)
    assert sorted(heard) == [("a1", "failed", True), ("a2", "skipped", True), ("b1", "done", True)]


def fail_on(name: str, item: str) -> object:
    if item == name:
        raise ValueError(name)
    return item


@pytest.mark.parametrize("concurrency", [1, 3])
def test_no_more_items_in_flight_than_allowed(concurrency: int) -> None:
    lock = threading.Lock()
    running = 0
    most = 0

    def work() -> object:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        with lock:
            running -= 1
        return None

    with ThreadPoolExecutor(8) as pool:
        submitted: list[Future[object]] = []

        def submit(_: str, __: object) -> Future[object]:
            assert sum(not future.done() for future in submitted) < concurrency
            submitted.append(pool.submit(work))
            return submitted[-1]

        run_chains([["x"] * 5] * 6, submit, concurrency=concurrency, weight=unit)
    assert len(submitted) == 30
    assert most <= concurrency


def test_nothing_to_do_ends_at_once() -> None:
    def submit(item: str, _: object) -> Future[object]:
        raise AssertionError(item)

    never: Callable[[str, object], Future[object]] = submit
    empty: list[list[str]] = [[], []]
    assert run_chains(empty, never, concurrency=1, weight=unit).chains == ((), ())


def following(
    made: dict[str, list[tuple[str, float]]], log: list[str]
) -> Callable[[ItemOutcome[str, object]], list[Follower]]:
    def follow(outcome: ItemOutcome[str, object]) -> list[Follower]:
        def follower(name: str, weight: float) -> Follower:
            def start() -> Future[object]:
                log.append(name)
                return done(name) if name != "bad" else broken(ValueError(name))

            def settle(settled: ItemOutcome[Follower, object]) -> None:
                log.append(f"{name} {settled.status}{settled.reason}")

            return Follower(weight, start, settle)

        return [follower(*one) for one in made.get(outcome.item, [])]

    return follow


def run_with_followers(
    chains: list[list[str]],
    made: dict[str, list[tuple[str, float]]],
    fatal: Callable[[Exception], bool] | None = None,
) -> list[str]:
    log: list[str] = []

    def submit(item: str, _: object) -> Future[object]:
        log.append(item)
        return done(item)

    run_chains(
        chains,
        submit,
        concurrency=1,
        weight=unit,
        fatal=fatal,
        follow=following(made, log),
    )
    return log


def test_what_follows_from_an_item_takes_its_turn_by_weight() -> None:
    made = {"a1": [("light", 0.5), ("heavy", 3.0)]}
    assert run_with_followers([["a1", "a2"], ["b1"]], made) == [
        "a1",
        "heavy",
        "heavy done",
        "a2",
        "b1",
        "light",
        "light done",
    ]


def test_failed_follower_stops_nothing() -> None:
    made = {"a1": [("bad", 3.0)]}
    assert run_with_followers([["a1", "a2"]], made) == ["a1", "bad", "bad failed", "a2"]


def test_fatal_follower_stops_everything_and_the_rest_is_told_so() -> None:
    made = {"a1": [("bad", 3.0), ("late", 2.0)]}
    assert run_with_followers([["a1", "a2"]], made, lambda _: True) == [
        "a1",
        "bad",
        "bad failed",
        "late skippedstopped",
    ]
