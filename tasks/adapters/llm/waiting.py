"""How long one request goes on being asked: backoff with jitter, inside a deadline."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

FIRST_DELAY_SECONDS = 0.5
LONGEST_DELAY_SECONDS = 60.0
_MOST_DOUBLINGS = 10


@dataclass
class Patience:
    """The time a request has left. Waiting for a permit doesn't count: others are at fault."""

    deadline_seconds: float
    random: Random
    used_seconds: float = 0.0
    failures: int = 0

    @property
    def left_seconds(self) -> float:
        """What is left until the deadline."""
        return max(0.0, self.deadline_seconds - self.used_seconds)

    def next_delay_seconds(self, retry_after_seconds: float | None) -> float | None:
        """How long to wait after a failure; None where that would pass the deadline.

        Random up to a bound that doubles, and never less than the server asks for.
        """
        doublings = min(self.failures, _MOST_DOUBLINGS)
        bound = min(LONGEST_DELAY_SECONDS, FIRST_DELAY_SECONDS * 2**doublings)
        self.failures += 1
        delay = max(self.random.uniform(0, bound), retry_after_seconds or 0.0)
        return delay if delay < self.left_seconds else None
