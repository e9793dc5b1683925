"""A cited turn as the rules of derivation see it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from tasks.contracts.clock import format_date
from tasks.contracts.dialogue import SourcedLine
from tasks.contracts.records import Fact
from tasks.terminology.normalization import says

_DATE = re.compile(r"\b\d{4}-\d{2}-\d{2}\b")


@dataclass(frozen=True)
class ShownTurn:
    """A cited turn with the facts it states and how questions name its stay."""

    hadm_id: str
    stay_name: str
    line: SourcedLine
    facts: tuple[Fact, ...]

    def dates(self) -> set[date]:
        """Dates that the turn says, and the day it is said."""
        return {self.line.time.date(), *self.said_dates()}

    def said_dates(self) -> tuple[date, ...]:
        """Dates that the turn says, in the order of its words."""
        return tuple(_dates_in(self.line.text))

    def holds(self, part: str) -> bool:
        """Whether the turn says a part of an answer, or is said on the date it gives."""
        return says(self.line.text, part) or part == format_date(self.line.time)


def names_of(fact: Fact) -> tuple[str, ...]:
    """How questions may call what a fact is about."""
    names = (fact.label, fact.detail.get("test", ""), fact.label.removeprefix("dose of "))
    return tuple(dict.fromkeys(name for name in names if name))


def _dates_in(text: str) -> list[date]:
    found: list[date] = []
    for one in _DATE.findall(text):
        try:
            found.append(date.fromisoformat(one))
        except ValueError:
            continue
    return found
