"""What several turns' numbers for one thing come to, read from the turns' words alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from tasks.contracts.dialogue import ConversationLine
from tasks.gates.tables.fillers import FILLERS

_TOKEN = re.compile(r"[0-9]+(?:\.[0-9]+)?|[^\W\d_]+")
_LENGTH = re.compile(r"\b(\d+|less than one) days?\b")
_HIGH = frozenset({"highest", "greatest", "peak", "largest", "higher"})
_LOW = frozenset({"lowest", "smallest", "lower"})
_NEAR = 10
# What only says when something was measured or taken.
_NAMELESS = FILLERS | {"discharge", "home", "labs", "laboratory"}


def stated_lengths(line: ConversationLine) -> set[int]:
    """Numbers of days that a turn speaks of."""
    found = _LENGTH.findall(line.text.lower())
    return {int(one) if one.isdigit() else 0 for one in found}


def is_extreme(question: str, answer: str, cited: Sequence[ConversationLine]) -> bool:
    """The answer is the highest, or the lowest, of what the turns say of the asked thing."""
    asked = set(_tokens(question))
    wanted = _first_number(answer)
    values = _asked_values(question, cited)
    if wanted is None or len(values) < 2 or not asked & (_HIGH | _LOW):
        return False
    return wanted == (max(values) if asked & _HIGH else min(values))


def is_movement(question: str, answer: str, cited: Sequence[ConversationLine]) -> bool:
    """The answer says how the asked value moved from each turn to the next."""
    values = _asked_values(question, cited)
    moves = [
        "rose" if later > earlier else "fell" if later < earlier else "stayed the same"
        for earlier, later in pairwise(values)
    ]
    return bool(moves) and answer == ", then ".join(moves)


def _asked_values(question: str, cited: Sequence[ConversationLine]) -> list[float]:
    """The number that each turn gives to the asked thing; empty where one gives none.

    Of the asked words that all turns share, those count that the numbers follow most closely.
    """
    asked = set(_tokens(question))
    spoken = [_tokens(line.text) for line in cited]
    shared = (
        set.intersection(*(set(_runs(asked, tokens)) for tokens in spoken)) if spoken else set()
    )
    given: list[tuple[int, int, tuple[str, ...], list[float]]] = []
    for run in shared:
        found = [one for tokens in spoken if (one := _number_after(run, tokens)) is not None]
        if len(found) == len(cited):
            gap = sum(gap for gap, _ in found)
            given.append((gap, -len(run), run, [value for _, value in found]))
    return min(given)[-1] if given else []


def _runs(asked: set[str], tokens: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Every stretch of neighbouring words of a turn that are all asked about and name something."""
    for start in range(len(tokens)):
        for end in range(start + 1, min(start + 8, len(tokens)) + 1):
            if tokens[end - 1] not in asked or _is_number(tokens[end - 1]):
                break
            if not _NAMELESS.issuperset(tokens[start:end]):
                yield tuple(tokens[start:end])


def _number_after(run: tuple[str, ...], tokens: Sequence[str]) -> tuple[int, float] | None:
    """The first number behind a stretch of words, with the number of words in between."""
    size = len(run)
    for start in range(len(tokens) - size + 1):
        if tuple(tokens[start : start + size]) == run:
            near = tokens[start + size : start + size + _NEAR]
            numbers = ((gap, float(one)) for gap, one in enumerate(near) if _is_number(one))
            return next(numbers, None)
    return None


def _first_number(text: str) -> float | None:
    return next((float(one) for one in _tokens(text) if _is_number(one)), None)


def _is_number(token: str) -> bool:
    return token[0] in "0123456789"


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(text.lower())
