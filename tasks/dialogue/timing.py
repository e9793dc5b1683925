"""When everything is said: scenes on the days of the stay, and the time of every turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta

from tasks.dialogue.exchanges import Exchange, Phase
from tasks.dialogue.wording import Phrasebook

_EXCHANGES_A_ROUND = 2
_MINUTE = timedelta(minutes=1)
_HOUR = timedelta(hours=1)
_VISITING_HOURS = (time(8, 5), time(15, 40))
_VISIT_SPREAD_MINUTES = 100
_DAY_BEGINS, _DAY_ENDS = 7, 22
_UNHURRIED = timedelta(seconds=60)
_LAST_WORD = time(21, 30)
_GAP_SCALES = (1.0, 0.6, 0.3, 0.1, 0.02, 0.0)


Hours = tuple[datetime, datetime]
"""From when to when."""


@dataclass(frozen=True)
class Window:
    """The time in which the patient can be spoken to, and when the last scene begins.

    In the ``quiet`` hours inside it the patient is ventilated and no visit is made.
    """

    start: datetime
    departure: datetime
    end: datetime
    quiet: tuple[Hours, ...] = ()


@dataclass(frozen=True)
class Scene:
    """Exchanges of one meeting, and the time it is meant to begin."""

    start: datetime
    exchanges: tuple[Exchange, ...]


def window_of(
    start: datetime,
    end: datetime,
    left_alive: bool,
    book: Phrasebook,
    quiet: Sequence[Hours] = (),
) -> Window:
    """The window of a stay.

    Who died in it is last spoken to well before the end, in the day and before the ventilation
    that lasted till then; who left is spoken to after it if that is possible.
    """
    if not left_alive:
        end = _last_moment(start, start + (end - start) * 0.8, quiet)
    length = end - start
    ahead = min(length * 0.3, (60 + book.number(60)) * _MINUTE)
    departure = end - ahead
    for _, over in sorted(quiet):
        if departure < over <= end - ahead / 2:
            departure = over
    return Window(start, _whole_second(departure), _whole_second(end), tuple(quiet))


def _last_moment(start: datetime, end: datetime, quiet: Sequence[Hours]) -> datetime:
    """The last moment to speak to a patient who died after it."""
    for begins, over in sorted(quiet, reverse=True):
        if start < begins < end <= over:
            end = begins
    evening = datetime.combine(end.date(), _LAST_WORD)
    if end.hour < _DAY_BEGINS:
        evening -= timedelta(days=1)
    return evening if start + 2 * _HOUR < evening < end else end


def is_hurried(start: datetime, end: datetime, most_turns: int) -> bool:
    """Whether a stay is so short that a full talk can't be held at the pace of people.

    It then has the fewest turns of its range, in few words, spread evenly over the stay.
    """
    return (end - start) / most_turns < _UNHURRIED


def tellable(exchange: Exchange, window: Window, hurried: bool) -> bool:
    """Whether the exchange's event lies before the last scene; in a hurry before the first."""
    known_by = window.start if hurried else window.departure
    return exchange.earliest is None or exchange.earliest <= known_by


def at_one_go(exchanges: Sequence[Exchange], window: Window) -> tuple[list[Scene], list[datetime]]:
    """One scene in the order of the story, its turns spread evenly over the window.

    Times are whole seconds, so turns share one where there are more turns than seconds.
    """
    ordered = sorted(exchanges, key=lambda item: item.phase)
    turns = sum(item.size for item in ordered)
    step = (window.end - window.start) / (turns + 1)
    times = [_whole_second(window.start + (number + 1) * step) for number in range(turns)]
    return [Scene(window.start, tuple(ordered))], times


def scenes(exchanges: Sequence[Exchange], window: Window, book: Phrasebook) -> list[Scene]:
    """Arrival, visits and departure in order; each result is told at the next visit."""
    arrival = [item for item in exchanges if item.phase is Phase.ARRIVAL]
    between = [item for item in exchanges if item.phase is Phase.STAY]
    departure = [item for item in exchanges if item.phase is Phase.DEPARTURE]
    possible = _visits(window, book)
    visits = _chosen_visits(between, possible)
    told: dict[datetime, list[Exchange]] = {visit: [] for visit in visits}
    late: list[Exchange] = []
    undated = _interleaved([item for item in between if item.expected is None])
    for item in between:
        if item.expected is not None:
            visit = next((visit for visit in visits if visit >= item.expected), None)
            (late if visit is None else told[visit]).append(item)
    for number, item in enumerate(undated):
        if visits:
            aim = possible[number * len(possible) // len(undated)]
            told[min(visits, key=lambda visit: (abs(visit - aim), visit))].append(item)
        else:
            late.append(item)
    greeting = _whole_second(min(window.start + 12 * _MINUTE, window.start + _share(window, 0.02)))
    made = [Scene(greeting, tuple(arrival))]
    made += [Scene(visit, tuple(items)) for visit, items in told.items() if items]
    late.sort(key=lambda item: item.earliest or window.start)
    return [*made, Scene(window.departure, (*late, *departure))]


def turn_times(planned: Sequence[Scene], window: Window, book: Phrasebook) -> list[datetime]:
    """A time for every turn: in order, after its event, inside the window.

    Turns are about a minute apart; where the window is too short for that they move together.
    """
    anchors: list[tuple[datetime, datetime, float]] = []
    for scene in planned:
        for item in scene.exchanges:
            earliest = max(item.earliest or window.start, window.start)
            for _ in range(item.size):
                anchors.append((scene.start, earliest, 35.0 + book.number(60)))
    for scale in _GAP_SCALES:
        times = _packed(anchors, window, scale)
        if times[-1] <= window.end:
            return times
    raise AssertionError("with no gap at all every turn fits")


def _packed(
    anchors: Sequence[tuple[datetime, datetime, float]], window: Window, scale: float
) -> list[datetime]:
    remaining = sum(gap for _, _, gap in anchors) * scale
    previous = window.start
    times: list[datetime] = []
    for anchor, earliest, gap in anchors:
        latest = window.end - timedelta(seconds=remaining)
        step = timedelta(seconds=gap * scale)
        moment = max(previous + (step if times else timedelta()), min(anchor, latest), earliest)
        times.append(_whole_second(moment))
        previous = times[-1]
        remaining -= gap * scale
    return times


def _visits(window: Window, book: Phrasebook) -> list[datetime]:
    """Morning and afternoon visits between the first and the last scene.

    A stay with none of them has one visit in its middle if it is long enough and that isn't at
    night; nobody is visited while ventilated.
    """
    first, last = window.start + 2 * _HOUR, window.departure - _HOUR / 2
    found: list[datetime] = []
    quiet = window.quiet
    for days in range((window.end.date() - window.start.date()).days + 1):
        for hour in _VISITING_HOURS:
            day = window.start.date() + timedelta(days=days)
            minutes = book.number(_VISIT_SPREAD_MINUTES) * _MINUTE
            visit = datetime.combine(day, hour) + minutes + timedelta(seconds=book.number(60))
            if first <= visit <= last and not _within(visit, quiet):
                found.append(visit)
    middle = _whole_second(first + (last - first) / 2)
    awake = _DAY_BEGINS <= middle.hour < _DAY_ENDS and not _within(middle, quiet)
    return [middle] if not found and first < last and awake else found


def _within(moment: datetime, hours: Sequence[Hours]) -> bool:
    return any(begins <= moment < over for begins, over in hours)


def _interleaved(undated: Sequence[Exchange]) -> list[Exchange]:
    """What has no date, in the order of the story, with the small talk spread evenly over it."""
    told = [item for item in undated if not item.small_talk]
    talk = [item for item in undated if item.small_talk]
    placed = [((number + 0.5) / len(told), item) for number, item in enumerate(told)]
    placed += [((number + 0.5) / len(talk), item) for number, item in enumerate(talk)]
    return [item for _, item in sorted(placed, key=lambda pair: pair[0])]


def _chosen_visits(between: Sequence[Exchange], visits: list[datetime]) -> list[datetime]:
    """The first visit after every event, and visits spread over the stay for what has no date."""
    after_events = {
        next((visit for visit in visits if visit >= item.expected), None)
        for item in between
        if item.expected is not None
    }
    chosen = {visit for visit in after_events if visit is not None}
    undated = sum(item.expected is None for item in between)
    rounds = min(len(visits), -(-undated // _EXCHANGES_A_ROUND))
    for number in range(rounds):
        visit = visits[(2 * number + 1) * len(visits) // (2 * rounds)]
        if visit.date() not in {other.date() for other in chosen}:
            chosen.add(visit)
    return sorted(chosen or set(visits[:1]))


def _share(window: Window, share: float) -> timedelta:
    return (window.end - window.start) * share


def _whole_second(moment: datetime) -> datetime:
    return moment.replace(microsecond=0)
