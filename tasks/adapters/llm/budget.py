"""What a run may spend: no request is sent whose worst case exceeds what is left.

The worst case of a request is reserved before each HTTP request and settled after it. An answer
settles what it says it took; an error status costs nothing. A request that was sent and never
answered (a timeout, a cut connection) stays spent at its worst case: the server may have billed it.
"""

from __future__ import annotations

import math
import threading
from dataclasses import dataclass
from decimal import Decimal

from tasks.contracts.errors import BudgetSpent

_NANOS = 1_000_000_000


@dataclass(frozen=True)
class Spending:
    """Tokens and money; whole billionths of a dollar, so that sums don't drift."""

    tokens: int = 0
    nano_usd: int = 0

    @classmethod
    def of(cls, tokens: int, usd: float) -> Spending:
        """An amount; money is rounded up."""
        return cls(tokens, math.ceil(_nanos(usd)))

    def __add__(self, other: Spending) -> Spending:
        """The sum."""
        return Spending(self.tokens + other.tokens, self.nano_usd + other.nano_usd)

    def __sub__(self, other: Spending) -> Spending:
        """The difference."""
        return Spending(self.tokens - other.tokens, self.nano_usd - other.nano_usd)


class Budget:
    """The limits of a run and what is spent and reserved of them; safe to use from threads."""

    def __init__(self, max_usd: float | None = None, max_tokens: int | None = None) -> None:
        self._max_tokens = max_tokens
        self._max_nano_usd = None if max_usd is None else math.floor(_nanos(max_usd))
        self._spent = Spending()
        self._reserved = Spending()
        self._settled = threading.Condition()

    @property
    def spent(self) -> Spending:
        """What is settled."""
        return self._spent

    def reserve(self, worst: Spending) -> None:
        """Set the worst case of a request aside.

        Waits while it may fit once requests in flight are settled; raises BudgetSpent where it
        can't.
        """
        with self._settled:
            while not self._fits(self._spent + self._reserved + worst):
                if not self._fits(self._spent + worst) or self._reserved == Spending():
                    raise BudgetSpent(self._exhausted(worst))
                self._settled.wait()
            self._reserved += worst

    def settle(self, worst: Spending, actual: Spending) -> None:
        """Replace a reservation by what the request took."""
        with self._settled:
            self._reserved -= worst
            self._spent += actual
            self._settled.notify_all()

    def _fits(self, total: Spending) -> bool:
        return (self._max_tokens is None or total.tokens <= self._max_tokens) and (
            self._max_nano_usd is None or total.nano_usd <= self._max_nano_usd
        )

    def _exhausted(self, worst: Spending) -> str:
        parts: list[str] = []
        if self._max_tokens is not None:
            left = max(0, self._max_tokens - self._spent.tokens)
            parts.append(
                f"{self._spent.tokens} of --max-tokens {self._max_tokens} are spent, {left} are "
                f"left, the next request may take {worst.tokens}"
            )
        if self._max_nano_usd is not None:
            left = max(0, self._max_nano_usd - self._spent.nano_usd)
            parts.append(
                f"{_usd(self._spent.nano_usd)} of --max-usd {_usd(self._max_nano_usd)} USD are "
                f"spent, {_usd(left)} are left, the next request may cost {_usd(worst.nano_usd)}"
            )
        return (
            "the budget of this run is spent: "
            + "; ".join(parts)
            + ". Finished work is kept: raise --max-usd or --max-tokens, the same command resumes"
        )


def _nanos(usd: float) -> Decimal:
    """An amount as it is written, not as the nearest binary fraction, in billionths."""
    return Decimal(repr(usd)) * _NANOS


def _usd(nano_usd: int) -> str:
    return f"{nano_usd / _NANOS:.4f}"
