"""The shape of MIMIC's text: hard-wrapped lines and sections parted by a line with one blank."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

WIDTH = 76
BLANK = " "


def paragraph(text: str, indent: str = "") -> list[str]:
    """A paragraph as wrapped lines."""
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def bullets(items: Iterable[str], mark: str = "-") -> list[str]:
    """One item a line, continued lines as MIMIC leaves them, at the margin."""
    return [line for item in items for line in paragraph(f"{mark} {item}")]


def numbered(items: Iterable[str]) -> list[str]:
    """Items numbered from 1, as medication lists are."""
    lines: list[str] = []
    for number, item in enumerate(items, start=1):
        lines.extend(paragraph(f"{number}. {item}"))
    return lines


def section(heading: str, lines: Iterable[str]) -> list[str]:
    """A heading, its lines and the blank line that parts it from the next."""
    return [heading, *lines, BLANK]
