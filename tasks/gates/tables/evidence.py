"""Does an answer follow from its cited turns, and does it need them all? A check by words.

Independent of how questions are written: it knows cited turns, question and answer only. An
answer follows if its words stand in the cited turns, or if it is a count of them, a difference of
two of their dates or numbers, the weekdays of their dates, or a choice between two cited options
that the question names. ``superfluous_turns`` counts cited turns without which neither the answer's
form nor any word of question or answer would lose its support.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import combinations

from tasks.contracts.clock import format_date, parse_date
from tasks.contracts.dialogue import ConversationLine

JOINERS = (" to ", " versus ", " and ", "; ", ", ")

_WORD = re.compile(r"[^\W_]+(?:[./:%'-][^\W_]+)*%?")
_DATE = re.compile(r"\b\d{4}-\d{2}-\d{2}\b")
_NUMBER = re.compile(r"(?<![\w.-])\d+(?:\.\d+)?(?![\w-])")
_COUNT = re.compile(r"(\d+) (?:hospitalizations?|times?|different [a-z]+|[a-z]+s)")
_DAYS = re.compile(r"(\d+) days?")
_FILLERS = frozenset([
    "a", "admission", "after", "an", "and", "are", "as", "at", "been", "before", "between", "by",
    "did", "doctor", "does", "during", "for", "from", "had", "hospitalization", "hospitalizations",
    "how", "in", "is", "it", "its", "many", "of", "on", "or", "patient", "stay", "that", "the",
    "this", "to", "was", "were", "what", "when", "which", "who", "why", "with",
])  # fmt: skip
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


@dataclass(frozen=True)
class Support:
    """How far cited turns carry an answer."""

    unsupported_words: int
    superfluous_turns: int


def judge_support(question: str, answer: str, cited: Sequence[ConversationLine]) -> Support:
    """Measure one answerable question against its cited turns, given in time order."""
    needed = _operands(question, answer, cited)
    held = [_turn_words(line) for line in cited]
    carried = set().union(*held)
    unsupported = 0 if needed else _unsupported_words(answer, carried, cited)
    if unsupported:
        return Support(unsupported_words=unsupported, superfluous_turns=0)
    told = (_words(answer) | _asked_words(question)) & carried
    needed_by_words = sum(
        not told <= set().union(*held[:place], *held[place + 1 :]) for place in range(len(held))
    )
    return Support(
        unsupported_words=0,
        superfluous_turns=max(0, len(cited) - max(needed, needed_by_words, 1)),
    )


def _operands(question: str, answer: str, cited: Sequence[ConversationLine]) -> int:
    """Turns that the answer's form takes, as many as it can; 0 where no form fits."""
    text = answer.lower().strip(" .")
    return max(
        _verbatim(text, cited),
        _count(text, cited),
        _days(text, question, cited),
        _difference(text, cited),
        _weekdays(text, cited),
        _choice(text, question, cited),
    )


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


def _verbatim(text: str, cited: Sequence[ConversationLine]) -> int:
    """Part i of the answer stands in turn i; one part where it stands in any turn."""
    for joiner in JOINERS:
        parts = text.split(joiner)
        if len(parts) == len(cited) > 1 and all(
            _says(line, part) for part, line in zip(parts, cited, strict=True)
        ):
            return len(parts)
    return 1 if any(_says(line, text) for line in cited) else 0


def _says(line: ConversationLine, part: str) -> bool:
    words = rf"(?<!\w)(?<!\d\.){re.escape(part.strip())}(?!\w|\.\d)"
    return re.search(words, line.text.lower()) is not None or part == format_date(line.time)


def _count(text: str, cited: Sequence[ConversationLine]) -> int:
    found = _COUNT.fullmatch(text)
    return len(cited) if found and int(found[1]) == len(cited) else 0


def _days(text: str, question: str, cited: Sequence[ConversationLine]) -> int:
    found = _DAYS.fullmatch(text)
    if found is None:
        return 0
    days = int(found[1])
    dates = [_dates(line) for line in cited]
    for first, second in combinations(dates, 2):
        if any(abs((b - a).days) == days for a in first for b in second):
            return 2
    asked = _dates_in(question)
    return int(any(abs((b - a).days) == days for a in asked for some in dates for b in some))


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


def _difference(text: str, cited: Sequence[ConversationLine]) -> int:
    if _NUMBER.fullmatch(text) is None:
        return 0
    numbers = [[float(one) for one in _NUMBER.findall(line.text)] for line in cited]
    near = (
        abs(abs(a - b) - float(text)) < 1e-6
        for first, second in combinations(numbers, 2)
        for a in first
        for b in second
    )
    return 2 if any(near) else 0


def _weekdays(text: str, cited: Sequence[ConversationLine]) -> int:
    parts = text.split(" and ")
    if len(parts) != len(cited) or not set(parts) <= set(_WEEKDAYS):
        return 0
    fits = (
        part in {_WEEKDAYS[day.weekday()] for day in _dates(line)}
        for part, line in zip(parts, cited, strict=True)
    )
    return len(parts) if all(fits) else 0


def _choice(text: str, question: str, cited: Sequence[ConversationLine]) -> int:
    """The question names the option: a stay by its date, or one of two things the turns tell of."""
    if len(cited) != 2 or text not in question.lower():
        return 0
    first, second = (_words(line.text) & _asked_words(question) for line in cited)
    # One thing's name may stand in the other's turn too: a film after a knee replacement.
    return 2 if _DATE.fullmatch(text) or (first and second and first != second) else 0


def _asked_words(question: str) -> set[str]:
    """Words of a question but its dates: those name stays, and every turn is said on some day."""
    return _words(_DATE.sub(" ", question))


def _turn_words(line: ConversationLine) -> set[str]:
    return _words(line.text) | {format_date(line.time)}


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.lower())) - _FILLERS
