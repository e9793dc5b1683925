"""Values in texts and answers: amounts, numbers, dates, frequencies, and words that exclude."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from tasks.audit.support.reading_words import Text, keys_of, read_text

ValueClass = Literal["amount", "number", "date", "frequency", "word", "text"]
Span = tuple[int, int]

UNITS = frozenset(
    key
    for unit in [
        "mg",
        "mcg",
        "g",
        "kg",
        "ml",
        "l",
        "unit",
        "tablet",
        "capsule",
        "puff",
        "drop",
        "patch",
        "meq",
        "mmol",
        "cap",
        "tab",
        "spray",
        "inch",
        "application",
        "packet",
        "lozenge",
        "suppository",
        "vial",
        "ampule",
        "mmhg",
        "bpm",
        "dl",
        "percent",
        "neb",
        "nebulizer",
        "iu",
    ]
    for key in keys_of(unit)
)
DAYS_IN = {
    "day": 1.0, "night": 1.0, "week": 7.0, "month": 30.44, "year": 365.25, "hour": 1 / 24,
    "minute": 1 / 1440,
}  # fmt: skip
_BEFORE_ONE = frozenset(
    ["than", "in", "within", "after", "for", "of", "is", "was", "to", "about", "only", "just"]
)
_EXCLUSIVE = (
    "reported denied", "primary secondary", "sensitive susceptible resistant intermediate",
    "positive negative", "yes no", "higher lower unchanged", "left right bilateral",
    "held stopped discontinued new started continued increased decreased resumed unchanged added "
    "given restarted reduced paused",
    "rose fell", "home rehab hospice facility",
)  # fmt: skip
_FREQUENCY = re.compile(
    r"\b(?:(?:(?:once|twice|(?:one|two|three|four|five|six|\d+) times) (?:a |per |each |every )?"
    r"(?:daily|day|week(?:ly)?|month(?:ly)?)|every (?:other )?(?:\w+ )?(?:day|hour|week|month|"
    r"morning|evening|"
    r"night|bedtime|\d+ hours|(?:two|three|four|six|eight|twelve) hours)s?|daily|weekly|monthly|"
    r"at bedtime|at night|nightly|once a day|[qbt]\.?i\.?d\.?|prn|bid|tid|qid|"
    r"in the (?:morning|evening)|(?:mon|tues|wednes|thurs|fri|satur|sun)days?)"
    r"(?:,? (?:as needed|(?:with|before|after) meals|at bedtime|prn))*|as needed|with meals)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Value:
    """A value at a place of a text; ``key`` is what is compared."""

    kind: ValueClass
    key: tuple[str, ...]
    span: Span


@lru_cache(maxsize=1)
def _exclusive() -> dict[str, frozenset[str]]:
    return {
        key: frozenset(one for word in group.split() for one in keys_of(word))
        for group in _EXCLUSIVE
        for key in (key for word in group.split() for key in keys_of(word))
    }


def alternatives(keys: tuple[str, ...]) -> frozenset[str]:
    """The words one of which excludes the others, where an answer consists of one."""
    return _exclusive().get(keys[0], frozenset()) if keys else frozenset()


def is_amount_at(text: Text, place: int) -> bool:
    """A number with a unit of amount behind it."""
    following = place + 1
    return following < len(text.tokens) and text.tokens[following].key in UNITS


@lru_cache(maxsize=65536)
def numbers_in(text: Text) -> tuple[Value, ...]:
    """Amounts and bare numbers; ``135/79`` is one number, ``1 tablet`` an amount."""
    found: list[Value] = []
    place = 0
    while place < len(text.tokens):
        token = text.tokens[place]
        if token.kind != "number" and not (token.key.isdigit() and is_amount_at(text, place)):
            place += 1
            continue
        if is_amount_at(text, place):
            found.append(
                Value("amount", (token.key, text.tokens[place + 1].key), (place, place + 2))
            )
        elif not _is_span(text, place):
            found.append(Value("number", (token.key,), (place, place + 1)))
        place += 1
    return tuple(found)


def _is_span(text: Text, place: int) -> bool:
    return place + 1 < len(text.tokens) and text.tokens[place + 1].key in DAYS_IN


@lru_cache(maxsize=65536)
def dates_in(text: Text) -> tuple[Value, ...]:
    """Dates, in any usual spelling."""
    return tuple(
        Value("date", (token.key,), (place, place + 1))
        for place, token in enumerate(text.tokens)
        if token.kind == "date"
    )


@lru_cache(maxsize=65536)
def frequencies_in(text: Text) -> tuple[Value, ...]:
    """How often something is taken, in the widest phrase that says it."""
    found: list[Value] = []
    for match in _FREQUENCY.finditer(text.plain):
        keys = keys_of(match[0])
        taken = {one.span for one in found}
        for span in text.find(keys):
            if not any(span[0] < end and start < span[1] for start, end in taken):
                found.append(Value("frequency", keys, span))
                break
    return tuple(found)


def spans_in(text: Text) -> tuple[tuple[float, str], ...]:
    """Lengths of time: ``29 days`` is (29, day)."""
    return tuple(
        (float(token.key), text.tokens[place + 1].key)
        for place, token in enumerate(text.tokens)
        if re.fullmatch(r"\d+(?:\.\d+)?", token.key)
        and _is_span(text, place)
        and not is_some_day(text, place)
    )


def is_some_day(text: Text, place: int) -> bool:
    """“You may be asked about it one day” gives no length of time."""
    before = text.tokens[place - 1].key if place else ""
    token = text.tokens[place]
    is_day = text.tokens[place + 1 : place + 2] and text.tokens[place + 1].key == "day"
    return bool(is_day) and token.kind == "word" and token.key == "1" and before not in _BEFORE_ONE


@dataclass(frozen=True)
class Answer:
    """An answer, or a part of one."""

    text: str
    keys: tuple[str, ...]
    kind: ValueClass


@lru_cache(maxsize=65536)
def read_answer(answer: str) -> Answer:
    """What sort of value an answer is, by the first value in it."""
    text = read_text(answer.strip(" .\"'“”"))
    keys = tuple(token.key for token in text.tokens)
    return Answer(answer, keys, _kind(text, keys))


def _kind(text: Text, keys: tuple[str, ...]) -> ValueClass:
    numbers = numbers_in(text)
    if numbers and numbers[0].span[0] == 0 and (len(keys) <= 2 or numbers[0].kind == "amount"):
        return numbers[0].kind
    if any(one.span[0] == 0 for one in dates_in(text)) and len(keys) == 1:
        return "date"
    if any(one.span == (0, len(keys)) for one in frequencies_in(text)):
        return "frequency"
    if alternatives(keys) and len(keys) <= 2 + _MOVE_WORDS * _is_move(keys):
        return "word"
    return "text"


_MOVE_WORDS = 8


def _is_move(keys: tuple[str, ...]) -> bool:
    """“increased from 20 mg to 40 mg” is told as one word would be."""
    return all(key[0].isdigit() or key in UNITS | {"from", "to", "by"} for key in keys[1:])


def values_in(text: Text, kind: ValueClass, answer: Answer) -> list[Value]:
    """Everything in a text that a value of a kind could be mistaken for."""
    if kind in ("amount", "number"):
        return [one for one in numbers_in(text) if kind == "number" or one.kind == kind]
    if kind == "date":
        return list(dates_in(text))
    if kind == "frequency":
        return list(frequencies_in(text))
    if kind == "word":
        others = alternatives(answer.keys)
        return [
            Value("word", (token.key,), (place, place + 1))
            for place, token in enumerate(text.tokens)
            if token.key in others and not token.aside
        ]
    return []
