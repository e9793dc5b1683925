"""How a conversation has to be spread over its stay, as a prompt asks for it and code checks it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from itertools import groupby

from tasks.contracts.clock import format_time
from tasks.contracts.dialogue import DialogueInput, SourcedLine
from tasks.dialogue.awareness import end_of_speech, ventilated_hours
from tasks.dialogue.exchanges import story_of
from tasks.dialogue.timing import Hours, is_hurried
from tasks.dialogue.violations import Violation, said_openly

_DAY = timedelta(days=1)
_MOST_DAYS_NEEDED = 3
_LAST_QUARTER = 0.75
_TURNS_A_MOMENT = 4
_SOON_OVER = timedelta(minutes=30)


@dataclass(frozen=True)
class Spread:
    """What is asked of the turns' times.

    Turns lie on at least ``fewest_days`` of the ``days`` on which the patient can speak, and the
    last one not before ``last_from``.
    """

    days: int
    fewest_days: int
    last_from: datetime


def spread_of(given: DialogueInput) -> Spread | None:
    """The spread that fits a stay; null for one too short for turns a minute apart.

    The last turn lies in the last quarter or on the last day, in a stay under a day in its second
    half; a talk with a patient who died may end early. Turns lie on half of the days; three days
    are always enough.
    """
    story = story_of(given.record)
    start, until = story.bundle.admission_start, end_of_speech(story)
    if is_hurried(start, until, given.maximum_turns):
        return None
    length = until - start
    if not story.left_alive:
        last_from = start + min(length / 2, _SOON_OVER)
    elif length < _DAY:
        last_from = start + length / 2
    else:
        last_day = datetime.combine(until.date(), time())
        last_from = min(start + length * _LAST_QUARTER, last_day)
    days = _days_awake(start, until, ventilated_hours(story))
    half = -(-days // 2) if story.left_alive else 1
    fewest = max(1, min(half, _MOST_DAYS_NEEDED, given.minimum_turns // 2))
    return Spread(days, fewest, last_from.replace(microsecond=0))


def spread_violations(lines: Sequence[SourcedLine], spread: Spread | None) -> Iterator[Violation]:
    """How the turns' times fall short of what is asked; without a spread nothing is."""
    if spread is None or not lines:
        return
    told = len({line.time.date() for line in lines})
    if told < spread.fewest_days:
        yield said_openly(
            f"spread: turns lie on {told} of {spread.days} days, expected at least "
            f"{spread.fewest_days}",
            "frame",
        )
    last = lines[-1]
    if last.time < spread.last_from:
        yield said_openly(
            f"spread: turn {last.turn_number} is the last one, expected at or after "
            f"{format_time(spread.last_from)}",
            "frame",
        )
    yield from _same_moments(lines)


def _same_moments(lines: Sequence[SourcedLine]) -> Iterator[Violation]:
    for moment, same in groupby(lines, key=lambda line: line.time):
        turns = [line.turn_number for line in same]
        if len(turns) > _TURNS_A_MOMENT:
            yield said_openly(
                f"spread: turns {turns[0]} to {turns[-1]} all have the time {format_time(moment)}",
                "frame",
            )


def _days_awake(start: datetime, until: datetime, quiet: Sequence[Hours]) -> int:
    """Days of a stay that don't lie wholly in hours on a ventilator."""
    days = ((until.date() - start.date()).days + 1) if until >= start else 1
    return sum(
        not _silent(start.date() + timedelta(days=number), start, until, quiet)
        for number in range(days)
    )


def _silent(day: date, start: datetime, until: datetime, quiet: Sequence[Hours]) -> bool:
    morning = datetime.combine(day, time())
    first, last = max(morning, start), min(morning + _DAY, until)
    return any(begins <= first and last <= over for begins, over in quiet)
