"""Turns and replies for unit tests of dialogues: a doctor and a patient on the first morning."""

from __future__ import annotations

from datetime import timedelta

from tasks.contracts.clock import parse_time
from tasks.contracts.dialogue import DialogueReply, SourcedLine
from tests.factories.records import END, START, summary

START_TIME = parse_time(START)


def line(
    number: int,
    text: str = "Good morning.",
    minutes: float = 10,
    speaker: str = "Doctor",
    sources: tuple[str, ...] = (),
    touches: tuple[str, ...] = (),
) -> SourcedLine:
    """A turn some minutes after the admission."""
    return SourcedLine.model_validate(
        {
            "turn_number": number,
            "time": START_TIME + timedelta(minutes=minutes),
            "speaker": speaker,
            "text": text,
            "sources": sources,
            "touches": touches,
        }
    )


def reply(*lines: SourcedLine, **changes: object) -> DialogueReply:
    """Turns with the summary of the default stay; ``changes`` are fields of the summary."""
    stated = summary(start=START, end=END)
    return DialogueReply(
        conversation_lines=lines or (line(1), line(2, "Hello.", 11, "Patient")),
        summary=stated.model_copy(update=changes),
    )
