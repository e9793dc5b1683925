"""Dated events of a stay: procedures, cultures and examinations."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from tasks.contracts.clock import format_date, parse_date
from tasks.contracts.records import FactKind
from tasks.qa.candidates import Candidate, days_phrase
from tasks.qa.casing import spoken
from tasks.qa.stays import Cite, Stay
from tasks.terminology.normalization import words

EVENT_KINDS = frozenset({FactKind.PROCEDURE, FactKind.CULTURE, FactKind.IMAGING})
EVENTS = "event"
_ONCE = re.compile(r"ectomy\b|\bamputation|\bresection|\btransplant", re.IGNORECASE)


@dataclass(frozen=True)
class Event:
    """Something that happened once in a stay, on a day that the turn shows."""

    label: str
    day: date
    cite: Cite
    kind: FactKind

    @property
    def quotable(self) -> bool:
        """Whether questions name the event in the words of its turn, so that it can be chosen."""
        return spoken(self.label).casefold() == self.label.casefold()

    @property
    def repeatable(self) -> bool:
        """Whether the same can be done once more: no organ is taken out twice."""
        return not _ONCE.search(self.label)

    @property
    def key(self) -> str:
        """Equal for the same kind of event in different stays."""
        return self.label.casefold()


def events(stay: Stay) -> tuple[Event, ...]:
    """Stated events whose label occurs on one day of the stay only."""
    days: dict[str, set[str]] = {}
    for fact in stay.admission.facts:
        if fact.kind in EVENT_KINDS and "date" in fact.detail:
            days.setdefault(fact.label.casefold(), set()).add(fact.detail["date"])
    found: dict[str, Event] = {}
    for statement in stay.statements:
        fact = statement.fact
        key = fact.label.casefold()
        if fact.kind in EVENT_KINDS and len(days.get(key, ())) == 1 and "date" in fact.detail:
            day = parse_date(fact.detail["date"])
            found.setdefault(key, Event(fact.label, day, statement.cite, fact.kind))
    return tuple(found.values())


def event_candidates(stay: Stay) -> Iterator[Candidate]:
    """Dates, delays, order and intervals of a stay's events."""
    for event in events(stay):
        slots = {"target": spoken(event.label)}
        yield Candidate(
            "event_date",
            slots,
            ("target",),
            EVENTS,
            format_date(event.day),
            (event.cite,),
            plain=True,
        )
        if event.day > stay.start:
            yield from _delay(stay, event)
    yield from _next(stay)
    for one, other in itertools.permutations(events(stay), 2):
        if distinct(one, other):
            yield from _pair(one, other)


def _delay(stay: Stay, event: Event) -> Iterator[Candidate]:
    """Days since admission, which takes the turn that shows the day of admission too."""
    opening = stay.opening()
    if opening is not None:
        yield Candidate(
            family="event_day",
            slots={"target": spoken(event.label)},
            targets=("target",),
            group=EVENTS,
            answer=days_phrase((event.day - stay.start).days),
            cites=tuple(dict.fromkeys((opening, event.cite))),
        )


def _next(stay: Stay) -> Iterator[Candidate]:
    """What was done next after an event, where days tell: one event a day, on both days."""
    known = {event.key: event for event in events(stay)}
    by_day: dict[date, set[str]] = {}
    for fact in stay.admission.facts:
        if fact.kind in EVENT_KINDS and "date" in fact.detail:
            by_day.setdefault(parse_date(fact.detail["date"]), set()).add(fact.label.casefold())
    for day, later in itertools.pairwise(sorted(by_day)):
        one, other = by_day[day], by_day[later]
        if len(one) != 1 or len(other) != 1 or one == other:
            continue
        before, after = known.get(min(one)), known.get(min(other))
        if before and after and after.quotable and distinct(before, after):
            slots, answer = {"target": spoken(before.label)}, spoken(after.label)
            cites = (before.cite, after.cite)
            yield Candidate("event_next", slots, ("target",), EVENTS, answer, cites)


def distinct(one: Event, other: Event) -> bool:
    """Whether two events are told apart by day, turn and wording.

    A name with an ``and`` of its own can't be one of two that a question joins by ``and``.
    """
    if " and " in spoken(one.label) or " and " in spoken(other.label):
        return False
    shared = Counter(words(one.label)) & Counter(words(other.label))
    shorter = min(len(words(one.label)), len(words(other.label)))
    return one.day != other.day and one.cite != other.cite and shared.total() < shorter


def _pair(one: Event, other: Event) -> Iterator[Candidate]:
    slots = {"target": spoken(one.label), "other": spoken(other.label)}
    targets, cites = ("target", "other"), (one.cite, other.cite)
    first = min(one, other, key=lambda event: event.day)
    if one.quotable and other.quotable:
        answer = spoken(first.label)
        yield Candidate("event_order", slots, targets, EVENTS, answer, cites, offers=True)
    if one.kind is other.kind:
        # Nobody asks for the days between a picture of the spine and a ventilator.
        gap, among = days_phrase(abs((one.day - other.day).days)), one.kind.value
        yield Candidate("event_interval", slots, targets, EVENTS, gap, cites, among=among)
