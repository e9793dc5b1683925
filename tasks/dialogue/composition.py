"""Composes an admission's dialogue from its facts by rules: pure, the same input the same turns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from tasks.contracts.dialogue import DialogueInput, DialogueReply, SourcedLine
from tasks.contracts.records import FactKind
from tasks.dialogue.arrival import arrival_exchanges
from tasks.dialogue.awareness import end_of_speech, ventilated_hours
from tasks.dialogue.complaints import greeting_at
from tasks.dialogue.course import course_exchanges
from tasks.dialogue.departure import departure_exchanges
from tasks.dialogue.exchanges import Exchange, Story, story_of
from tasks.dialogue.findings import finding_exchanges
from tasks.dialogue.rapport import rapport_exchanges
from tasks.dialogue.selection import select
from tasks.dialogue.summary import summary_of
from tasks.dialogue.timing import (
    Scene,
    Window,
    at_one_go,
    is_hurried,
    scenes,
    tellable,
    turn_times,
    window_of,
)
from tasks.dialogue.turns import Turn
from tasks.dialogue.wording import Phrasebook

_ROOMY_TURNS = 40
_KNOWN_AT_THE_END = frozenset({FactKind.DIAGNOSIS, FactKind.COURSE, FactKind.TREATMENT})
_DAYS_A_ROUND = 4
_MOST_ROUNDS = 5
_FACTS_A_TURN = 4
_FACTS_A_TURN_WHEN_TIGHT = 5
_FACTS_A_TURN_WHEN_HURRIED = 2


def compose_dialogue(request: DialogueInput) -> DialogueReply:
    """Dialogue and summary of one admission (spec section 5).

    Every clinical word of a turn comes from the facts or the previous summary; everything else
    from the wordings, drawn by a digest of the admission's ids.
    """
    story = story_of(request.record)
    bundle = story.bundle
    quiet = ventilated_hours(story)
    until = end_of_speech(story)
    seed = f"{bundle.subject_id}:{bundle.hadm_id}"
    hurried = is_hurried(bundle.admission_start, until, request.maximum_turns)
    book = Phrasebook(seed, brief=hurried)
    window = window_of(bundle.admission_start, until, story.left_alive, book, quiet)
    most = request.minimum_turns if hurried else request.maximum_turns
    told = [
        item
        for item in _exchanges(_known(story, window), most, hurried)
        if tellable(item, window, hurried)
    ]
    rapport = rapport_exchanges(book)
    told += [next(rapport) for _ in range(_rounds(window))]
    chosen = select(told, rapport, request.minimum_turns, most, book)
    if hurried:
        planned, times = at_one_go(chosen, window)
    else:
        planned = scenes(chosen, window, book)
        times = turn_times(planned, window, book)
    return DialogueReply(
        conversation_lines=_lines(planned, times, story, book), summary=summary_of(story)
    )


def _known(story: Story, window: Window) -> Story:
    """The story without what wasn't known yet when the patient could last be spoken to.

    In a stay that ended in death long after that, neither the final diagnoses nor how things went
    were known, and of the procedures of that day the hour isn't recorded.
    """
    start, end = story.bundle.admission_start, story.bundle.timing_rules.conversation_end
    if story.left_alive or window.end >= start + (end - start) / 2:
        return story
    kept = {kind: facts for kind, facts in story.by_kind.items() if kind not in _KNOWN_AT_THE_END}
    kept[FactKind.PROCEDURE] = tuple(
        fact
        for fact in story.facts(FactKind.PROCEDURE)
        if fact.time and fact.time.date() < window.end.date()
    )
    return replace(story, by_kind=kept)


def _rounds(window: Window) -> int:
    """How many rounds of a long stay are kept for a word with the patient whatever else is told."""
    return min(_MOST_ROUNDS, (window.end - window.start).days // _DAYS_A_ROUND)


def _exchanges(story: Story, most_turns: int, hurried: bool) -> list[Exchange]:
    sizes = _FACTS_A_TURN_WHEN_TIGHT if most_turns < _ROOMY_TURNS else _FACTS_A_TURN
    if hurried:
        sizes = _FACTS_A_TURN_WHEN_HURRIED
    return [
        *arrival_exchanges(story, sizes),
        *finding_exchanges(story, sizes),
        *course_exchanges(story),
        *departure_exchanges(story, sizes),
    ]


def _lines(
    planned: Sequence[Scene], times: Sequence[datetime], story: Story, book: Phrasebook
) -> tuple[SourcedLine, ...]:
    lines: list[SourcedLine] = []
    for number, scene in enumerate(planned):
        last = number == len(planned) - 1
        for place, turn in enumerate(_turns(scene, book)):
            moment = times[len(lines)]
            greeting = ""
            if number and not place:
                pool = "farewell_visit" if last and story.left_alive else "visit"
                greeting = book.say(pool, greeting=greeting_at(moment.hour)) + " "
            lines.append(_line(len(lines) + 1, moment, turn, greeting))
    return tuple(lines)


def _turns(scene: Scene, book: Phrasebook) -> Iterator[Turn]:
    for item in scene.exchanges:
        turns = item.write(book)
        book.note(source for turn in turns for source in turn.sources)
        yield from turns


def _line(number: int, moment: datetime, turn: Turn, greeting: str) -> SourcedLine:
    return SourcedLine(
        turn_number=number,
        time=moment,
        speaker=turn.speaker,
        text=greeting + turn.text,
        sources=turn.sources,
        touches=turn.touches,
    )
