"""Where a timeline or record answers an adversarial question after all."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from tasks.audit.support.belonging import Asked
from tasks.audit.support.cues import ACTIONS, PHASES, Cue, cues_of
from tasks.audit.support.question_reading import Reading
from tasks.audit.support.reading_words import Text
from tasks.audit.support.record_words import Record, RecordLine
from tasks.audit.support.spoken import Turn, mentions, named
from tasks.contracts.audit import AuditSession
from tasks.contracts.questions import Question

_STEPS = {
    "next": 1, "following": 1, "second following": 2, "third following": 3, "fourth following": 4,
    "previous": -1, "preceding": -1,
}  # fmt: skip
_STEP = re.compile(
    r"\b((?:second |third |fourth )?following|next|previous|preceding) "
    r"(?:hospitali[sz]ation|stay|admission|one|visit)\b",
    re.IGNORECASE,
)
_REASON = re.compile(
    r"\b(?:because|reasons?|due to|owing to|in the setting of|account of|secondary to|for)\b",
    re.IGNORECASE,
)
_ASKS_AMOUNT = re.compile(r"\b(?:dose|doses|dosage|amount|how much|mg|units)\b", re.IGNORECASE)
_COMBINING = ACTIONS - {Cue.GIVEN, Cue.CONTINUED}
"""Conditions whose combination with a thing can be absent though the thing itself is mentioned."""


def answered(
    question: Question,
    asked: Asked,
    turns: Sequence[Sequence[Turn]],
    record: Record,
    sessions: Sequence[AuditSession],
) -> tuple[str, ...]:
    """Turns and records that mention what an adversarial question asks about.

    Everything is searched for a question across admissions; for a question about one, that stay
    and others with the same dates. A question that names no thing is judged by the stays' dates.
    """
    scope = _scope(question, asked.reading, sessions)
    if not asked.reading.terms:
        return _calendar(question, asked.reading, sessions)
    places = [
        turn.place
        for session in scope
        for turn in turns[session]
        if _answers(asked, turn.text, turn.spoken)
    ]
    found = set(_recorded(asked, record, scope))
    rows = [f"{one.hadm_id}:record" for n, one in enumerate(sessions) if n in found]
    if places or rows or len(asked.reading.terms) < 2:
        return (*places, *rows)
    return _apart(asked, turns, record, scope, sessions)


def _scope(
    question: Question, reading: Reading, sessions: Sequence[AuditSession]
) -> tuple[int, ...]:
    if question.scope != "single_admission":
        return tuple(range(len(sessions)))
    days = {
        (one.admission_start.date(), one.admission_end.date())
        for n, one in enumerate(sessions)
        if n in reading.stays
    }
    return tuple(
        n
        for n, one in enumerate(sessions)
        if (one.admission_start.date(), one.admission_end.date()) in days
    )


def _answers(asked: Asked, text: Text, words: str, heading: str = "") -> bool:
    """Every thing asked about is named here, and the action asked about isn't another one."""
    found = [mentions(text, term) for term in asked.reading.terms]
    if not all(found):
        return False
    wanted = asked.reading.cues & _COMBINING
    told = cues_of(words)
    if wanted and not wanted & told:
        return False
    if asked.reading.cues & ACTIONS and not told & ACTIONS and not _REASON.search(words):
        return False
    return not _elsewhere(asked, cues_of(f"{heading}: {words}"))


def _elsewhere(asked: Asked, told: frozenset[Cue]) -> bool:
    """Told of home where the question is about discharge, or the other way round."""
    wanted = asked.reading.cues & PHASES
    spoken = told & PHASES
    return (
        bool(_ASKS_AMOUNT.search(asked.reading.body))
        and len(wanted) == 1
        and (bool(spoken) and not wanted & spoken)
    )


def _recorded(asked: Asked, record: Record, scope: Sequence[int]) -> Iterator[int]:
    """Stays whose record mentions the things asked about."""
    for number in _lines(asked, record):
        line: RecordLine = record.lines[number]
        if line.session in scope and _answers(asked, line.text, line.words, line.heading):
            yield line.session


def _lines(asked: Asked, record: Record) -> list[int]:
    """Lines that have a spelling of every part of every thing."""
    left: set[int] | None = None
    for term in asked.reading.terms:
        for part in named(term.keys).parts:
            lines = {line for keys in part for line in record.having(keys)}
            left = lines if left is None else left & lines
    return sorted(left or ())


def _apart(
    asked: Asked,
    turns: Sequence[Sequence[Turn]],
    record: Record,
    scope: Sequence[int],
    sessions: Sequence[AuditSession],
) -> tuple[str, ...]:
    """Where each of several things is mentioned, if none of them is missing.

    Two things that a question puts beside each other can both exist and be told of apart: an
    order or an interval of two events is answerable then.
    """
    if not re.search(
        r"\b(?:order|first|earlier|between|apart|separat\w+|interval|gap|how many days|"
        r"preced\w+|came|later|last)\b",
        asked.reading.body,
        re.IGNORECASE,
    ):
        return ()
    found: list[list[str]] = []
    for term in asked.reading.terms:
        places = [
            turn.place for session in scope for turn in turns[session] if mentions(turn.text, term)
        ]
        if not places:
            alone = Asked(
                replace(asked.reading, terms=(term,), cues=frozenset()), asked.things, asked.said
            )
            hadm_ids = [one.hadm_id for one in sessions]
            places = [f"{hadm_ids[n]}:record" for n in sorted(set(_recorded(alone, record, scope)))]
        if not places:
            return ()
        found.append(places)
    return tuple(dict.fromkeys(place for places in found for place in places[:3]))


def _calendar(
    question: Question, reading: Reading, sessions: Sequence[AuditSession]
) -> tuple[str, ...]:
    """A stay so many steps from the one named, if there is one."""
    steps = [_STEPS[found[1].casefold()] for found in _STEP.finditer(reading.body)]
    if not steps or not reading.stays:
        return ()
    position = reading.stays[0] + steps[0]
    if 0 <= position < len(sessions):
        return (f"{sessions[position].hadm_id}:record",)
    return ()
