"""Dates and times of day in any usual spelling, and the days that a stay can speak of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from tasks.contracts.records import AdmissionBundle

_MONTHS = {
    name: number
    for number, name in enumerate(
        ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"),
        start=1,
    )
}
_MONTH = (
    r"(?P<month{0}>Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|"
    r"Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\.?"
)
_YEAR = r"(?:(?:19|2[0-3])\d\d)"
_DATE = re.compile(
    rf"(?<![\w.])(?:(?P<iso>{_YEAR})[-/.](?P<iso_month>\d{{1,2}})[-/.](?P<iso_day>\d{{1,2}})"
    rf"|(?P<first>\d{{1,2}})(?P<mark>[-/.])(?P<second>\d{{1,2}})(?P=mark)"
    rf"(?P<last>{_YEAR}|\d\d)"
    rf"|{_MONTH.format(1)}\s+(?P<day1>\d{{1,2}})(?:st|nd|rd|th)?"
    rf"(?:\s?[-\u2013]\s?(?P<until>\d{{1,2}})(?!\d|:))?(?:,?\s+(?P<year1>{_YEAR}))?"
    rf"|(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH.format(2)}"
    rf"(?:,?\s+(?P<year2>{_YEAR}))?"
    rf"|{_MONTH.format(3)},?\s+(?:of\s+)?(?P<year3>{_YEAR})"
    rf"|(?P<year4>{_YEAR})(?!\s*(?:mg|mcg|ml|mL|g|units?|calories|kcal|steps)\b))(?![\w%])(?!\.\d)",
)
_CLOCK = re.compile(
    r"(?<![\w.:])(?:(?P<hour>[01]?\d|2[0-4]):(?P<minute>[0-5]\d)(?::[0-5]\d)?"
    r"(?:\s*(?P<half1>[AaPp])\.?[Mm]\b\.?)?"
    r"|(?P<hour2>1[0-2]|0?[1-9])\s*(?:(?P<half2>[AaPp])\.?[Mm]\b\.?|o['\u2019]?clock))"
)
# The patterns above are slow, and most texts hold neither.
_MAY_HOLD_DATE = re.compile(rf"{_YEAR}|\d[-/.]\d\d?[-/.]\d|{_MONTH.format(0)}")
_MAY_HOLD_TIME = re.compile(r"\d:\d|\d\s*[AaPp]\.?[Mm]|\d\s*o['\u2019]?clock")
_NEAR_MINUTES = 30
_DAYS_IN_MONTH = 30.44
_DAYS_IN_YEAR = 365.25


@dataclass(frozen=True, slots=True)
class DayNamed:
    """A date as far as it is given; ``choices`` holds the readings of 3/4/2180."""

    choices: tuple[tuple[int | None, int | None, int | None], ...]

    def is_among(self, days: Iterable[date]) -> bool:
        """Whether one of the days is meant."""
        return any(
            all(
                part in (None, whole)
                for part, whole in zip(choice, (day.year, day.month, day.day), strict=True)
            )
            or (choice[0] is not None and choice[0] < 100 and choice[0] == day.year % 100
                and choice[1:] == (day.month, day.day))
            for choice in self.choices
            for day in days
        )  # fmt: skip

    def days(self) -> Iterator[date]:
        """The days that are named in full."""
        for year, month, day in self.choices:
            if year is not None and year > 99 and month is not None and day is not None:
                with suppress(ValueError):
                    yield date(year, month, day)


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day; ``minute`` is null for a bare hour, ``half`` empty where not given."""

    hour: int
    minute: int | None
    half: str

    def is_among(self, moments: Iterable[tuple[int, int]]) -> bool:
        """Whether one of the times is meant."""
        return any(
            self._hour_is(hour) and self.minute in (None, minute) for hour, minute in moments
        )

    def is_near(self, moment: datetime) -> bool:
        """Whether it tells the time at a moment, to half an hour."""
        told = (self.hour % 12) * 60 + (self.minute or 0)
        now = (moment.hour % 12) * 60 + moment.minute
        apart = abs(told - now)
        return min(apart, 720 - apart) <= _NEAR_MINUTES

    def _hour_is(self, hour: int) -> bool:
        if not self.half:
            return hour % 12 == self.hour % 12
        return hour == self.hour % 12 + (12 if self.half == "p" else 0)


@dataclass(frozen=True, slots=True)
class Dated:
    """A date or time of day in a text."""

    what: DayNamed | Clock
    text: str
    start: int
    """Where it stands in the text."""


def dates(text: str) -> tuple[str, list[Dated]]:
    """The text with blanks where dates and times of day stood, and those."""
    found: list[Dated] = []

    def day(match: re.Match[str]) -> str:
        named = _named(match)
        if named is None:
            return match[0]
        found.append(Dated(named, match[0], match.start()))
        if match["until"]:
            last = tuple((year, month, int(match["until"])) for year, month, _ in named.choices)
            found.append(Dated(DayNamed(last), match[0], match.start()))
        return " " * len(match[0])

    def clock(match: re.Match[str]) -> str:
        half = (match["half1"] or match["half2"] or "").lower()
        minute = int(match["minute"]) if match["minute"] else None
        told = Clock(int(match["hour"] or match["hour2"]), minute, half)
        found.append(Dated(told, match[0], match.start()))
        return " " * len(match[0])

    plain = _DATE.sub(day, text) if _MAY_HOLD_DATE.search(text) else text
    return (_CLOCK.sub(clock, plain) if _MAY_HOLD_TIME.search(plain) else plain), found


def _named(match: re.Match[str]) -> DayNamed | None:
    """The date of a match; null where its numbers are no date."""
    group = match.groupdict()
    if group["iso"]:
        readings = [(int(group["iso"]), int(group["iso_month"]), int(group["iso_day"]))]
    elif group["first"]:
        first, second, year = int(group["first"]), int(group["second"]), int(group["last"])
        readings = [(year, first, second), (year, second, first)]
    elif group["year4"]:
        return DayNamed(((int(group["year4"]), None, None),))
    else:
        return DayNamed((_in_words(group),))
    choices = tuple(
        reading for reading in readings if 1 <= reading[1] <= 12 and 1 <= reading[2] <= 31
    )
    return DayNamed(choices) if choices else None


def _in_words(group: dict[str, str | None]) -> tuple[int | None, int | None, int | None]:
    for number in "123":
        month = group[f"month{number}"]
        if month:
            year, day = group[f"year{number}"], group.get(f"day{number}")
            return (int(year) if year else None, _MONTHS[month[:3].lower()],
                    int(day) if day else None)  # fmt: skip
    return None, None, None


def moments(bundle: AdmissionBundle) -> Iterator[datetime]:
    """Every time that the bundle's rows and the previous summary's ends carry."""
    yield bundle.admission_start
    yield bundle.admission_end
    for note in (*bundle.discharge_notes, *bundle.radiology_notes):
        yield from (time for time in (note.charttime, note.storetime) if time is not None)
    for row in (*bundle.diagnoses, *bundle.procedures, *bundle.microbiology):
        yield row.normalized_time
    previous = bundle.previous_admission_summary
    if previous is not None:
        yield previous.admission_start
        yield previous.admission_end


def hospital_days(bundle: AdmissionBundle, numbers: Iterable[int]) -> Iterator[date]:
    """The dates of hospital days that the record counts from 1."""
    first = bundle.admission_start.date()
    last = bundle.admission_end.date()
    for number in numbers:
        if 1 <= number <= (last - first).days + 1:
            yield first + timedelta(days=number - 1)


def spans(bundle: AdmissionBundle, said: datetime, *, ahead: bool) -> dict[str, set[int]]:
    """Spans that follow from the times of a stay, in each unit, as told at a moment.

    ``ahead`` keeps to those from the moment on: the days until the patient leaves.
    """
    start, end = bundle.admission_start, bundle.admission_end
    known = set(moments(bundle))
    pairs = {(said, moment) for moment in known if moment > said}
    if not ahead:
        pairs |= {(start, end)} | {(moment, said) for moment in known if moment <= said}
        previous = bundle.previous_admission_summary
        if previous is not None:
            pairs |= {(previous.admission_start, previous.admission_end)}
            pairs |= {(previous.admission_start, start), (previous.admission_end, start)}
    found: dict[str, set[int]] = {"hour": set(), "day": set(), "month": set(), "year": set()}
    for one, other in pairs:
        hours = (other - one).total_seconds() / 3600
        days = (other.date() - one.date()).days
        found["hour"] |= {round(hours), int(hours)}
        found["day"] |= {days, (other - one).days}
        if days > _DAYS_IN_MONTH / 2:
            found["day"] |= {round(days / 7) * 7}
            found["month"] |= {round(days / _DAYS_IN_MONTH)}
            found["year"] |= {round(days / _DAYS_IN_YEAR)}
    return found


def length_of_stay(bundle: AdmissionBundle) -> set[int]:
    """Days of the stay: by the calendar, and whole days of 24 hours."""
    start, end = bundle.admission_start, bundle.admission_end
    return {(end.date() - start.date()).days, (end - start).days}
