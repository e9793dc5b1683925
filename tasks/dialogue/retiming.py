"""Numbers and times by rule, for replies whose own are wrong even after the model was told.

Times carry no fact of the record, so nothing is invented by setting them; texts stay as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, time, timedelta

from tasks.contracts.dialogue import DialogueInput, DialogueReply, SourcedLine
from tasks.dialogue.awareness import end_of_speech, ventilated_hours
from tasks.dialogue.exchanges import story_of
from tasks.dialogue.speaking import exchanges_of
from tasks.dialogue.spread import spread_of
from tasks.dialogue.timing import Hours
from tasks.dialogue.trust import first_results
from tasks.terminology.statements import states

_MINUTE = timedelta(minutes=1)
_ARRIVAL = timedelta(minutes=12)
_BEFORE_THE_END = timedelta(minutes=90)
_ROUND = time(10)
_SHARE_OF_A_SHORT_STAY = 0.02


def with_stay(reply: DialogueReply, given: DialogueInput) -> DialogueReply:
    """The reply with its turns numbered from 1 and the stay's times in its summary."""
    bundle = given.record.bundle
    stay = {"admission_start": bundle.admission_start, "admission_end": bundle.admission_end}
    lines = tuple(
        line.model_copy(update={"turn_number": number})
        for number, line in enumerate(reply.conversation_lines, start=1)
    )
    summary = reply.summary.model_copy(update=stay)
    return reply.model_copy(update={"conversation_lines": lines, "summary": summary})


def with_rule_times(reply: DialogueReply, given: DialogueInput) -> DialogueReply:
    """The reply with a new time for every turn."""
    lines = reply.conversation_lines
    timed = tuple(
        line.model_copy(update={"time": moment})
        for line, moment in zip(lines, rule_times(lines, given), strict=True)
    )
    return reply.model_copy(update={"conversation_lines": timed})


def rule_times(lines: Sequence[SourcedLine], given: DialogueInput) -> list[datetime]:
    """A time for every turn, whatever times they have.

    The exchanges are shared out evenly among meetings, as many as days are asked for and at least
    two: the first after the arrival, the last before the end, those between at a morning round.
    Turns of a meeting are a minute apart at most; none lies before a result that it tells was
    known. In a stay too short for that the turns lie evenly spread.
    """
    moments = _waiting(lines, _moments(lines, given), given)
    return [moment.replace(microsecond=0) for moment in moments]


def _moments(lines: Sequence[SourcedLine], given: DialogueInput) -> list[datetime]:
    story, spread = story_of(given.record), spread_of(given)
    start, until = story.bundle.admission_start, end_of_speech(story)
    exchanges = exchanges_of(lines)
    if spread is None or len(exchanges) <= 1:
        step = (until - start) / (len(lines) + 1)
        return [start + number * step for number in range(1, len(lines) + 1)]
    last = max(spread.last_from, until - _BEFORE_THE_END) if story.left_alive else spread.last_from
    count = min(len(exchanges), max(2, spread.fewest_days))
    begins = _beginnings(start, last, count, ventilated_hours(story))
    found: list[datetime] = []
    for number, begin in enumerate(begins):
        first, over = (len(exchanges) * place // count for place in (number, number + 1))
        turns = sum(map(len, exchanges[first:over]))
        limit = begins[number + 1] if number + 1 < count else until
        gap = min(_MINUTE, (limit - begin) / (turns + 1))
        found += [begin + place * gap for place in range(turns)]
    return found


def _beginnings(
    start: datetime, last: datetime, count: int, quiet: Sequence[Hours]
) -> list[datetime]:
    """When each meeting begins; one in hours on a ventilator waits until they are over."""
    first = start + min(_ARRIVAL, (last - start) * _SHARE_OF_A_SHORT_STAY)
    found = [first]
    for number in range(1, count - 1):
        between = first + (last - first) * number / (count - 1)
        morning = datetime.combine(between.date(), _ROUND)
        meant = morning if found[-1] < morning < last else between
        found.append(max(found[-1], _awake(meant, quiet)))
    return [*found, max(found[-1], _awake(last, quiet))]


def _awake(moment: datetime, quiet: Sequence[Hours]) -> datetime:
    for begins, over in sorted(quiet):
        if begins <= moment < over:
            moment = over
    return moment


def _waiting(
    lines: Sequence[SourcedLine], moments: Sequence[datetime], given: DialogueInput
) -> list[datetime]:
    """The moments, each not before what its turn tells was known, nor right upon the one before."""
    results, until = first_results(given.record.facts), end_of_speech(story_of(given.record))
    meant = reached = given.record.bundle.admission_start
    found: list[datetime] = []
    for line, moment in zip(lines, moments, strict=True):
        known = [since for fact, since in results if states(line.text, fact)]
        after = reached + min(moment - meant, _MINUTE)
        meant, reached = moment, min(until, max(after, moment, *known))
        found.append(reached)
    return found
