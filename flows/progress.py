"""How far a run has got: a listener that flows tell, whoever shows it."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol

from tasks.contracts.build import StageCount


class Progress(Protocol):
    """Told by a flow, in the flow's own thread."""

    def stage_started(self, stage: str, total: int) -> None:
        """A stage begins; ``total`` items are to be done (0 where unknown)."""
        ...

    def item_ended(self, stage: str) -> None:
        """One more item of the stage is done, failed or skipped."""
        ...

    def stage_ended(self, stage: str, count: StageCount) -> None:
        """The stage is over."""
        ...


class SilentProgress:
    """Shows nothing."""

    def stage_started(self, stage: str, total: int) -> None:
        """Nothing."""

    def item_ended(self, stage: str) -> None:
        """Nothing."""

    def stage_ended(self, stage: str, count: StageCount) -> None:
        """Nothing."""


_SILENT = SilentProgress()
_current: ContextVar[Progress] = ContextVar("progress", default=_SILENT)


def current_progress() -> Progress:
    """The listener of this context; silent where nobody listens."""
    return _current.get()


@contextmanager
def listening(progress: Progress) -> Generator[None]:
    """Make ``progress`` the current listener."""
    token = _current.set(progress)
    try:
        yield
    finally:
        _current.reset(token)
