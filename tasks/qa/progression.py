"""What can be asked about changes over time: ``longitudinal_progression``."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterator

from tasks.contracts.clock import format_date
from tasks.qa import aspects
from tasks.qa.anchors import next_stays, values_since
from tasks.qa.aspects import Aspect, readings
from tasks.qa.candidates import Candidate, days_phrase
from tasks.qa.casing import spoken
from tasks.qa.courses import from_to
from tasks.qa.events import EVENTS, Event, distinct, events
from tasks.qa.fallbacks import progression_fallbacks
from tasks.qa.pairs import pair_candidate, reading_pairs, spread_pairs
from tasks.qa.paths import dose_paths, lab_paths
from tasks.qa.ranges import StayRange, range_slots, sure_ranges
from tasks.qa.stays import PatientStays

_TRENDS = (
    aspects.LAB,
    aspects.DOSE,
    aspects.HOME_DOSE,
    aspects.CULTURE,
    aspects.CHANGE,
)
_MOST_OCCURRENCES = 4
_MOST_SEQUENCES = 40


def progression_candidates(patient: PatientStays) -> Iterator[Candidate]:
    """Values that change, doses handed over, repeated events, their first, last and order."""
    for aspect in _TRENDS:
        yield from _trends(patient, aspect)
    yield from lab_paths(patient)
    yield from dose_paths(patient)
    yield from _handovers(patient)
    yield from _aftermaths(patient)
    yield from next_stays(patient)
    yield from values_since(patient)
    yield from _repeats(patient)
    yield from itertools.islice(_sequences(patient), _MOST_SEQUENCES)
    yield from _trends(patient, aspects.VITAL, fallback=True)
    yield from progression_fallbacks(patient)


def _trends(
    patient: PatientStays, aspect: Aspect, *, fallback: bool = False
) -> Iterator[Candidate]:
    for earlier, later in reading_pairs(patient, aspect):
        answer = from_to(earlier.answer, later.answer)
        if len(answer.split()) > aspects.MAXIMUM_ANSWER_WORDS:
            continue
        yield pair_candidate(
            patient,
            (earlier, later),
            f"{aspect.family}_trend",
            answer,
            fallback=fallback,
        )


def _handovers(patient: PatientStays) -> Iterator[Candidate]:
    """Dose on leaving one stay and at home before the next one."""
    for stay, following in itertools.pairwise(patient.stays):
        home = readings(following, aspects.HOME_DOSE)
        for key, left in readings(stay, aspects.DOSE).items():
            next_home = home.get(key)
            if next_home and next_home.answer.casefold() != left.answer.casefold():
                answer = from_to(left.answer, next_home.answer)
                yield pair_candidate(patient, (left, next_home), "handover_dose", answer)


def _aftermaths(patient: PatientStays) -> Iterator[Candidate]:
    """Dose at home, on coming in again, of a drug about which something was decided before."""
    for stay, following in itertools.pairwise(patient.stays):
        home = readings(following, aspects.HOME_DOSE)
        for decided in readings(stay, aspects.REASON).values():
            taken = home.get((decided.target.casefold(),))
            if taken:
                yield pair_candidate(patient, (decided, taken), "aftermath_dose", taken.answer)


def _repeats(patient: PatientStays) -> Iterator[Candidate]:
    found: dict[str, list[Event]] = defaultdict(list)
    for stay in patient.stays:
        for event in events(stay):
            if event.repeatable:
                found[event.key].append(event)
    for key in sorted(found):
        for earlier, later in spread_pairs(found[key]):
            if earlier.day < later.day:
                yield _gap(patient, earlier, later)
        by_stay = {event.cite.stay: event for event in found[key]}
        for stays in sure_ranges(patient, key, sorted(by_stay), _MOST_OCCURRENCES):
            first, last = by_stay[stays.stating[0]], by_stay[stays.stating[-1]]
            if first.day < last.day:
                yield _first_and_last(patient, stays, first, last)


def _gap(patient: PatientStays, earlier: Event, later: Event) -> Candidate:
    names = {"a": patient.stays[earlier.cite.stay].name, "b": patient.stays[later.cite.stay].name}
    return Candidate(
        family="event_gap",
        slots={"target": spoken(earlier.label), **names},
        targets=("target",),
        group=EVENTS,
        answer=days_phrase((later.day - earlier.day).days),
        cites=(earlier.cite, later.cite),
    )


def _first_and_last(
    patient: PatientStays, stays: StayRange, first: Event, last: Event
) -> Candidate:
    return Candidate(
        family="first_last",
        slots={"target": spoken(first.label), **range_slots(patient, stays)},
        targets=("target",),
        group=EVENTS,
        answer=f"{format_date(first.day)} and {format_date(last.day)}",
        cites=(first.cite, last.cite),
    )


def _sequences(patient: PatientStays) -> Iterator[Candidate]:
    """Which of two events came first, where each occurs in one stay of the range alone."""
    happened = [events(stay) for stay in patient.stays]
    for one, other in spread_pairs(patient.stays):
        between = patient.stays[one.position : other.position + 1]
        for event, later in itertools.product(happened[one.position], happened[other.position]):
            alone = all(
                stay.position == own.cite.stay or not stay.text.mentions(own.label)
                for own in (event, later)
                for stay in between
            )
            quotable = event.quotable and later.quotable
            if quotable and alone and distinct(event, later) and event.day < later.day:
                stays = StayRange(one.position, other.position, ())
                yield _sequence(patient, stays, event, later)
                if event.kind is later.kind:
                    yield _across(patient, event, later)


def _across(patient: PatientStays, first: Event, later: Event) -> Candidate:
    names = {"a": patient.stays[first.cite.stay].name, "b": patient.stays[later.cite.stay].name}
    return Candidate(
        family="event_across",
        slots={"target": spoken(first.label), "other": spoken(later.label), **names},
        targets=("target", "other"),
        group=EVENTS,
        answer=days_phrase((later.day - first.day).days),
        cites=(first.cite, later.cite),
        among=first.kind.value,
    )


def _sequence(patient: PatientStays, stays: StayRange, first: Event, later: Event) -> Candidate:
    swapped = (first.day.toordinal() + later.day.toordinal()) % 2 == 1
    target, other = (later, first) if swapped else (first, later)
    return Candidate(
        family="event_sequence",
        slots={
            "target": spoken(target.label),
            "other": spoken(other.label),
            **range_slots(patient, stays),
        },
        targets=("target", "other"),
        group=EVENTS,
        answer=spoken(first.label),
        cites=(first.cite, later.cite),
        offers=True,
    )
