"""Shares with Wilson's interval, and McNemar's test."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import comb, sqrt

from tasks.contracts.rubric_measures import McNemar, Share

_Z = 1.959963984540054
"""97.5th percentile of the normal distribution."""


def share(hits: int, n: int) -> Share:
    """A share with Wilson's 95 % interval; nulls where n is 0."""
    if n == 0:
        return Share(hits=0, n=0, value=None, lower=None, upper=None)
    value = hits / n
    denominator = 1 + _Z**2 / n
    middle = (value + _Z**2 / (2 * n)) / denominator
    half = _Z * sqrt(value * (1 - value) / n + _Z**2 / (4 * n**2)) / denominator
    return Share(
        hits=hits,
        n=n,
        value=value,
        lower=min(value, max(0.0, middle - half)),
        upper=max(value, min(1.0, middle + half)),
    )


def share_of(values: Iterable[bool]) -> Share:
    """The share of truths."""
    seen = list(values)
    return share(sum(seen), len(seen))


def harmonic_mean(one: float | None, other: float | None) -> float | None:
    """F1 of a precision and a recall; 0 where both are 0, null where one is."""
    if one is None or other is None:
        return None
    return 2 * one * other / (one + other) if one + other else 0.0


def mcnemar(baseline: str, pairs: Sequence[tuple[bool, bool]]) -> McNemar:
    """McNemar's exact two-sided test; a pair is (this set, the baseline) on one constraint."""
    only_this = sum(this and not other for this, other in pairs)
    only_baseline = sum(other and not this for this, other in pairs)
    return McNemar(
        baseline=baseline,
        pairs=len(pairs),
        only_this=only_this,
        only_baseline=only_baseline,
        p_value=_two_sided(only_this, only_baseline) if pairs else None,
    )


def _two_sided(one: int, other: int) -> float:
    """Chance of a split at least as uneven, were both sides equally likely."""
    n = one + other
    tail = sum(comb(n, k) for k in range(min(one, other) + 1))
    return min(1.0, 2 * tail / 2**n)
