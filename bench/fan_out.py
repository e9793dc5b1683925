"""How close the fan-out of dialogues comes to the ideal, beside Prefect's own dependencies.

Chains of waiting tasks stand for patients whose admissions are written by a slow provider. The
baseline submits every admission at once with the previous one's future among its inputs, as
``.map`` over waves does; the ideal is max(total work / workers, longest chain).

    .venv/bin/python bench/fan_out.py

Starts or reuses this Prefect home's background server, as a local build does.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from typing import Any

from flows.prefect_server import ensure_server

WORKERS = 4
SECONDS_A_CALL = 0.25
CHAINS = [[SECONDS_A_CALL] * length for length in (9, 7, 6, 5, 5, 4, 4, 3, 3, 3, 2, 2, 2, 2, 2, 2)]


def main() -> None:
    os.environ.setdefault("PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL", "CRITICAL")
    ensure_server(print)
    from prefect import flow, task
    from prefect.task_runners import ThreadPoolTaskRunner

    from flows.scheduling import run_chains

    # Typed for any future where a flow wants its own kind.
    workers: Any = ThreadPoolTaskRunner(max_workers=WORKERS)

    @task(persist_result=False)
    def call(seconds: float, _previous: float | None) -> float:
        time.sleep(seconds)
        return seconds

    @flow(task_runner=workers, persist_result=False)
    def scheduled(chains: Sequence[Sequence[float]]) -> None:
        run_chains(chains, call.submit, concurrency=WORKERS, weight=lambda seconds: seconds)

    @flow(task_runner=workers, persist_result=False)
    def by_dependencies(chains: Sequence[Sequence[float]]) -> None:
        last: list[Any] = []
        for chain in chains:
            future: Any = None
            for seconds in chain:
                future = call.submit(seconds, future)
            last.append(future)
        for future in last:
            future.wait()

    ideal = max(sum(map(sum, CHAINS)) / WORKERS, max(map(sum, CHAINS)))
    by_dependencies(CHAINS[:2])
    ours, baseline = timed(scheduled), timed(by_dependencies)
    print(f"{sum(map(len, CHAINS))} calls in {len(CHAINS)} chains, {WORKERS} workers")
    print(f"ideal                       {ideal:6.2f} s")
    print(f"longest chain first         {ours:6.2f} s  {ours / ideal:.2f} x ideal")
    print(f"baseline: all at once       {baseline:6.2f} s  {baseline / ideal:.2f} x ideal")
    print(f"ratio to the baseline       {ours / baseline:.2f}")


def timed(run: Callable[[Sequence[Sequence[float]]], None]) -> float:
    begun = time.perf_counter()
    run(CHAINS)
    return time.perf_counter() - begun


if __name__ == "__main__":
    main()
