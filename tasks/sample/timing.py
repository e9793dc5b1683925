"""Days and intervals as a note words them."""

from __future__ import annotations

from datetime import date, datetime

from tasks.adapters.mimic_hosp import HospStay

_ORDINARY = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def last_day(stay: HospStay) -> date:
    """The day the stay ended; the day it began where no discharge time is recorded."""
    return (stay.dischtime or stay.admittime).date()


def stay_days(stay: HospStay) -> float:
    """Length of the stay in days; zero where it ends before it begins or has no end."""
    end = stay.dischtime or stay.admittime
    return max(0.0, (end - stay.admittime).total_seconds() / 86400)


def hospital_day(when: date | datetime, stay: HospStay) -> str:
    """A moment of the stay as ``hospital day 3``, the day of admission being day 1."""
    day = when.date() if isinstance(when, datetime) else when
    number = (day - stay.admittime.date()).days + 1
    return f"hospital day {max(number, 1)}"


def interval_in_words(earlier: datetime, later: datetime) -> str:
    """The time between two moments, rounded as people round it: ``about three weeks``."""
    days = max(0, (later - earlier).days)
    if days < 2:
        return "one day"
    if days < 14:
        return f"{_number(days)} days"
    if days < 60:
        return f"about {_number(round(days / 7))} weeks"
    if days < 700:
        return f"about {_number(round(days / 30.4))} months"
    return f"about {_number(round(days / 365))} years"


def _number(value: int) -> str:
    return _ORDINARY[value] if value < len(_ORDINARY) else str(value)
