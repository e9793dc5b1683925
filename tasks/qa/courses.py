"""What changed between the beginning and the end of one stay: values, doses and frequencies."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

from tasks.qa import aspects
from tasks.qa.aspects import MAXIMUM_ANSWER_WORDS, Aspect, Reading, readings
from tasks.qa.candidates import Candidate
from tasks.qa.casing import spoken
from tasks.qa.stays import Stay

_QUANTITY = re.compile(r"(\d+(?:\.\d+)?)(?: ?([a-zA-Z%]+))?")
_ARRIVAL = "on admission"
_LEAVING = "at discharge"


UNITS = frozenset({"mg", "mcg", "g", "units", "mL", "ml", "mEq", "meq", "grams"})
"""Units that a question can ask for a number of; packages such as tablets are none."""


class Quantity(NamedTuple):
    """A number and its unit, which is empty where the record gives none."""

    number: Decimal
    unit: str


def quantity(answer: str) -> Quantity | None:
    """Read ``9.1`` or ``40 mg``; None for anything else."""
    found = _QUANTITY.fullmatch(answer.strip())
    return None if found is None else Quantity(Decimal(found[1]), found[2] or "")


def from_to(earlier: str, later: str) -> str:
    """Both values in order: figures joined by ``to``, anything else set apart by a semicolon."""
    figures = earlier[:1].isdigit() and later[:1].isdigit() and " to " not in f"{earlier}{later}"
    joiner = " to " if figures else "; "
    return f"{earlier}{joiner}{later}"


def gap(one: Quantity, other: Quantity) -> str:
    """How far two numbers are apart, without an exponent."""
    return format(abs(one.number - other.number).normalize(), "f")


def lab_courses(stay: Stay) -> Iterator[Candidate]:
    """A laboratory value on arrival and at discharge, and by how much it moved."""
    known = readings(stay, aspects.LAB)
    for reading in known.values():
        if reading.slots["point"] == _ARRIVAL:
            later = known.get((reading.target.casefold(), _LEAVING))
            if later is not None:
                yield from _course(reading, later, "lab_course")
                yield from _shift(reading, later, "lab_shift", {"rise": "rise", "fall": "fall"})


def medication_courses(stay: Stay) -> Iterator[Candidate]:
    """A dose or frequency at home and at discharge, and by how much a dose was changed."""
    yield from _listed(stay, aspects.HOME_DOSE, aspects.DOSE, "dose_course")
    yield from _listed(stay, aspects.HOME_INTERVAL, aspects.INTERVAL, "frequency_course")
    doses = readings(stay, aspects.DOSE)
    for key, home in readings(stay, aspects.HOME_DOSE).items():
        if key in doses:
            verbs = {"rise": "raised", "fall": "lowered"}
            yield from _shift(home, doses[key], "dose_shift", verbs)


def _listed(stay: Stay, before: Aspect, after: Aspect, family: str) -> Iterator[Candidate]:
    left = readings(stay, after)
    for key, home in readings(stay, before).items():
        if key in left:
            yield from _course(home, left[key], family)


def _course(one: Reading, other: Reading, family: str) -> Iterator[Candidate]:
    answer = from_to(one.answer, other.answer)
    if one.answer.casefold() == other.answer.casefold() or one.cite == other.cite:
        return
    if one.cite < other.cite and len(answer.split()) <= MAXIMUM_ANSWER_WORDS:
        yield _between(one, other, family, answer, {})


def _shift(one: Reading, other: Reading, family: str, verbs: dict[str, str]) -> Iterator[Candidate]:
    first, last = quantity(one.answer), quantity(other.answer)
    if first is None or last is None or first.unit != last.unit or first.number == last.number:
        return
    if one.cite != other.cite and (family != "dose_shift" or first.unit in UNITS):
        verb = verbs["rise" if last.number > first.number else "fall"]
        # A difference that is one of the two values would be right by chance.
        if abs(first.number - last.number) in (first.number, last.number):
            return
        slots = {"verb": verb, **({"unit": first.unit} if family == "dose_shift" else {})}
        yield _between(one, other, family, gap(first, last), slots)


def _between(
    one: Reading, other: Reading, family: str, answer: str, slots: dict[str, str]
) -> Candidate:
    return Candidate(
        family=family,
        slots={"target": spoken(one.target), **slots},
        targets=("target",),
        group=one.aspect.group,
        answer=answer,
        cites=tuple(sorted({one.cite, other.cite})),
    )
