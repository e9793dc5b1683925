"""The hard rules of a dialogue (spec section 5), checked whoever wrote it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta

from tasks.contracts.characters import has_odd_character
from tasks.contracts.clock import format_time
from tasks.contracts.dialogue import DialogueReply, SourcedLine
from tasks.contracts.evidence import PREVIOUS
from tasks.contracts.records import AdmissionBundle, AdmissionSummary, Fact
from tasks.dialogue.exchanges import known_from
from tasks.dialogue.violations import Place, Violation, of_turn, said_openly
from tasks.terminology.statements import states

_UP_TO_A_WEEK = timedelta(days=7)
_NOTE_ID = r"\d+-(?:DS|RR|AR)-\d+"
_REMOVED = re.compile(r"_{2,}")
_FORBIDDEN = re.compile(
    # One boundary in front of all: it is looked for at every character.
    r"\b(?:synthetic(?:ally)? (?:data|dialogue|conversation|text|patient|generated)\b|"
    r"(?:data|dialogue|conversation|text|patient) (?:is|was|are) (?:synthetic|fictional)\b|"
    r"(?:language model|as an ai|simulated (?:dialogue|conversation|patient))\b|"
    r"(?:subject_id|hadm_id|note_id|turn_id|icd_code|seq_num|itemid|[a-z]+_notes?)\b|"
    r"(?:diagnoses_icd|procedures_icd|microbiologyevents|d_icd_\w+|labevents)\b|"
    r"MIMIC(?:[- ]?IV)?\b|"
    r"(?:formed_packet|evidence turns?|microbiology table|\w+\.(?:csv|json))\b|"
    r"(?:discharge|radiology|nursing|progress|physician|admission) (?:notes?|summary)\b|"
    r"(?:the|this|your) (?:database|dataset|medical record number)\b|"
    r"(?:ignore|disregard)\b.{0,40}\b(?:instructions?|rules|prompt|source)\b|"
    r"system prompt\b)|^\W*(?:system|assistant|user):|<<<|>>>",
    re.IGNORECASE,
)


def turn_range(start: datetime, end: datetime) -> tuple[int, int]:
    """Fewest and most turns for a stay of this length (spec section 5)."""
    length = end - start
    if length < timedelta(days=1):
        return 18, 28
    if length <= timedelta(days=3):
        return 40, 60
    return (50, 70) if length <= _UP_TO_A_WEEK else (60, 85)


def turn_count_violations(
    lines: Sequence[SourcedLine], fewest: int, most: int
) -> tuple[Violation, ...]:
    """Names a number of turns outside the range for the stay's length; the gate holds it too."""
    found = len(lines)
    if fewest <= found <= most:
        return ()
    return (said_openly(f"turn_count: expected {fewest} to {most} turns, found {found}"),)


def violations(
    reply: DialogueReply, bundle: AdmissionBundle, facts: Sequence[Fact] | None = None
) -> tuple[Violation, ...]:
    """Hard rules that a reply breaks.

    With ``facts`` the turns' sources must exist, be known by then and be stated in full.
    """
    lines = reply.conversation_lines
    return (
        *_speakers(lines),
        *_numbering(lines),
        *_times(lines, bundle),
        *_texts(lines, bundle),
        *_sources(lines, bundle, facts),
        *_reference_to_previous(lines, bundle),
        *_summary(reply.summary, bundle),
    )


def _speakers(lines: Sequence[SourcedLine]) -> Iterator[Violation]:
    for speaker in ("Doctor", "Patient"):
        if not any(line.speaker == speaker for line in lines):
            yield said_openly(f"speakers: {speaker} never speaks")


def _numbering(lines: Sequence[SourcedLine]) -> Iterator[Violation]:
    for expected, line in enumerate(lines, start=1):
        if line.turn_number != expected:
            found = line.turn_number
            yield said_openly(f"turn_number: expected {expected}, found {found}", "frame")
            return


def _times(lines: Sequence[SourcedLine], bundle: AdmissionBundle) -> Iterator[Violation]:
    end = bundle.timing_rules.conversation_end
    previous = bundle.admission_start
    for line in lines:
        if not bundle.admission_start <= line.time <= end:
            yield said_openly(
                f"time: turn {line.turn_number} lies outside {bundle.admission_start} to {end}",
                "frame",
            )
        elif line.time < previous:
            yield said_openly(
                f"time: turn {line.turn_number} is earlier than the turn before it", "frame"
            )
        previous = max(previous, line.time)


def _texts(lines: Sequence[SourcedLine], bundle: AdmissionBundle) -> Iterator[Violation]:
    identifiers = identifiers_of(bundle)
    for line in lines:
        for rule, told in _broken_by_text(line.text, identifiers):
            yield of_turn(rule, line.turn_number, told)


def _broken_by_text(text: str, identifiers: re.Pattern[str]) -> Iterator[tuple[str, str]]:
    """Rules that a text breaks, each with what a model is told of it."""
    if not text.strip():
        yield "empty_text", "is empty"
    if _REMOVED.search(text):
        yield "removed_identifier (___)", "says `___`: leave out what was removed"
    if has_odd_character(text):
        yield (
            "odd_character (invisible, or a look-alike of another script)",
            "holds an invisible character or a letter of another script",
        )
    if found := _FORBIDDEN.search(text):
        yield (
            "names_its_making (tables, documents or that the text is synthetic)",
            f"says `{found[0]}`: nobody names tables, documents or how this was made",
        )
    if identifiers.search(text):
        yield "identifier", "says an identifier"


def identifiers_of(bundle: AdmissionBundle) -> re.Pattern[str]:
    """Finds the ids of a stay, its patient and its notes as whole words."""
    notes = (*bundle.discharge_notes, *bundle.radiology_notes)
    names = (*(note.note_id for note in notes), bundle.subject_id, bundle.hadm_id)
    return re.compile(rf"(?<!\w)(?:{_NOTE_ID}|{'|'.join(map(re.escape, names))})(?!\w)")


def _sources(
    lines: Sequence[SourcedLine], bundle: AdmissionBundle, facts: Sequence[Fact] | None
) -> Iterator[Violation]:
    known = None if facts is None else {fact.fact_id: fact for fact in facts}
    for line in lines:
        named = (*line.sources, *line.touches)
        if len(set(named)) != len(named):
            yield said_openly(f"sources: turn {line.turn_number} names a fact twice")
        for source in named if known is not None else ():
            fault = _source_fault(source, line, bundle, known or {})
            if fault:
                yield said_openly(fault)


def _source_fault(
    source: str, line: SourcedLine, bundle: AdmissionBundle, known: Mapping[str, Fact]
) -> str:
    """What is wrong with a turn's claim to speak of a fact; empty where nothing is."""
    in_full = source in line.sources
    fact = known.get(source)
    problem = _previous_problem(source, bundle)
    if fact is None and not problem:
        return f"sources: turn {line.turn_number} names a fact that doesn't exist"
    if fact and (since := known_from(fact)) and line.time < since:
        return f"time: turn {line.turn_number} states {source} before it was known"
    stated = states(line.text, fact) if fact else problem.casefold() in line.text.casefold()
    if in_full and not stated:
        return f"sources: turn {line.turn_number} doesn't state {source} in full"
    return ""


def _previous_problem(source: str, bundle: AdmissionBundle) -> str:
    """The problem of the previous summary that ``previous:N`` names; empty where it has none."""
    previous, number = bundle.previous_admission_summary, source.removeprefix(PREVIOUS)
    if previous is None or number == source or not number.isdecimal():
        return ""
    return previous.problems[int(number)] if int(number) < len(previous.problems) else ""


def _reference_to_previous(
    lines: Sequence[SourcedLine], bundle: AdmissionBundle
) -> Iterator[Violation]:
    previous = bundle.previous_admission_summary
    if previous is None or not previous.problems:
        return
    said = "\n".join(line.text for line in lines).casefold()
    if not any(problem.casefold() in said for problem in previous.problems):
        spoken = [line.turn_number for line in lines if line.speaker == "Doctor"]
        first: Place = spoken[0] if spoken else "whole"
        yield Violation(
            "previous_admission: no turn names a problem of the previous summary",
            f"turn {first} has to name one of the previous stay's problems word for word, as no "
            f"other does: {'; '.join(previous.problems)}",
            first,
        )


def _summary(summary: AdmissionSummary, bundle: AdmissionBundle) -> Iterator[Violation]:
    for name in ("admission_start", "admission_end"):
        expected: datetime = getattr(bundle, name)
        if getattr(summary, name) != expected:
            yield Violation(
                f"summary: {name} differs from the admission's",
                f"summary: {name} has to be {format_time(expected)}",
                "frame",
            )
    paragraph = summary.summary_paragraph
    if not paragraph.strip() or "\n" in paragraph.strip():
        yield said_openly("summary: summary_paragraph is not one paragraph", "summary")
    if not summary.problems or not all(problem.strip() for problem in summary.problems):
        yield said_openly("summary: problems are missing or empty", "summary")
    identifiers = identifiers_of(bundle)
    for text in (paragraph, *summary.problems):
        for rule, told in _broken_by_text(text, identifiers):
            yield Violation(f"{rule}: summary", f"summary: it {told}", "summary")
