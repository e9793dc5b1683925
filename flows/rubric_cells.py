"""How cells of the tables of rubrics are written."""

from __future__ import annotations

from decimal import Decimal

from tasks.contracts.rubric_measures import Interval, Share


def percent(value: float | None) -> float | None:
    """A share in percent."""
    return None if value is None else 100 * value


def three(value: float | None) -> Decimal | None:
    """A number with three digits."""
    return None if value is None else Decimal(f"{value:.3f}")


def bounds(found: Share) -> str:
    """A share's interval in percent."""
    if found.lower is None or found.upper is None:
        return "n/a"
    return f"{100 * found.lower:.1f} to {100 * found.upper:.1f}"


def span(found: Interval, factor: float = 1) -> str:
    """A bootstrap interval."""
    if found.lower is None or found.upper is None:
        return "n/a"
    return f"{factor * found.lower:.2f} to {factor * found.upper:.2f}"
