"""A question together with the turns from which its answer has to follow, and their dates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from tasks.audit.support.belonging import Asked, fits, owned
from tasks.audit.support.question_terms import Term
from tasks.audit.support.spoken import Turn
from tasks.audit.support.values import Answer, Value, dates_in, read_answer
from tasks.contracts.audit import AuditSession

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_A_DATE = read_answer("2000-01-01")
_A_NUMBER = read_answer("1")


@dataclass(frozen=True)
class Case:
    """A question and the turns from which its answer has to follow."""

    asked: Asked
    turns: tuple[Turn, ...]
    sessions: tuple[AuditSession, ...]
    own_dates: bool = False
    """The dates that the question itself gives may be used too."""

    def within(self, session: int) -> tuple[Turn, ...]:
        """The turns of one stay."""
        return tuple(turn for turn in self.turns if turn.session == session)

    @property
    def cited(self) -> tuple[int, ...]:
        """Positions of the stays of the turns, in time order."""
        return tuple(sorted({turn.session for turn in self.turns}))

    @property
    def terms(self) -> tuple[Term, ...]:
        """The things that the question names."""
        return self.asked.reading.terms

    def named_in(self, turns: Sequence[Turn]) -> tuple[Term, ...]:
        """The things of the question that turns name."""
        return tuple(
            term for term in self.terms if any(self.asked.spans(turn, term) for turn in turns)
        )

    def start(self, stay: int) -> str:
        """The day on which a stay began."""
        return self.sessions[stay].admission_start.date().isoformat()


def values_of(case: Case, turn: Turn, answer: Answer) -> list[Value]:
    """Values of an answer's kind that a turn gives of the things asked about."""
    terms = case.named_in((turn,))
    if (case.terms and not terms) or not fits(case.asked, turn):
        return []
    return owned(case.asked, turn, answer, terms)


def quantities(case: Case, turns: Sequence[Turn]) -> list[tuple[float, str]]:
    """Amounts and bare numbers of the things asked about, in order: value and unit."""
    return [
        (float(value.key[0]), "".join(value.key[1:]))
        for turn in turns
        for value in values_of(case, turn, _A_NUMBER)
    ]


def event_days(case: Case, turn: Turn, terms: Sequence[Term] | None = None) -> list[str]:
    """When what a turn tells took place: the dates it gives, else its own day."""
    here = case.named_in((turn,)) if terms is None else tuple(terms)
    found = [value.key[0] for value in owned(case.asked, turn, _A_DATE, here)]
    if not found and not here:
        found = [value.key[0] for value in dates_in(turn.text)]
    return found or list(turn.relative_days) or [turn.time.date().isoformat()]


def weekday_of(day: str) -> str:
    """The weekday of a date."""
    return WEEKDAYS[date.fromisoformat(day).weekday()]


def days_between(one: str, other: str) -> int:
    """Days from one date to another, whichever is the later."""
    return abs((date.fromisoformat(one) - date.fromisoformat(other)).days)
