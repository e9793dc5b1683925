"""Whether a provider answers at all: what one request learns of that holds for all others."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from tasks.contracts.errors import ProviderUnavailable

_log = logging.getLogger(__name__)


class Health:
    """Knows when a provider answered last, and stops a session whose provider is gone."""

    def __init__(self, host: str, clock: Callable[[], float]) -> None:
        self._host = host
        self._clock = clock
        self._lock = threading.Lock()
        self._answered_at: float | None = None
        self._told = False
        self._stopped = threading.Event()
        self._reason = "the run was stopped: finished work is kept, the same command resumes"

    @property
    def never_answered(self) -> bool:
        """Whether no reply came in yet."""
        return self._answered_at is None

    def answered_within(self, seconds: float) -> bool:
        """Whether a reply came in during the last so many seconds."""
        at = self._answered_at
        return at is not None and self._clock() - at <= seconds

    def answered(self) -> None:
        """A reply came in."""
        with self._lock:
            self._answered_at = self._clock()
            self._told = False

    def troubled(self, what: str, seconds: float) -> None:
        """Say once, until a reply comes in again, that requests have to be repeated."""
        with self._lock:
            told, self._told = self._told, True
        if not told:
            _log.warning(
                "%s: %s; asking again for up to %d seconds a request", self._host, what, seconds
            )

    def fail(self, reason: str) -> ProviderUnavailable:
        """Stop every request of the session; the error to raise."""
        with self._lock:
            if not self._stopped.is_set():
                self._reason = reason
                self._stopped.set()
        return ProviderUnavailable(self._reason)

    def stop(self) -> None:
        """Stop every request that waits: the session is over."""
        self._stopped.set()

    def check(self) -> None:
        """Raise ProviderUnavailable once the session is stopped."""
        if self._stopped.is_set():
            raise ProviderUnavailable(self._reason)

    def sleep(self, seconds: float) -> None:
        """Wait, or until the session is stopped."""
        self._stopped.wait(seconds)
