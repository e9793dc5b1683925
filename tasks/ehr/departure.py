"""Statements of the discharge: destination, condition, instructions and follow-up."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tasks.contracts.records import FactKind
from tasks.ehr.passages import Passage, discharge_span, items, sentences
from tasks.ehr.sections import Section, named
from tasks.ehr.statements import (
    Statement,
    lower_first,
    names_person,
    speakable,
    tells_death,
    without_removed,
)

INSTRUCTION_WORDS = 12
_INSTRUCTION_MINIMUM = 3
_CONDITIONS = {
    "mental status": re.compile(r"Mental Status:\s*(?P<v>[^\n:]+?)\s*(?=\n|$|\.)", re.IGNORECASE),
    "level of consciousness": re.compile(
        r"Level of Consciousness:\s*(?P<v>[^\n:]+?)\s*(?=\n|$|\.)", re.IGNORECASE
    ),
    "activity status": re.compile(
        r"Activity Status:\s*(?P<v>[^\n:]+?)\s*(?=\n|$|\.)", re.IGNORECASE
    ),
}
_DASH = re.compile(r"\s+-+\s+")
_IMPERATIVE = re.compile(
    r"^(?:please |also,? |and )?(?P<clause>(?:weigh|take|call|avoid|drink|eat|limit|check|keep|"
    r"continue|finish|complete|do not|don't|follow a|use|wear|return|seek|stop|start|bring|monitor|"
    r"record|rest|walk|stay|try|refrain|change|remove|wash|measure|elevate|restrict)\b.*)$",
    re.IGNORECASE,
)
_FOLLOW_UP = re.compile(
    r"\b(?:follow[- ]?up|f/u|appointment|be seen|see)(?: appointment| visit)?"
    r"(?: with| by| in| at)? (?:your |the |a |an )?(?P<who>[A-Za-z][A-Za-z\- ]{2,50}?)"
    r"(?P<when> (?:in|within|after) (?:the next )?(?:\w+|\d+(?: ?(?:-|to) ?\d+)?) "
    r"(?:days?|weeks?|months?))?(?= (?:for|to|after|regarding|about|who|and|on|at|as)\b|[.,;:(]|$)",
    re.IGNORECASE,
)
_VISIT_ENTRY = re.compile(
    r"^(?P<who>[A-Z][A-Za-z\- ]{2,50}?)(?P<when> (?:in|within|after) (?:the next )?"
    r"(?:\w+|\d+(?: ?(?:-|to) ?\d+)?) (?:days?|weeks?|months?))(?=[.,;:(]| (?:for|to)\b|$)"
)
_SENT_TO = re.compile(
    r"\b(?:d/c'?e?d?|discharged|sent)(?: to)? (?P<where>home|rehab|rehabilitation)\b", re.IGNORECASE
)
_NOT_SOMEONE = re.compile(
    r"\b(?:instructions?|below|above|you|us|needed|directed|scheduled|appointments?|"
    r"outpatient labs?|to|all|discharge|this|that|following|listed|arranged|made|"
    r"any|if|when|regular|sheets?|notes?|reports?|records?|charts?|omr|attached)\b",
    re.IGNORECASE,
)
_DEAD_DISPOSITION = re.compile(r"\bexpired\b|\bdeceased\b|\bdied\b|\bdeath\b", re.IGNORECASE)
_TOLD_DEATH = re.compile(
    r"\b(?:patient|pt|he|she|who)\b[^.\n]{0,40}\b(?:died|expired|passed away)\b|"
    r"\btime of death\b|\bpronounced dead\b",
    re.IGNORECASE,
)


def tells_that_patient_died(note: str, sections: tuple[Section, ...]) -> bool:
    """Whether a discharge note says that the stay ended with the patient's death."""
    endings = named(sections, "disposition", "condition", "diagnosis")
    if any(_DEAD_DISPOSITION.search(note, section.start, section.end) for section in endings):
        return True
    told = named(sections, "course", "whole", "addendum", "instructions")
    return any(_TOLD_DEATH.search(note, section.start, section.end) for section in told)


def departure_statements(
    note_id: str, note: str, sections: tuple[Section, ...]
) -> tuple[Statement, ...]:
    """Destination, condition, instructions and follow-up of a patient who left alive."""
    return (
        *_disposition(note_id, note, sections),
        *_condition(note_id, note, sections),
        *_instructions(note_id, note, sections),
        *_follow_up(note_id, note, sections),
    )


def _disposition(note_id: str, note: str, sections: tuple[Section, ...]) -> Iterator[Statement]:
    for section in named(sections, "whole"):
        match = _SENT_TO.search(note, section.start, section.end)
        if match:
            passage = Passage(match["where"], match.start(), match.end())
            span = discharge_span(note_id, section, passage)
            value = match["where"].lower()
            yield Statement(FactKind.DISPOSITION, "discharge destination", value, span)
    for section in named(sections, "disposition"):
        for passage in items(note, section)[:1]:
            value = speakable(passage.text).lower()
            if value:
                span = discharge_span(note_id, section, passage)
                yield Statement(FactKind.DISPOSITION, "discharge destination", value, span)


def _condition(note_id: str, note: str, sections: tuple[Section, ...]) -> Iterator[Statement]:
    for section in named(sections, "condition"):
        found = False
        for label, pattern in _CONDITIONS.items():
            match = pattern.search(note, section.start, section.end)
            value = _DASH.sub(", ", speakable(match["v"]).lower()) if match else ""
            if match and value:
                found = True
                passage = Passage(value, match.start("v"), match.end("v"))
                yield Statement(
                    FactKind.CONDITION, label, value, discharge_span(note_id, section, passage)
                )
        for passage in () if found else items(note, section)[:1]:
            value = speakable(passage.text).lower()
            if value and not tells_death(value):
                span = discharge_span(note_id, section, passage)
                yield Statement(FactKind.CONDITION, "condition at discharge", value, span)


def _instructions(note_id: str, note: str, sections: tuple[Section, ...]) -> Iterator[Statement]:
    for section in named(sections, "instructions"):
        for passage in sentences(note, section):
            match = _IMPERATIVE.match(without_removed(passage.text))
            clause = speakable(match["clause"], INSTRUCTION_WORDS) if match else ""
            if len(clause.split()) < _INSTRUCTION_MINIMUM or names_person(clause):
                continue
            label = lower_first(clause)
            yield Statement(
                FactKind.INSTRUCTION, label, label, discharge_span(note_id, section, passage)
            )


def _follow_up(note_id: str, note: str, sections: tuple[Section, ...]) -> Iterator[Statement]:
    for section in named(sections, "follow-up", "instructions", "transitional issues", "whole"):
        for passage in sentences(note, section):
            text = without_removed(passage.text)
            entry = _VISIT_ENTRY.match(text) if section.name == "follow-up" else None
            match = _FOLLOW_UP.search(text) or entry
            who = lower_first(speakable(match["who"], 6)) if match else ""
            if not match or not who or _NOT_SOMEONE.search(who) or names_person(who):
                continue
            when = speakable(match["when"] or "")
            yield Statement(
                kind=FactKind.FOLLOW_UP,
                label=who,
                value=when or "follow-up",
                source=discharge_span(note_id, section, passage),
                detail={"when": when} if when else {},
            )
