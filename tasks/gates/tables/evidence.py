"""Does an answer follow from its cited turns, and does it need them all? A check by words.

Independent of how questions are written: it knows cited turns, question and answer only. An
answer follows if its words stand in the cited turns, or if it is a count of them, a difference of
two of their dates or numbers, the weekdays of their dates, or a choice between two cited options
that the question names. ``superfluous_turns`` counts cited turns without which neither the answer's
form nor any word of question or answer would lose its support.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import combinations

from tasks.contracts.clock import format_date, parse_date
from tasks.contracts.dialogue import ConversationLine
from tasks.gates.tables.arithmetic import is_extreme, is_movement, stated_lengths
from tasks.gates.tables.fillers import FILLERS

Places = frozenset[int]
"""Positions of the cited turns that an answer takes."""

JOINERS = (" to ", " versus ", " and ", "; ", ", ")

_WORD = re.compile(r"[^\W_]+(?:[./:%'-][^\W_]+)*%?")
_DATE = re.compile(r"\b\d{4}-\d{2}-\d{2}\b")
_NUMBER = re.compile(r"(?<![\w.-])\d+(?:\.\d+)?(?![\w-])")
_COUNT = re.compile(r"(\d+) (?:hospitalizations?|times?|different [a-z]+|[a-z]+s)")
_DAYS = re.compile(r"(\d+) days?")
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


@dataclass(frozen=True)
class Support:
    """How far cited turns carry an answer."""

    unsupported_words: int
    superfluous_turns: int


def judge_support(question: str, answer: str, cited: Sequence[ConversationLine]) -> Support:
    """Measure one answerable question against its cited turns, given in time order."""
    held = [_turn_words(line) for line in cited]
    carried = set().union(*held)
    told = (_words(answer) | _asked_words(question)) & carried
    telling = frozenset(
        place
        for place in range(len(held))
        if not told <= set().union(*held[:place], *held[place + 1 :])
    )
    forms = list(_forms(question, answer.lower().strip(" ."), cited))
    unsupported = 0 if forms else _unsupported_words(answer, carried, cited)
    if unsupported:
        return Support(unsupported_words=unsupported, superfluous_turns=0)
    needed = max((len(used | telling) for used in forms), default=len(telling))
    return Support(unsupported_words=0, superfluous_turns=max(0, len(cited) - max(needed, 1)))


def _forms(question: str, text: str, cited: Sequence[ConversationLine]) -> Iterator[Places]:
    """The turns that the answer takes, for each form that it fits."""
    everything = frozenset(range(len(cited)))
    yield from _verbatim(text, cited)
    yield from _days(text, question, cited)
    yield from _difference(text, cited)
    if (
        _is_count(text, cited)
        or _is_weekdays(text, cited)
        or _is_choice(text, question, cited)
        or is_extreme(question, text, cited)
        or is_movement(question, text, cited)
    ):
        yield everything


def _unsupported_words(answer: str, carried: set[str], cited: Sequence[ConversationLine]) -> int:
    """Words of an answer that fits no form: all of a figure's, else those no cited turn says."""
    text = answer.lower().strip(" .")
    figure = any(form.fullmatch(text) for form in (_COUNT, _DAYS, _NUMBER))
    words = _words(answer)
    if figure or not words or _swapped(text, cited):
        return len(answer.split())
    return len(words - carried)


def _swapped(text: str, cited: Sequence[ConversationLine]) -> bool:
    """Two values that the two cited turns say the other way round."""
    pairs = (text.split(joiner) for joiner in JOINERS if text.count(joiner) == 1)
    return len(cited) == 2 and any(
        _says(cited[0], pair[1]) and _says(cited[1], pair[0]) for pair in pairs
    )


def _verbatim(text: str, cited: Sequence[ConversationLine]) -> Iterator[Places]:
    """The answer's parts stand in as many turns, in order; or all of it in any turn."""
    for joiner in JOINERS:
        parts = text.split(joiner)
        for places in combinations(range(len(cited)), len(parts)) if len(parts) > 1 else ():
            if all(_says(cited[at], part) for at, part in zip(places, parts, strict=True)):
                yield frozenset(places)
    yield from (frozenset({place}) for place, line in enumerate(cited) if _says(line, text))


def _says(line: ConversationLine, part: str) -> bool:
    words = rf"(?<!\w)(?<!\d\.){re.escape(part.strip())}(?!\w|\.\d)"
    return re.search(words, line.text.lower()) is not None or part == format_date(line.time)


def _is_count(text: str, cited: Sequence[ConversationLine]) -> bool:
    found = _COUNT.fullmatch(text)
    return found is not None and int(found[1]) == len(cited)


def _days(text: str, question: str, cited: Sequence[ConversationLine]) -> Iterator[Places]:
    found = _DAYS.fullmatch(text)
    if found is None:
        return
    days = int(found[1])
    dates = [_dates(line) for line in cited]
    lengths = [stated_lengths(line) for line in cited]
    for one, other in combinations(range(len(cited)), 2):
        apart = {abs((b - a).days) for a in dates[one] for b in dates[other]}
        longer = {abs(a - b) for a in lengths[one] for b in lengths[other]}
        if days in apart | longer:
            yield frozenset({one, other})
    asked = _dates_in(question)
    for place, known in enumerate(dates):
        if any(abs((b - a).days) == days for a in asked for b in known):
            yield frozenset({place})


def _dates(line: ConversationLine) -> set[date]:
    """Dates the turn says, and the day it is said."""
    return {line.time.date()} | _dates_in(line.text)


def _dates_in(text: str) -> set[date]:
    found: set[date] = set()
    for one in _DATE.findall(text):
        try:
            found.add(parse_date(one))
        except ValueError:
            continue
    return found


def _difference(text: str, cited: Sequence[ConversationLine]) -> Iterator[Places]:
    if _NUMBER.fullmatch(text) is None:
        return
    numbers = [[float(one) for one in _NUMBER.findall(line.text)] for line in cited]
    for one, other in combinations(range(len(cited)), 2):
        gaps = (abs(abs(a - b) - float(text)) for a in numbers[one] for b in numbers[other])
        if any(gap < 1e-6 for gap in gaps):
            yield frozenset({one, other})


def _is_weekdays(text: str, cited: Sequence[ConversationLine]) -> bool:
    parts = text.split(" and ")
    if len(parts) != len(cited) or not set(parts) <= set(_WEEKDAYS):
        return False
    fits = (
        part in {_WEEKDAYS[day.weekday()] for day in _dates(line)}
        for part, line in zip(parts, cited, strict=True)
    )
    return all(fits)


def _is_choice(text: str, question: str, cited: Sequence[ConversationLine]) -> bool:
    """The question names the option: a stay by its date, or one of two things the turns tell of."""
    if text not in question.lower() or len(cited) < 2:
        return False
    if _DATE.search(text):
        return len(set(_DATE.findall(question))) == len(cited)
    first, second = (_words(line.text) & _asked_words(question) for line in cited[:2])
    # One thing's name may stand in the other's turn too: a film after a knee replacement.
    return len(cited) == 2 and bool(first) and bool(second) and first != second


def _asked_words(question: str) -> set[str]:
    """Words of a question but its dates: those name stays, and every turn is said on some day."""
    return _words(_DATE.sub(" ", question))


def _turn_words(line: ConversationLine) -> set[str]:
    return _words(line.text) | {format_date(line.time)}


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.lower())) - FILLERS
