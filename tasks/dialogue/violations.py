"""What is wrong with a dialogue, said twice: for the public, and for the model that mends it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

Place = Literal["whole", "frame", "summary"] | int
"""What to write again: all of it, its numbers and times, its summary, or the text of one turn."""


@dataclass(frozen=True)
class Violation:
    """A rule that a dialogue breaks.

    ``public`` names the rule and the turn and never holds words of the text; ``told``, which may
    quote it, is for the model's eyes only. ``place`` is the least that has to be written again.
    """

    public: str
    told: str
    place: Place = "whole"


def of_turn(rule: str, turn: int, told: str) -> Violation:
    """A violation that another text of the turn mends; ``told`` goes on behind ``turn N``."""
    return Violation(f"{rule}: turn {turn}", f"turn {turn} {told}", turn)


def said_openly(public: str, place: Place = "whole") -> Violation:
    """A violation whose public form tells the model enough."""
    return Violation(public, public, place)


def of_summary(found: Iterable[Violation]) -> Iterator[Violation]:
    """Violations that were found in a summary's texts as if they were turns."""
    for one in found:
        rule, _, _ = one.public.rpartition(": turn ")
        _, _, told = one.told.removeprefix("turn ").partition(" ")
        yield Violation(f"{rule}: summary", f"summary: it {told}", "summary")
