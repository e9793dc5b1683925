"""Answers that code works out from the cited turns: the model only words the question."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from tasks.qa.candidates import days_phrase
from tasks.qa.shown import ShownTurn

_WEEKDAY = re.compile(r"\b(?:weekday|(?:what|which) day of the week)\b", re.IGNORECASE)
_DAYS_BETWEEN = re.compile(
    r"\bhow many days\b.*\b(?:after|before|between|until|since|from|pass(?:ed)?|elapsed?|later"
    r"|apart|separated?|lay|lie)\b",
    re.IGNORECASE,
)


def computed_answer(question: str, turns: Sequence[ShownTurn]) -> str | None:
    """The weekday or the number of days that a question asks for; null where it asks for neither.

    ``question`` comes without its opening dates. Null as well where the turns give more dates than
    it takes: then the audits have to tell whether the answer given is right.
    """
    dates = [_date_of(turn) for turn in turns]
    if _WEEKDAY.search(question):
        return " and ".join(f"{day:%A}" for day in dates if day) if all(dates) else None
    if _DAYS_BETWEEN.search(question):
        span = _span(turns, dates)
        return days_phrase(abs((span[1] - span[0]).days)) if span else None
    return None


def _date_of(turn: ShownTurn) -> date | None:
    """The one date that a turn says, else the day on which it is said."""
    said = set(turn.said_dates())
    return turn.line.time.date() if not said else said.pop() if len(said) == 1 else None


def _span(turns: Sequence[ShownTurn], dates: Sequence[date | None]) -> tuple[date, date] | None:
    if len(turns) == 1:
        said = tuple(dict.fromkeys(turns[0].said_dates()))
        return (said[0], said[1]) if len(said) == 2 else None
    if len(turns) == 2 and dates[0] is not None and dates[1] is not None:
        return dates[0], dates[1]
    return None
