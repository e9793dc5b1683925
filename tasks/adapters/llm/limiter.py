"""How many requests are in flight at once: fewer while the server says it is too many."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass

LONGEST_PAUSE_SECONDS = 60.0
"""No server's word holds up all requests for longer than this."""

SHARE_THAT_HALVES = 1 / 3
SHARE_THAT_HOLDS = 1 / 10


@dataclass
class Permit:
    """The right to have one request in flight; ``round_trip`` is when it was given."""

    round_trip: int
    succeeded: bool = False
    overloaded: bool = False


@dataclass
class Window:
    """The rule, without threads: how many requests may be in flight.

    Halved as soon as a third of a window's answers say that the server has too many; one more
    after each window in which fewer than a tenth did. A single 429 changes nothing: gateways also
    answer it by chance, and halving for each would leave a run of hundreds with a few in flight.
    Requests that were in flight together halve it once: their answers are one piece of news.
    """

    maximum: int
    size: int
    in_flight: int = 0
    answers: int = 0
    overloads: int = 0
    round_trip: int = 0
    paused_until: float = float("-inf")

    def start(self, now: float) -> Permit | None:
        """A permit, or None while the window is full or paused."""
        if now < self.paused_until or self.in_flight >= self.size:
            return None
        self.in_flight += 1
        return Permit(self.round_trip)

    def pause(self, now: float, seconds: float) -> None:
        """Start nothing for a while, at most a minute."""
        until = now + min(seconds, LONGEST_PAUSE_SECONDS)
        self.paused_until = max(self.paused_until, until)

    def finish(self, permit: Permit) -> None:
        """A request is no longer in flight."""
        self.in_flight -= 1
        answered = permit.succeeded or permit.overloaded
        if not answered or permit.round_trip != self.round_trip:
            return
        self.answers += 1
        self.overloads += permit.overloaded
        if self.overloads >= self.size * SHARE_THAT_HALVES:
            self.size = max(1, self.size // 2)
            self.round_trip += 1
            self.answers = self.overloads = 0
        elif self.answers >= self.size:
            grows = self.overloads < self.size * SHARE_THAT_HOLDS
            self.size = min(self.maximum, self.size + grows)
            self.answers = self.overloads = 0


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

    def pause(self, seconds: float) -> None:
        """Hold up all requests that are not sent yet: the server asks for it."""
        with self._lock:
            self._window.pause(self._clock(), seconds)

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
