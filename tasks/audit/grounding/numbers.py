"""Numbers with units: how they are read, and when two of them say the same."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from tasks.audit.grounding.text import Sentence, word_set
from tasks.terminology.number_words import NUMBER_VALUES

_SCALES: dict[str, tuple[str, float]] = {
    "mcg": ("mg", 0.001), "ug": ("mg", 0.001), "microgram": ("mg", 0.001),
    "mg": ("mg", 1), "milligram": ("mg", 1), "g": ("mg", 1000), "gm": ("mg", 1000),
    "gram": ("mg", 1000), "kg": ("mg", 1e6), "kilogram": ("mg", 1e6), "kilo": ("mg", 1e6),
    "lb": ("lb", 1), "lbs": ("lb", 1), "pound": ("lb", 1),
    "ml": ("ml", 1), "milliliter": ("ml", 1), "millilitre": ("ml", 1), "cc": ("ml", 1),
    "dl": ("ml", 100), "l": ("ml", 1000), "liter": ("ml", 1000), "litre": ("ml", 1000),
    "mm": ("mm", 1), "cm": ("mm", 10), "centimeter": ("mm", 10), "millimeter": ("mm", 1),
    "unit": ("unit", 1), "u": ("unit", 1), "iu": ("unit", 1),
    "meq": ("meq", 1), "mmol": ("mmol", 1), "%": ("%", 1), "percent": ("%", 1),
    "tablet": ("tablet", 1), "tab": ("tablet", 1), "pill": ("pill", 1),
    "capsule": ("capsule", 1), "cap": ("capsule", 1), "puff": ("puff", 1), "drop": ("drop", 1),
    "spray": ("spray", 1), "patch": ("patch", 1), "neb": ("neb", 1), "nebulizer": ("neb", 1),
    "gtt": ("drop", 1), "gtts": ("drop", 1), "pack": ("pack", 1), "cigarette": ("cigarette", 1),
    "minute": ("minute", 1), "min": ("minute", 1), "second": ("second", 1),
    "hour": ("hour", 1), "hr": ("hour", 1), "hrs": ("hour", 1), "h": ("hour", 1),
    "day": ("day", 1), "night": ("day", 1), "d": ("day", 1), "week": ("day", 7), "wk": ("day", 7),
    "wks": ("day", 7), "yrs": ("year", 1),
    "month": ("month", 1), "year": ("year", 1), "yr": ("year", 1),
    "time": ("time", 1), "bpm": ("rate", 1), "beat": ("rate", 1), "breath": ("rate", 1),
    "degree": ("degree", 1), "mmhg": ("mmhg", 1),
}  # fmt: skip
_ROMAN = {"i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5}
_DAILY = {"bid": 2, "tid": 3, "qid": 4}
_A_DAY = 24
_DASHES = ("-", "\u2013", "°")
_PER_TIME = {"h": "hr", "hr": "hr", "hour": "hr", "min": "min", "minute": "min"}
_PER_DOSE = frozenset(("day", "d", "dose", "week"))
_RANKED = frozenset(("stage", "grade", "type", "class", "nyha"))
_HOURLY = re.compile(r"q(\d{1,2})h")
_REPEATED = re.compile(r"x(\d{1,3})([a-z]*)")
_NUMBER_WORDS = frozenset((*NUMBER_VALUES, *_ROMAN, *_DAILY, "twice"))
_FIRST = frozenset(".0123456789qx")
_HAS_NUMBER = re.compile(r"[.\d]|[qx]\d")
DOSES = word_set("mg ml unit meq mmol % tablet pill capsule puff drop spray patch neb pack")
TIMES = word_set("minute second hour day month year")
SPANS = word_set("day month year")
OFTEN = ("time", "every ")
"""How units of frequencies begin: 3 times a day, every 8 hours."""
_SAID_LOOSELY = word_set("mmhg rate degree")
"""Units that notes leave out: a bare number of the record stands for them."""
_ANY = "?"
"""Stands for the unit of a number as it is written, which bears out a bare one only."""
_DIGITS = 6


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number as it is compared; ``unit`` is empty for a bare one."""

    value: float
    unit: str
    second: float | None = None
    """The lower of two numbers written as one, as in a blood pressure of 120/80."""

    def supports(self, claim: Quantity, *, same_item: bool) -> bool:
        """Whether a number of the record bears out one of a turn.

        Numbers of the same item may leave the unit out on one side; others may only where the
        unit is one that notes leave out. A bare claim is borne out by the value in any unit.
        """
        if self._times_a_day and self._times_a_day == claim._times_a_day:
            return True
        if (self.value, self.second) != (claim.value, claim.second):
            return False
        if not claim.unit:
            return self.unit in ("", _ANY)
        if self.unit == claim.unit:
            return True
        if {self.unit, claim.unit} in ({"pill", "tablet"}, {"pill", "capsule"}):
            return True
        return not self.unit and (same_item or claim.unit in _SAID_LOOSELY or "/" in claim.unit)

    @property
    def is_frequency(self) -> bool:
        """Whether it tells how often."""
        return self.unit.startswith(OFTEN)

    @property
    def _times_a_day(self) -> float:
        """Every 8 hours is 3 times a day; 0 for what is no daily frequency."""
        if self.unit == "time":
            return self.value
        return _A_DAY / self.value if self.unit == "every hour" and self.value else 0


@dataclass(frozen=True, slots=True)
class Figure:
    """A quantity in a sentence, from token ``start`` up to ``end``."""

    quantity: Quantity
    start: int
    end: int
    scale: float = 1.0
    """What the number was multiplied with to reach the unit that is compared."""
    spelled: bool = False
    """Written as a word."""

    def as_known(self) -> tuple[Quantity, ...]:
        """What it bears out as a number of the record: itself, and its bare value as written."""
        if not self.quantity.unit:
            return (self.quantity,)
        written = round(self.quantity.value / self.scale, _DIGITS)
        return self.quantity, Quantity(written, _ANY, self.quantity.second)


@dataclass(frozen=True, slots=True)
class _Unit:
    name: str
    scale: float
    end: int


def figures(sentence: Sentence) -> list[Figure]:
    """Every number of a sentence; of a range or a pair with one unit, each with that unit."""
    found: list[Figure] = []
    read = 0
    for place, key in enumerate(sentence.keys):
        told = key in _NUMBER_WORDS or (key[:1] in _FIRST and _HAS_NUMBER.match(key))
        if place < read or not told:
            continue
        figure = _pair(sentence, place) or _single(sentence, place) or _coded(sentence, place)
        if figure is not None:
            found.append(figure)
            read = max(figure.end, place + 1)
    return _with_shared_units(sentence, found) if len(found) > 1 else found


def _pair(sentence: Sentence, place: int) -> Figure | None:
    tokens = sentence.tokens
    if (
        place + 2 < len(tokens)
        and tokens[place].isdigit()
        and (tokens[place + 1] == "/" or tokens[place + 1].lower() == "over")
        and tokens[place + 2].isdigit()
        and not (place + 3 < len(tokens) and tokens[place + 3] == "/")
    ):
        unit = _unit(sentence, place + 3)
        # Blood pressures are told with and without their unit: it says nothing.
        name = "" if unit.name == "mmhg" else unit.name
        pair = Quantity(float(tokens[place]), name, float(tokens[place + 2]))
        return Figure(pair, place, unit.end)
    return None


def _single(sentence: Sentence, place: int) -> Figure | None:
    token = sentence.tokens[place]
    key = sentence.keys[place]
    before = sentence.keys[place - 1] if place else ""
    if token[0].isdigit() or (token[0] == "." and len(token) > 1):
        value = float(token.replace(",", ""))
    elif key in NUMBER_VALUES:
        value = float(NUMBER_VALUES[key])
    elif key in _ROMAN and before in _RANKED:
        value = float(_ROMAN[key])
    else:
        return None
    unit = _unit(sentence, place + 1)
    name = f"every {unit.name}" if before == "every" and unit.name in TIMES else unit.name
    quantity = Quantity(round(value * unit.scale, _DIGITS), name)
    return Figure(quantity, place, unit.end, unit.scale, token[0].isalpha())


def _coded(sentence: Sentence, place: int) -> Figure | None:
    """``Q12H``, ``BID`` and ``x7d`` hold a number each."""
    key = sentence.keys[place]
    if key == "twice" and sentence.keys[place + 1 : place + 2] in (("daily",), ("a",), ("per",)):
        return Figure(Quantity(2.0, "time"), place, place + 1)
    if key in _DAILY:
        return Figure(Quantity(float(_DAILY[key]), "time"), place, place + 1)
    hourly = _HOURLY.fullmatch(key)
    if hourly:
        return Figure(Quantity(float(hourly[1]), "every hour"), place, place + 1)
    repeated = _REPEATED.fullmatch(key)
    if repeated:
        unit, scale = _SCALES.get(repeated[2], ("", 1))
        return Figure(Quantity(float(repeated[1]) * scale, unit), place, place + 1)
    return None


def _unit(sentence: Sentence, place: int) -> _Unit:
    """The unit at a token; without a name where there is none."""
    keys, tokens = sentence.keys, sentence.tokens
    at = place + 1 if place < len(tokens) and tokens[place] in _DASHES else place
    if at >= len(tokens):
        return _Unit("", 1.0, place)
    name = "%" if tokens[at] == "%" else keys[at]
    if name == "mm" and keys[at + 1 : at + 2] == ("hg",):
        return _Unit("mmhg", 1.0, at + 2)
    if name not in _SCALES:
        return _Unit("", 1.0, place)
    divided = tokens[at + 1 : at + 2] == ("/",) or keys[at + 1 : at + 2] == ("per",)
    by = keys[at + 2] if divided and at + 2 < len(keys) else ""
    if by and by not in _PER_DOSE and (by in _PER_TIME or tokens[at + 1] == "/"):
        return _Unit(f"{name}/{_PER_TIME.get(by, by)}", 1.0, at + 3)
    unit, scale = _SCALES[name]
    return _Unit(unit, scale, at + 1)


def _with_shared_units(sentence: Sentence, found: list[Figure]) -> list[Figure]:
    """``5-325 mg``, ``from 10 to 14 units``: the first number has the second one's unit."""
    shared: list[Figure] = []
    for position, figure in enumerate(found):
        following = found[position + 1] if position + 1 < len(found) else None
        if (
            following is not None
            and not figure.quantity.unit
            and figure.quantity.second is None
            and following.quantity.unit
            and following.start - figure.end == 1
            and sentence.tokens[figure.end].lower() in (*_DASHES, "to", "or", "and")
        ):
            value = round(figure.quantity.value * following.scale, _DIGITS)
            quantity = Quantity(value, following.quantity.unit)
            figure = replace(figure, quantity=quantity, scale=following.scale)
        shared.append(figure)
    return shared
