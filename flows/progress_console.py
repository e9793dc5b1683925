"""Progress on the console: bars on a terminal, one line a stage elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
)

from flows.progress import listening
from tasks.contracts.build import StageCount


class BarProgress:
    """One bar a stage."""

    def __init__(self, bars: Progress) -> None:
        self._bars = bars
        self._tasks: dict[str, TaskID] = {}

    def stage_started(self, stage: str, total: int) -> None:
        """Add the stage's bar; it pulses where the number of items isn't known."""
        self._tasks[stage] = self._bars.add_task(stage, total=total or None)

    def item_ended(self, stage: str) -> None:
        """Move the bar on."""
        self._bars.advance(self._tasks[stage])

    def stage_ended(self, stage: str, count: StageCount) -> None:
        """Fill the bar."""
        task = self._tasks[stage]
        done = self._bars.tasks[self._bars.task_ids.index(task)].completed or 1
        self._bars.update(task, total=done, completed=done)
        self._bars.stop_task(task)


class LineProgress:
    """One line a stage, when it is over."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def stage_started(self, stage: str, total: int) -> None:
        """Nothing: the line comes at the end."""

    def item_ended(self, stage: str) -> None:
        """Nothing: the line comes at the end."""

    def stage_ended(self, stage: str, count: StageCount) -> None:
        """Say what the stage did."""
        words = [
            f"{number} {name}"
            for name, number in (
                ("computed", count.computed),
                ("cached", count.cached),
                ("failed", count.failed),
                ("skipped", count.skipped),
            )
            if number
        ]
        self._console.print(
            f"{stage}: {', '.join(words) or 'done'} in {count.seconds:.1f} s", highlight=False
        )


@contextmanager
def showing_progress(console: Console) -> Generator[None]:
    """Show the progress of the flows called inside."""
    if not console.is_terminal:
        with listening(LineProgress(console)):
            yield
        return
    with _bars(console) as bars, listening(BarProgress(bars)):
        yield


@contextmanager
def counting(console: Console) -> Generator[Callable[[str, int, int], None]]:
    """Show how far something has come that tells what it did, of how many; lines elsewhere."""
    if not console.is_terminal:

        def say(what: str, done: int, total: int) -> None:
            if done == total:
                console.print(f"{what}: {done} patients", highlight=False)

        yield say
        return
    with _bars(console) as bars:
        known: dict[str, TaskID] = {}

        def move(what: str, done: int, total: int) -> None:
            if what not in known:
                known[what] = bars.add_task(what, total=total)
            bars.update(known[what], completed=done)

        yield move


def _bars(console: Console) -> Progress:
    return Progress(
        TextColumn("{task.description:<10}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=console,
    )
