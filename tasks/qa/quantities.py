"""Numbers that several cited turns give to one and the same thing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import pairwise

from tasks.contracts.records import Fact
from tasks.qa.shown import ShownTurn, names_of
from tasks.terminology.normalization import says, words

GREATER = frozenset({"higher", "longer", "highest", "greatest", "peak", "largest"})
LESSER = frozenset({"lower", "shorter", "lowest", "smallest"})

_NUMBER = re.compile(r"(?<![\w.-])\d+(?:\.\d+)?(?![\w-])")


def first_number(value: str) -> Decimal | None:
    """The first number of a text, None where it has none."""
    found = _NUMBER.search(value)
    return Decimal(found[0]) if found else None


def shared_facts(turns: Sequence[ShownTurn]) -> Iterator[tuple[Fact, ...]]:
    """One fact a turn, all of one kind about one thing."""
    if not turns:
        return
    for fact in turns[0].facts:
        row = [fact]
        for turn in turns[1:]:
            same = (
                other
                for other in turn.facts
                if (other.kind, other.label.casefold()) == (fact.kind, fact.label.casefold())
            )
            row += [found] if (found := next(same, None)) else []
        if len(row) == len(turns):
            yield tuple(row)


def asked_numbers(question: str, turns: Sequence[ShownTurn]) -> tuple[Decimal, ...]:
    """What the turns say of the thing that the question names; empty where one lacks a number."""
    for row in shared_facts(turns):
        numbers = [first_number(fact.value) for fact in row]
        known = tuple(number for number in numbers if number is not None)
        if len(known) == len(turns) and any(says(question, name) for name in names_of(row[0])):
            return known
    return ()


def extreme(question: str, turns: Sequence[ShownTurn]) -> Decimal | None:
    """The highest or the lowest of the asked numbers, as the question wants it."""
    numbers, asked = asked_numbers(question, turns), set(words(question))
    if not numbers or not asked & (GREATER | LESSER):
        return None
    return max(numbers) if asked & GREATER else min(numbers)


def directions(question: str, turns: Sequence[ShownTurn]) -> str:
    """``rose, then fell``: how the asked numbers move from turn to turn; empty without numbers."""
    return movement(asked_numbers(question, turns))


def movement(numbers: Sequence[Decimal]) -> str:
    """How numbers move from each to the next, in words."""
    return ", then ".join(
        "rose" if later > earlier else "fell" if later < earlier else "stayed the same"
        for earlier, later in pairwise(numbers)
    )
