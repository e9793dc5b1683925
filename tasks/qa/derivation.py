"""Does an answer follow from cited turns, and how many of them does it take?

Knows question, answer and turns, not how questions are written. An answer is verbatim, a count of
the turns, a difference of two of their dates or numbers, the weekdays of their dates, or a choice
between two options that the question names.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from itertools import combinations, product

from tasks.contracts.clock import format_date
from tasks.contracts.dialogue import SourcedLine
from tasks.contracts.records import Fact
from tasks.terminology.normalization import says, words

_JOINERS = (" to ", " versus ", " and ", "; ", ", ")
_ORDERED = (" to ", " versus ")
_COUNT = re.compile(r"(\d+) (hospitalizations|times|different \w+)")
_DAYS = re.compile(r"(\d+) days?")
_NUMBER = re.compile(r"(?<![\w.-])\d+(?:\.\d+)?(?![\w-])")
_DATE = re.compile(r"\b\d{4}-\d{2}-\d{2}\b")
_FILLERS = frozenset(
    ["a", "an", "and", "as", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with"]
)
_GREATER = frozenset({"higher", "longer"})
_LESSER = frozenset({"lower", "shorter"})


@dataclass(frozen=True)
class ShownTurn:
    """A cited turn with the facts it states and how questions name its stay."""

    hadm_id: str
    stay_name: str
    line: SourcedLine
    facts: tuple[Fact, ...]

    def dates(self) -> set[date]:
        """Dates that the turn says, and the day it is said."""
        return {self.line.time.date(), *_dates_in(self.line.text)}

    def holds(self, part: str) -> bool:
        """Whether the turn says a part of an answer, or is said on the date it gives."""
        return says(self.line.text, part) or part == format_date(self.line.time)


def operands(question: str, answer: str, turns: Sequence[ShownTurn]) -> int:
    """Turns that the answer takes, 0 where it doesn't follow; fewer than cited: not minimal."""
    text = answer.strip()
    if _offers_options(text, question, turns):
        return _choice(text, question, turns)
    return max(
        _verbatim(text, turns),
        _scattered(text, turns),
        _count(text, turns),
        _days(text, turns),
        _difference(text, turns),
        _weekdays(text, turns),
    )


def _verbatim(answer: str, turns: Sequence[ShownTurn]) -> int:
    if len(turns) > 1:
        for joiner in _JOINERS:
            parts = answer.split(joiner)
            if len(parts) == len(turns) and all(
                turn.holds(part) for turn, part in zip(turns, parts, strict=True)
            ):
                return len(turns)
    return int(any(turn.holds(answer) for turn in turns))


def _scattered(answer: str, turns: Sequence[ShownTurn]) -> int:
    """Every word of the answer is said, and each turn says one that no other cited turn does."""
    if len(turns) > 1 and any(joiner in answer for joiner in _ORDERED):
        return 0
    wanted = set(words(answer)) - _FILLERS
    said = [wanted & set(words(turn.line.text)) for turn in turns]
    if not wanted or wanted - set[str]().union(*said):
        return 0
    needed = sum(
        bool(own - set[str]().union(*said[:place], *said[place + 1 :]))
        for place, own in enumerate(said)
    )
    return max(1, needed)


def _count(answer: str, turns: Sequence[ShownTurn]) -> int:
    found = _COUNT.fullmatch(answer)
    if found is None or int(found[1]) != len(turns):
        return 0
    stays = len({turn.hadm_id for turn in turns})
    return len(turns) if found[2] != "hospitalizations" or stays == len(turns) else 0


def _days(answer: str, turns: Sequence[ShownTurn]) -> int:
    found = _DAYS.fullmatch(answer)
    if found is None:
        return 0
    wanted = int(found[1])
    for one, other in combinations(turns, 2):
        if any(abs((b - a).days) == wanted for a, b in product(one.dates(), other.dates())):
            return 2
    within = (abs((b - a).days) for turn in turns for a, b in combinations(turn.dates(), 2))
    return int(wanted in within)


def _difference(answer: str, turns: Sequence[ShownTurn]) -> int:
    if _NUMBER.fullmatch(answer) is None:
        return 0
    numbers = [[Decimal(one) for one in _NUMBER.findall(turn.line.text)] for turn in turns]
    pairs = (product(one, other) for one, other in combinations(numbers, 2))
    return 2 if any(abs(a - b) == Decimal(answer) for pair in pairs for a, b in pair) else 0


def _weekdays(answer: str, turns: Sequence[ShownTurn]) -> int:
    parts = answer.split(" and ")
    fits = len(parts) == len(turns) and all(
        part in {f"{day:%A}" for day in turn.dates()}
        for part, turn in zip(parts, turns, strict=True)
    )
    return len(turns) if fits else 0


def _offers_options(answer: str, question: str, turns: Sequence[ShownTurn]) -> bool:
    """The question names the answer, and it is a stay's first day or a dated event."""
    stays = {turn.stay_name for turn in turns}
    events = {
        fact.label.casefold() for turn in turns for fact in turn.facts if "date" in fact.detail
    }
    is_option = answer in stays or answer.casefold() in events
    return is_option and says(question, answer)


def _choice(answer: str, question: str, turns: Sequence[ShownTurn]) -> int:
    """Both options are named and cited, and the answer is the right one of the two."""
    if len(turns) != 2:
        return 0
    stays = [turn.stay_name for turn in turns]
    if answer in stays:
        named = all(says(question, name) for name in stays)
        return 2 if named and _greater(question, answer, turns) else 0
    options = [any(says(question, fact.label) for fact in turn.facts) for turn in turns]
    named = all(options) and any(says(turn.line.text, answer) for turn in turns)
    return 2 if named and _first(answer, turns) else 0


def _first(answer: str, turns: Sequence[ShownTurn]) -> bool:
    """The event that the answer names is dated before the other turn's one."""
    own, other = sorted(turns, key=lambda turn: not says(turn.line.text, answer))
    days = [
        [fact.detail["date"] for fact in own.facts if fact.label.casefold() == answer.casefold()],
        [fact.detail["date"] for fact in other.facts if "date" in fact.detail],
    ]
    return any(one < later for one, later in product(*days))


def _greater(question: str, answer: str, turns: Sequence[ShownTurn]) -> bool:
    """The stay that the answer names has the value the question's direction asks for."""
    asked = set(words(question))
    chosen, other = sorted(turns, key=lambda turn: turn.stay_name != answer)
    for one, two in product(chosen.facts, other.facts):
        if (one.kind, one.label.casefold()) != (two.kind, two.label.casefold()):
            continue
        a, b = _first_number(one.value), _first_number(two.value)
        if (asked & _GREATER and a > b) or (asked & _LESSER and a < b):
            return True
    return False


def _first_number(value: str) -> Decimal:
    found = _NUMBER.search(value)
    return Decimal(found[0]) if found else Decimal(0)


def _dates_in(text: str) -> list[date]:
    found: list[date] = []
    for one in _DATE.findall(text):
        try:
            found.append(date.fromisoformat(one))
        except ValueError:
            continue
    return found
