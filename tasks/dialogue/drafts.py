"""The shape in which a language model writes a dialogue, and how it is read.

It is loose, so that what is wrong can be named turn by turn rather than by a parser.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import cache, lru_cache

from pydantic import BaseModel, ConfigDict, Field, create_model
from pydantic.config import JsonDict

from tasks.contracts.clock import parse_time
from tasks.contracts.dialogue import DialogueReply, SourcedLine, Speaker
from tasks.contracts.records import AdmissionSummary
from tasks.dialogue.violations import Violation

_SPEAKERS: dict[str, Speaker] = {"doctor": "Doctor", "patient": "Patient"}
_TIME = re.compile(r"(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)(:\d\d)?")
_TIME_ASKED: JsonDict = {
    "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}$",
}
"""Asked of a server that holds replies to the schema; what comes is read more loosely."""
_PROBLEMS_ASKED: JsonDict = {"minItems": 1, "maxItems": 20}
"""Small models list problems until their reply is cut, where nothing stops them."""
_PLAIN_MARKS = str.maketrans("\u2018\u2019\u201c\u201d\u2032", "''\"\"'")
_UNREADABLE = "\N{REPLACEMENT CHARACTER}"
_SHOWN = 40


class Draft(BaseModel):
    """What a model may send: fields beyond the asked ones are left unread."""

    model_config = ConfigDict(frozen=True, extra="ignore", hide_input_in_errors=True)


class DraftLine(Draft):
    """One turn as a model writes it."""

    turn_number: int = Field(description="Position of the turn, counted from 1 without gaps")
    time: str = Field(
        description="When it is said: YYYY-MM-DD HH:MM:SS, never going back",
        json_schema_extra=_TIME_ASKED,
    )
    speaker: str = Field(
        description="Doctor or Patient", json_schema_extra={"enum": ["Doctor", "Patient"]}
    )
    text: str = Field(description="What is said, without the speaker's name")


class DraftSummary(Draft):
    """A summary as a model writes it."""

    admission_start: str = Field(
        description="Start of the stay as given: YYYY-MM-DD HH:MM:SS", json_schema_extra=_TIME_ASKED
    )
    admission_end: str = Field(
        description="End of the stay as given: YYYY-MM-DD HH:MM:SS", json_schema_extra=_TIME_ASKED
    )
    summary_paragraph: str = Field(description="The stay in one paragraph without line breaks")
    problems: list[str] = Field(
        description="Problems of the stay, the most important first",
        json_schema_extra=_PROBLEMS_ASKED,
    )


class DialogueDraft(Draft):
    """A whole dialogue with its summary as a model writes it."""

    conversation_lines: list[DraftLine] = Field(
        description="The turns in order", json_schema_extra={"minItems": 2}
    )
    summary: DraftSummary = Field(description="The stay in one paragraph and its problems")


@cache
def draft_of(fewest: int, most: int) -> type[DialogueDraft]:
    """A draft with so many turns, for servers that hold replies to the schema.

    What comes with other numbers is read all the same, and judged.
    """
    bounds: JsonDict = {"minItems": fewest, "maxItems": most}
    lines = Field(description="The turns in order", json_schema_extra=bounds)
    return create_model(
        DialogueDraft.__name__,
        __base__=DialogueDraft,
        __doc__=DialogueDraft.__doc__,
        conversation_lines=(list[DraftLine], lines),
    )


class TurnText(Draft):
    """Another text for one turn."""

    turn_number: int = Field(description="Number of the turn")
    text: str = Field(description="What is said instead, without the speaker's name")


class TurnPatch(Draft):
    """Other texts for some turns of a dialogue."""

    turns: list[TurnText] = Field(description="The turns that were asked for")


@lru_cache(maxsize=64)
def patch_of(numbers: tuple[int, ...]) -> type[TurnPatch]:
    """A patch of just these turns, for servers that hold replies to the schema."""
    which: JsonDict = {"enum": list(numbers)}
    bounds: JsonDict = {"minItems": len(numbers), "maxItems": len(numbers)}
    number = Field(description="Number of the turn", json_schema_extra=which)
    text = create_model(TurnText.__name__, __base__=TurnText, turn_number=(int, number))
    turns = Field(description="The turns that were asked for", json_schema_extra=bounds)
    texts = list[text]  # pyright: ignore[reportInvalidTypeForm] -- made a moment ago
    return create_model(TurnPatch.__name__, __base__=TurnPatch, turns=(texts, turns))


class SummaryPatch(Draft):
    """Another summary of a stay."""

    summary_paragraph: str = Field(description="The stay in one paragraph without line breaks")
    problems: list[str] = Field(
        description="Problems of the stay, the most important first",
        json_schema_extra=_PROBLEMS_ASKED,
    )


def tidy(text: str) -> str:
    """A text on one line, with plain quotation marks and digits, without marks nobody sees."""
    if not text.isascii():
        seen = "".join(
            _plain_digit(char)
            for char in text
            if unicodedata.category(char) != "Cf" and char != _UNREADABLE
        )
        text = seen.translate(_PLAIN_MARKS)
    return " ".join(text.split())


def _plain_digit(char: str) -> str:
    # A dose in full-width digits would pass every check that reads numbers.
    return str(unicodedata.decimal(char)) if char.isdecimal() else char


def read_draft(draft: DialogueDraft) -> tuple[DialogueReply | None, tuple[Violation, ...]]:
    """The draft as a reply without sources, or what keeps it from being one."""
    faults = (*_line_faults(draft.conversation_lines), *_summary_faults(draft.summary))
    if faults:
        return None, faults
    return DialogueReply(
        conversation_lines=tuple(map(_line, draft.conversation_lines)),
        summary=_summary(draft.summary),
    ), ()


def _line_faults(lines: Sequence[DraftLine]) -> Iterator[Violation]:
    for place, line in enumerate(lines, start=1):
        if line.turn_number < 1:
            yield Violation(
                f"turn_number: expected {place}, found another",
                f"turn_number: expected {place}, found {line.turn_number}",
            )
        if line.speaker.strip().lower() not in _SPEAKERS:
            yield Violation(
                f"speaker: turn {place} is not Doctor or Patient",
                f"turn {place}: speaker `{_shown(line.speaker)}` is not Doctor or Patient",
            )
        if not _is_time(line.time):
            yield Violation(
                f"time: turn {place} has no time of the form YYYY-MM-DD HH:MM:SS",
                f"turn {place}: time `{_shown(line.time)}` is not of the form YYYY-MM-DD HH:MM:SS",
            )


def _summary_faults(summary: DraftSummary) -> Iterator[Violation]:
    given = {"admission_start": summary.admission_start, "admission_end": summary.admission_end}
    for name, value in given.items():
        if not _is_time(value):
            yield Violation(
                f"summary: {name} is not of the form YYYY-MM-DD HH:MM:SS",
                f"summary: {name} `{_shown(value)}` is not of the form YYYY-MM-DD HH:MM:SS",
            )


def _line(line: DraftLine) -> SourcedLine:
    # A blank stands for no text, which the rules name; the contract has no empty turns.
    return SourcedLine(
        turn_number=line.turn_number,
        time=_time(line.time),
        speaker=_SPEAKERS[line.speaker.strip().lower()],
        text=tidy(line.text) or " ",
    )


def _summary(summary: DraftSummary) -> AdmissionSummary:
    return AdmissionSummary(
        admission_start=_time(summary.admission_start),
        admission_end=_time(summary.admission_end),
        summary_paragraph=_paragraph(summary.summary_paragraph),
        problems=tuple(map(tidy, summary.problems)),
    )


def with_texts(reply: DialogueReply, patch: TurnPatch, asked: Sequence[int]) -> DialogueReply:
    """The reply with the new texts of the turns that were asked for; others are left alone."""
    texts = {one.turn_number: tidy(one.text) or " " for one in patch.turns}
    lines = tuple(
        line.model_copy(update={"text": texts[line.turn_number]})
        if line.turn_number in asked and line.turn_number in texts
        else line
        for line in reply.conversation_lines
    )
    return reply.model_copy(update={"conversation_lines": lines})


def with_summary(reply: DialogueReply, patch: SummaryPatch) -> DialogueReply:
    """The reply with another summary of the same stay."""
    changes = {
        "summary_paragraph": _paragraph(patch.summary_paragraph),
        "problems": tuple(map(tidy, patch.problems)),
    }
    return reply.model_copy(update={"summary": reply.summary.model_copy(update=changes)})


def _paragraph(text: str) -> str:
    """The text with its line breaks, which the rules name, and each line tidied."""
    return "\n".join(map(tidy, text.strip().splitlines())) or " "


def _time(text: str) -> datetime:
    """Reads ``2150-06-01T09:00`` too; raises ValueError for any other spelling."""
    found = _TIME.fullmatch(text.strip())
    return parse_time(f"{found[1]} {found[2]}{found[3] or ':00'}" if found else text)


def _is_time(text: str) -> bool:
    try:
        _time(text)
    except ValueError:
        return False
    return True


def _shown(value: str) -> str:
    return tidy(value)[:_SHOWN]
