"""Does an answer follow from cited turns, and how many of them does it take?

Knows question, answer and turns, not how questions are written. An answer is verbatim, a count of
the turns, a difference of two of their dates, numbers or lengths, the weekdays of their dates, the
highest or lowest of their values, the direction of these, or a choice between options that the
question names. Turns that alone tell of something the question names are needed too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date
from decimal import Decimal
from itertools import combinations, product

from tasks.contracts.records import Fact, FactKind
from tasks.qa.choices import choice, offers_options
from tasks.qa.quantities import directions, extreme, first_number
from tasks.qa.shown import ShownTurn, names_of
from tasks.terminology.normalization import says, words

Places = frozenset[int]
"""Positions of the cited turns that a derivation uses."""

_JOINERS = (" to ", " versus ", " and ", "; ", ", ")
_ORDERED = (" to ", " versus ")
_HEADED = frozenset({FactKind.CHIEF_COMPLAINT, FactKind.DISPOSITION, FactKind.STAY})
"""Kinds of facts whose label is a heading, which questions put in words of their own."""

_COUNT = re.compile(r"(\d+) (hospitalizations|times|different \w+)")
_DAYS = re.compile(r"(\d+) days?")
_NUMBER = re.compile(r"(?<![\w.-])\d+(?:\.\d+)?(?![\w-])")
_FILLERS = frozenset(
    ["a", "an", "and", "as", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with"]
)


def operands(question: str, answer: str, turns: Sequence[ShownTurn]) -> int:
    """Turns that the answer takes, 0 where it doesn't follow; fewer than cited: not minimal."""
    text = answer.strip()
    told = _told(question, turns)
    if offers_options(text, question, turns):
        return len(turns) if choice(text, question, turns) else 0
    found = (used | told for rule in _RULES for used in rule(question, text, turns))
    return max((len(used) for used in found), default=0)


def _told(question: str, turns: Sequence[ShownTurn]) -> Places:
    """Turns that alone tell of something the question names."""
    named = [
        {phrase for fact in turn.facts for phrase in _phrases(fact) if says(question, phrase)}
        for turn in turns
    ]
    return frozenset(
        place
        for place, own in enumerate(named)
        if own - set[str]().union(*named[:place], *named[place + 1 :])
    )


def _phrases(fact: Fact) -> Iterator[str]:
    yield from (name.casefold() for name in names_of(fact))
    yield fact.value.casefold()
    if "action" in fact.detail:
        yield fact.detail["action"].casefold()


def _verbatim(question: str, answer: str, turns: Sequence[ShownTurn]) -> Iterator[Places]:
    if len(turns) > 1:
        for joiner in _JOINERS:
            parts = answer.split(joiner)
            yield from _each_in_turn(parts, turns) if len(parts) > 1 else ()
    told = _told(question, turns)
    for place, turn in enumerate(turns):
        if turn.holds(answer) and (not told - {place} or _linked(answer, question, turns, place)):
            yield frozenset({place})


def _each_in_turn(parts: Sequence[str], turns: Sequence[ShownTurn]) -> Iterator[Places]:
    """Turns in order that hold one part each; others may tell what the question names."""
    for places in combinations(range(len(turns)), len(parts)):
        if all(turns[at].holds(part) for at, part in zip(places, parts, strict=True)):
            yield frozenset(places)


def _linked(answer: str, question: str, turns: Sequence[ShownTurn], place: int) -> bool:
    """The answer is part of a fact about what the question or another cited turn names."""
    others = [turn for at, turn in enumerate(turns) if at != place]
    for fact in turns[place].facts:
        if says(fact.label, answer):
            return _in_order(question, fact, others)
        if says(fact.value, answer) and (
            fact.kind in _HEADED
            or any(
                says(question, name) or any(says(turn.line.text, name) for turn in others)
                for name in names_of(fact)
            )
        ):
            return True
    return False


def _in_order(question: str, fact: Fact, others: Sequence[ShownTurn]) -> bool:
    """What came next is dated after what the question names, where both are dated."""
    if "next" not in words(question) or "date" not in fact.detail:
        return True
    named = [
        other.detail["date"]
        for turn in others
        for other in turn.facts
        if "date" in other.detail and says(question, other.label)
    ]
    return all(day < fact.detail["date"] for day in named)


def _scattered(question: str, answer: str, turns: Sequence[ShownTurn]) -> Iterator[Places]:
    """Every word of the answer is said, and each turn says one that no other cited turn does."""
    if len(turns) > 1 and (_is_ordered(answer) or "next" in words(question)):
        return
    wanted = set(words(answer)) - _FILLERS
    said = [wanted & set(words(turn.line.text)) for turn in turns]
    if not wanted or wanted - set[str]().union(*said):
        return
    own = frozenset(
        place
        for place, one in enumerate(said)
        if one - set[str]().union(*said[:place], *said[place + 1 :])
    )
    if own or len(turns) == 1:
        yield own or frozenset({0})


def _is_ordered(answer: str) -> bool:
    """Parts that have to stand in the order of their turns: pairs, and figures in turn."""
    figures = answer.split(", ")
    in_turn = len(figures) > 1 and all(figure[:1].isdigit() for figure in figures)
    return in_turn or any(joiner in answer for joiner in _ORDERED)


def _count(_: str, answer: str, turns: Sequence[ShownTurn]) -> Iterator[Places]:
    found = _COUNT.fullmatch(answer)
    if found is None or int(found[1]) != len(turns):
        return
    stays = len({turn.hadm_id for turn in turns})
    if found[2] != "hospitalizations" or stays == len(turns):
        yield frozenset(range(len(turns)))


def _days(_: str, answer: str, turns: Sequence[ShownTurn]) -> Iterator[Places]:
    found = _DAYS.fullmatch(answer)
    if found is None:
        return
    wanted = int(found[1])
    for (one, first), (other, second) in combinations(enumerate(turns), 2):
        pairs = product(first.dates(), second.dates())
        spans = product(_lengths(first), _lengths(second))
        if any(_apart(a, b) == wanted for a, b in pairs) or any(
            abs(a - b) == wanted for a, b in spans
        ):
            yield frozenset({one, other})
    for place, turn in enumerate(turns):
        if any(_apart(a, b) == wanted for a, b in combinations(turn.dates(), 2)):
            yield frozenset({place})


def _apart(one: date, other: date) -> int:
    return abs((one - other).days)


def _lengths(turn: ShownTurn) -> list[int]:
    """Days of the stay, where the turn tells its length."""
    return [int(fact.detail["days"]) for fact in turn.facts
            if fact.kind is FactKind.STAY and "days" in fact.detail]  # fmt: skip


def _difference(_: str, answer: str, turns: Sequence[ShownTurn]) -> Iterator[Places]:
    if _NUMBER.fullmatch(answer) is None:
        return
    numbers = [[Decimal(one) for one in _NUMBER.findall(turn.line.text)] for turn in turns]
    for (one, first), (other, second) in combinations(enumerate(numbers), 2):
        if any(abs(a - b) == Decimal(answer) for a, b in product(first, second)):
            yield frozenset({one, other})


def _weekdays(_: str, answer: str, turns: Sequence[ShownTurn]) -> Iterator[Places]:
    parts = answer.split(" and ")
    if len(parts) == len(turns) and all(
        part in {f"{day:%A}" for day in turn.dates()}
        for part, turn in zip(parts, turns, strict=True)
    ):
        yield frozenset(range(len(turns)))


def _superlative(question: str, answer: str, turns: Sequence[ShownTurn]) -> Iterator[Places]:
    """The highest or lowest of what every cited turn says of one thing."""
    number = first_number(answer)
    if len(turns) > 1 and number is not None and extreme(question, turns) == number:
        yield frozenset(range(len(turns)))


def _directions(question: str, answer: str, turns: Sequence[ShownTurn]) -> Iterator[Places]:
    """How a value moved from each cited turn to the next."""
    if len(turns) > 1 and directions(question, turns) == answer:
        yield frozenset(range(len(turns)))


_RULES = (
    _verbatim,
    _scattered,
    _count,
    _days,
    _difference,
    _weekdays,
    _superlative,
    _directions,
)
