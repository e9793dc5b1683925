"""Figures with the n they come from, to four digits, so that machines agree on them."""

from __future__ import annotations

from tasks.contracts.audit import ShareOf


def rounded(value: float) -> float:
    """A figure to four digits."""
    return round(value, 4)


def share_of(count: int, n: int) -> ShareOf:
    """``count`` of ``n``; the share is null where there is nothing to take it of."""
    return ShareOf(count=count, n=n, share=rounded(count / n) if n else None)
