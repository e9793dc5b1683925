"""Progress on the flow run's page: one progress artifact a stage with items."""

from __future__ import annotations

from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from contextvars import copy_context
from typing import cast
from uuid import UUID

import httpx
from prefect.artifacts import create_progress_artifact, update_progress_artifact

from flows.progress import Progress, current_progress, listening
from tasks.contracts.build import StageCount

# An update is a request to the server: often enough to watch, too seldom to cost anything.
_STEPS = 20


class ArtifactProgress:
    """Publishes progress as artifacts, and passes it on to another listener."""

    def __init__(self, other: Progress, updates: Updates) -> None:
        self._other = other
        self._updates = updates
        self._artifacts: dict[str, UUID] = {}
        self._totals: dict[str, int] = {}
        self._ended: dict[str, int] = {}

    def stage_started(self, stage: str, total: int) -> None:
        """Create the artifact of a stage whose number of items is known."""
        self._other.stage_started(stage, total)
        if total:
            self._totals[stage], self._ended[stage] = total, 0
            # Progress is for whoever watches: a server that is away holds nothing up.
            with suppress(httpx.HTTPError):
                made = create_progress_artifact(
                    progress=0.0, key=f"progress-{stage}", description=f"{stage}: {total} items"
                )
                # A coroutine only where it is called from one, which a synchronous flow never does.
                self._artifacts[stage] = cast("UUID", made)

    def item_ended(self, stage: str) -> None:
        """Update the artifact about every twentieth of the way."""
        self._other.item_ended(stage)
        if stage not in self._artifacts:
            return
        total, before = self._totals[stage], self._ended[stage]
        self._ended[stage] = before + 1
        if (before + 1) * _STEPS // total > before * _STEPS // total:
            self._updates.publish(self._artifacts[stage], 100.0 * (before + 1) / total)

    def stage_ended(self, stage: str, count: StageCount) -> None:
        """Nothing more to publish."""
        self._other.stage_ended(stage, count)


class Updates:
    """Sends updates one at a time from a thread of its own, of several for an artifact the last.

    A busy server takes seconds for one, and no item would be submitted in them.
    """

    def __init__(self) -> None:
        self._sender = ThreadPoolExecutor(1, thread_name_prefix="progress")
        self._wanted: dict[UUID, float] = {}

    def publish(self, artifact: UUID, percent: float) -> None:
        """Send an artifact's progress, soon."""
        self._wanted[artifact] = percent
        self._sender.submit(copy_context().run, self._send, artifact)

    def close(self) -> None:
        """Send what is left."""
        self._sender.shutdown()

    def _send(self, artifact: UUID) -> None:
        percent = self._wanted.pop(artifact, None)
        if percent is not None:
            with suppress(httpx.HTTPError):
                update_progress_artifact(artifact, progress=percent)


@contextmanager
def publishing_progress() -> Generator[None]:
    """Publish the progress of the current flow run, beside whoever listens already."""
    updates = Updates()
    try:
        with listening(ArtifactProgress(current_progress(), updates)):
            yield
    finally:
        updates.close()
