"""What can be asked about any patient with two dialogues: dates and lengths of the stays."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import NamedTuple

from tasks.contracts.clock import format_date, parse_date
from tasks.contracts.records import FactKind
from tasks.qa import aspects
from tasks.qa.candidates import CALENDAR, ORDINALS, Candidate, days_phrase
from tasks.qa.pairs import reading_pairs
from tasks.qa.stays import Cite, PatientStays, Stay
from tasks.terminology.normalization import words

_MOST_COUNTED = 4


class _Opened(NamedTuple):
    """A stay whose first day its first turn shows."""

    stay: Stay
    cite: Cite


def progression_fallbacks(patient: PatientStays) -> Iterator[Candidate]:
    """Intervals between stays, and how their length changed."""
    for earlier, later, ordinal in _followers(patient):
        slots = {"a": earlier.stay.name, "ordinal": ordinal}
        cites = (earlier.cite, later.cite)
        gap = days_phrase((later.stay.start - earlier.stay.start).days)
        yield _calendar("stay_gap", slots, gap, cites)
        days = f"{format_date(earlier.stay.start)} and {format_date(later.stay.start)}"
        yield _calendar("stay_starts", slots, days, cites)
        left = _discharge(earlier.stay)
        if left is not None:
            day, cite = left
            wait = (later.stay.start - parse_date(day)).days
            if wait >= 0:
                yield _calendar("discharge_gap", slots, days_phrase(wait), (cite, later.cite))
    for one, other in reading_pairs(patient, aspects.STAY_LENGTH):
        slots = {"a": _name(patient, one.cite), "b": _name(patient, other.cite)}
        answer = f"{one.answer} to {other.answer}"
        if len(answer.split()) <= aspects.MAXIMUM_ANSWER_WORDS:
            yield _calendar("stay_length_trend", slots, answer, (one.cite, other.cite))


def comparison_fallbacks(patient: PatientStays) -> Iterator[Candidate]:
    """The longer of two stays, and the weekdays on which stays began."""
    for one, other in reading_pairs(patient, aspects.STAY_LENGTH):
        if not all(patient.named_by_day(reading.cite.stay) for reading in (one, other)):
            continue
        slots = {"a": _name(patient, one.cite), "b": _name(patient, other.cite)}
        for direction, pick in (("longer", max), ("shorter", min)):
            chosen = pick((one, other), key=lambda reading: _days(reading.answer))
            yield _calendar(
                "stay_longer",
                {**slots, "direction": direction},
                _name(patient, chosen.cite),
                (one.cite, other.cite),
                offers=True,
            )
    for earlier, later, ordinal in _followers(patient):
        slots = {"a": earlier.stay.name, "ordinal": ordinal}
        answer = f"{earlier.stay.start:%A} and {later.stay.start:%A}"
        yield _calendar("stay_weekdays", slots, answer, (earlier.cite, later.cite))


def frequency_fallbacks(patient: PatientStays) -> Iterator[Candidate]:
    """How many stays began within a range."""
    opened = _opened(patient)
    for size in range(2, _MOST_COUNTED + 1):
        for window in zip(*(opened[offset:] for offset in range(size)), strict=False):
            first, last = window[0].stay, window[-1].stay
            if last.position - first.position == size - 1:
                yield _calendar(
                    "stay_count",
                    {"a": first.name, "b": last.name},
                    f"{size} hospitalizations",
                    tuple(one.cite for one in window),
                )


def _calendar(
    family: str,
    slots: dict[str, str],
    answer: str,
    cites: tuple[Cite, ...],
    *,
    offers: bool = False,
) -> Candidate:
    targets = ("ordinal",) if "ordinal" in slots else ()
    return Candidate(family, slots, targets, CALENDAR, answer, cites, offers=offers, filler=True)


def _opened(patient: PatientStays) -> list[_Opened]:
    shown = ((stay, stay.opening()) for stay in patient.stays)
    return [_Opened(stay, cite) for stay, cite in shown if cite is not None]


def _followers(patient: PatientStays) -> Iterator[tuple[_Opened, _Opened, str]]:
    for earlier, later in itertools.combinations(_opened(patient), 2):
        distance = later.stay.position - earlier.stay.position
        if distance <= len(ORDINALS):
            yield earlier, later, ORDINALS[distance - 1]


def _discharge(stay: Stay) -> tuple[str, Cite] | None:
    for statement in stay.statements:
        fact = statement.fact
        if fact.kind is FactKind.STAY and fact.label.casefold() == "discharge date":
            return fact.value, statement.cite
    return None


def _name(patient: PatientStays, cite: Cite) -> str:
    return patient.stays[cite.stay].name


def _days(length: str) -> int:
    first = words(length)[0]
    return int(first) if first.isdigit() else 0
