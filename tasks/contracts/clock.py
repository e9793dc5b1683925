"""MIMIC's naive, shifted clock: parsing and formatting of times.

MIMIC-IV shifts every patient's dates into the future (years 2100 and later) and
stores them without a time zone; this is the only module that handles them naively.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated

from pydantic import BeforeValidator, PlainSerializer


def parse_time(value: object) -> datetime:
    """Read ``YYYY-MM-DD HH:MM:SS`` as a naive time.

    Raises ValueError for any other spelling; a date alone is refused because a missing
    time of day is a fact the caller has to decide about.
    """
    if isinstance(value, datetime):
        return value
    text = str(value)
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        moment = None
    # fromisoformat accepts other spellings too; an error may not repeat the value: it can be text.
    if moment is None or not _spelled_as_documented(text):
        raise ValueError("expected a time as YYYY-MM-DD HH:MM:SS, found another value")
    return moment


def _spelled_as_documented(text: str) -> bool:
    """Tells ``2180-05-07 10:00:00`` from the other spellings of a time that Python reads."""
    return (
        len(text) == len("YYYY-MM-DD HH:MM:SS")
        and text[4] == text[7] == "-"
        and text[10] == " "
        and text[13] == text[16] == ":"
    )


def format_time(value: datetime) -> str:
    """Write a time as ``YYYY-MM-DD HH:MM:SS`` (sub-second parts are cut)."""
    return value.replace(microsecond=0).isoformat(sep=" ")


def format_date(value: datetime | date) -> str:
    """Write the day of a time as ``YYYY-MM-DD``."""
    return value.isoformat()[: len("YYYY-MM-DD")]


def parse_date(value: object) -> date:
    """Read ``YYYY-MM-DD``; raises ValueError for any other spelling."""
    if isinstance(value, date) and not isinstance(value, datetime):
        return value
    text = str(value)
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = None
    if day is None or day.isoformat() != text:
        raise ValueError("expected a date as YYYY-MM-DD, found another value")
    return day


Timestamp = Annotated[
    datetime,
    BeforeValidator(parse_time),
    PlainSerializer(format_time, return_type=str, when_used="always"),
]
"""A naive MIMIC time, written as ``YYYY-MM-DD HH:MM:SS``."""

Day = Annotated[
    date,
    BeforeValidator(parse_date),
    PlainSerializer(format_date, return_type=str, when_used="always"),
]
"""A MIMIC calendar day, written as ``YYYY-MM-DD``."""
