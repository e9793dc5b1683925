"""MIMIC's naive, shifted clock: parsing and formatting of times.

MIMIC-IV shifts every patient's dates into the future (years 2100 and later) and
stores them without a time zone; this is the only module that handles them naively.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated

from pydantic import BeforeValidator, PlainSerializer

TIME_FORMAT = "%Y-%m-%d %H:%M:%S"
DATE_FORMAT = "%Y-%m-%d"


def parse_time(value: object) -> datetime:
    """Read ``YYYY-MM-DD HH:MM:SS`` as a naive time.

    Raises ValueError for any other spelling; a date alone is refused because a missing
    time of day is a fact the caller has to decide about.
    """
    if isinstance(value, datetime):
        return value
    return _parse(str(value), TIME_FORMAT, "a time as YYYY-MM-DD HH:MM:SS")


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
    return _parse(str(value), DATE_FORMAT, "a date as YYYY-MM-DD").date()


def _parse(text: str, pattern: str, expected: str) -> datetime:
    # The format must be matched exactly, and an error may not repeat the value: it can be text.
    try:
        moment = datetime.strptime(text, pattern)
    except ValueError:
        raise ValueError(f"expected {expected}, found another value") from None
    if moment.strftime(pattern) != text:
        raise ValueError(f"expected {expected}, found another spelling")
    return moment


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
