"""Tables of an evaluation, and how their cells are written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from flows.page_parts import Cell
from tasks.contracts.evaluation import Estimated, SystemScores

_SMALL = 0.0001


@dataclass(frozen=True)
class FigureTable:
    """A table of names and numbers; ``key`` names its artifact."""

    key: str
    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    caption: str = ""


def ranked(systems: Sequence[SystemScores]) -> list[SystemScores]:
    """Best score first; systems without one last, equals by name."""

    def place(one: SystemScores) -> tuple[float, str, str]:
        mean = one.overall.score["medlocomo"].mean
        return (1.0 if mean is None else -mean, one.system, one.judge)

    return sorted(systems, key=place)


def told_apart(systems: Sequence[SystemScores]) -> list[SystemScores]:
    """The systems under names that say their judge, where there are several judges."""
    if len({one.judge for one in systems}) < 2:
        return list(systems)
    return [
        one.model_copy(update={"system": f"{one.system}, judged by {one.judge}"}) for one in systems
    ]


def percent(found: Estimated) -> float | None:
    """A mean in percent."""
    return None if found.mean is None else 100 * found.mean


def interval(found: Estimated) -> str:
    """A 95 % interval in percent."""
    if found.lower is None or found.upper is None:
        return "n/a"
    return f"{100 * found.lower:.1f} to {100 * found.upper:.1f}"


def probability(value: float | None) -> str:
    """A p value."""
    if value is None:
        return "n/a"
    return f"< {_SMALL}" if value < _SMALL else f"{value:.4f}"


def dollars(usd: float | None) -> Decimal | None:
    """A cost to a hundredth of a cent."""
    return None if usd is None else Decimal(f"{usd:.4f}")


def markdown_lines(table: FigureTable) -> Iterator[str]:
    """A table as lines of Markdown, without its title."""
    numeric = [
        bool(table.rows) and all(not isinstance(row[place], str) for row in table.rows)
        for place in range(len(table.head))
    ]
    yield f"| {' | '.join(table.head)} |"
    yield f"|{'|'.join('--:' if one else '---' for one in numeric)}|"
    for row in table.rows:
        yield f"| {' | '.join(words(cell).replace('|', '/') for cell in row)} |"


def words(cell: Cell) -> str:
    """A cell as text."""
    if cell is None:
        return "n/a"
    return f"{cell:.1f}" if isinstance(cell, float) else f"{cell}"
