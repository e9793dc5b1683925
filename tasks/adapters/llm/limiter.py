"""How many requests are in flight at once: fewer while the server says it is too many."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass

LONGEST_PAUSE_SECONDS = 60.0
"""No server's word holds up all requests for longer than this."""


@dataclass
class Permit:
    """The right to have one request in flight; ``round_trip`` is when it was given."""

    round_trip: int
    succeeded: bool = False


@dataclass
class Window:
    """The rule, without threads: halved when overloaded, one more after each window of successes.

    Requests that were in flight together halve it once: their answers are one piece of news.
    """

    maximum: int
    size: int
    in_flight: int = 0
    successes: int = 0
    round_trip: int = 0
    paused_until: float = float("-inf")

    def start(self, now: float) -> Permit | None:
        """A permit, or None while the window is full or paused."""
        if now < self.paused_until or self.in_flight >= self.size:
            return None
        self.in_flight += 1
        return Permit(self.round_trip)

    def overloaded(self, permit: Permit, now: float, retry_after_seconds: float | None) -> None:
        """The server refused a request because it has too many."""
        if permit.round_trip == self.round_trip:
            self.size = max(1, self.size // 2)
            self.round_trip += 1
            self.successes = 0
        if retry_after_seconds is not None:
            pause = min(retry_after_seconds, LONGEST_PAUSE_SECONDS)
            self.paused_until = max(self.paused_until, now + pause)

    def finish(self, permit: Permit) -> None:
        """A request is no longer in flight."""
        self.in_flight -= 1
        if not permit.succeeded:
            return
        self.successes += 1
        if self.successes >= self.size:
            self.successes = 0
            self.size = min(self.maximum, self.size + 1)


class Limiter:
    """Gives permits to threads in the order in which they asked."""

    def __init__(self, maximum: int, clock: Callable[[], float]) -> None:
        self._window = Window(maximum, size=maximum)
        self._clock = clock
        self._lock = threading.Lock()
        self._waiting: deque[threading.Condition] = deque()

    @contextmanager
    def permit(self) -> Generator[Permit]:
        """Wait for a permit and hold it."""
        permit = self._acquire()
        try:
            yield permit
        finally:
            with self._lock:
                self._window.finish(permit)
                self._wake_first()

    def overloaded(self, permit: Permit, retry_after_seconds: float | None) -> None:
        """Tell that the server refused the permit's request because it has too many."""
        with self._lock:
            self._window.overloaded(permit, self._clock(), retry_after_seconds)

    def _acquire(self) -> Permit:
        with self._lock:
            turn = threading.Condition(self._lock)
            self._waiting.append(turn)
            try:
                while True:
                    permit = None
                    if self._waiting[0] is turn:
                        permit = self._window.start(self._clock())
                    if permit is not None:
                        return permit
                    turn.wait(self._pause_seconds() if self._waiting[0] is turn else None)
            finally:
                self._waiting.remove(turn)
                self._wake_first()

    def _pause_seconds(self) -> float | None:
        left = self._window.paused_until - self._clock()
        return left if left > 0 else None

    def _wake_first(self) -> None:
        if self._waiting:
            self._waiting[0].notify()
