"""The dialogues gate's tables: a row a turn, and a row a conversation."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta

import polars as pl

from tasks.contracts.characters import has_odd_character
from tasks.contracts.dialogue import AdmissionDialogue
from tasks.contracts.records import AdmissionBundle, AdmissionSummary
from tasks.gates.tables.requests import request_differs
from tasks.gates.tables.rows import table
from tasks.gates.tables.stated import KnownDays, misstates_stay
from tasks.gates.tables.traces import EvidenceRow, evidence_rows, untraced_facts
from tasks.gates.tables.wording import Identifiers, has_removed_mark, names_source

TURN_RANGES = (
    (timedelta(days=1), False, (18, 28)),
    (timedelta(days=3), True, (40, 60)),
    (timedelta(days=7), True, (50, 70)),
)
"""Longest stay, whether that length itself belongs to the range, fewest and most turns."""

LONGEST_STAYS = (60, 85)

_TELLING_WORD = re.compile(r"[^\W\d_]{4,}")


@dataclass(frozen=True, slots=True)
class TurnRow:
    """One turn; ``id`` is ``HADM_ID#POSITION``, counted from 1 whatever the turn's number."""

    id: str
    hadm_id: str
    position: int
    turn_number: int
    speaker: str
    seconds_since_previous: int
    seconds_after_start: int
    seconds_before_end: int
    words: int
    has_removed_mark: bool
    has_identifier: bool
    names_source: bool
    has_odd_character: bool
    unknown_dates: int
    misstates_stay: bool


@dataclass(frozen=True, slots=True)
class ConversationRow:
    """One conversation with its summary; ``id`` is the hadm_id."""

    id: str
    subject_id: str
    turns: int
    turns_too_few: int
    turns_too_many: int
    doctor_turns: int
    patient_turns: int
    differs_from_reply: bool
    request_differs: bool
    previous_summary_differs: bool
    carries_previous_problem: bool
    summary_times_differ: bool
    summary_paragraphs: int
    problems: int
    empty_problems: int
    summary_wording_faults: int
    untraced_facts: int


def dialogue_tables(
    patients: Iterable[Sequence[AdmissionDialogue]], turns_asked: tuple[int, int] | None = None
) -> dict[str, pl.DataFrame]:
    """The tables ``dialogues_turns``, ``dialogues_conversations`` and ``dialogues_evidence``.

    ``patients`` gives each patient's dialogues in time order. ``turns_asked`` is the fewest and
    most turns of every dialogue where they don't depend on the length of the stay.
    """
    turns: list[TurnRow] = []
    conversations: list[ConversationRow] = []
    evidence: list[EvidenceRow] = []
    for dialogues in patients:
        identifiers = Identifiers(one.bundle for one in dialogues)
        previous: AdmissionSummary | None = None
        earlier: list[AdmissionBundle] = []
        for dialogue in dialogues:
            turns += _turn_rows(dialogue, earlier, identifiers)
            earlier.append(dialogue.bundle)
            conversations.append(_conversation_row(dialogue, previous, identifiers, turns_asked))
            evidence += evidence_rows(dialogue)
            previous = dialogue.summary
    return {
        "dialogues_turns": table(turns, TurnRow),
        "dialogues_conversations": table(conversations, ConversationRow),
        "dialogues_evidence": table(evidence, EvidenceRow),
    }


def turn_range(stay: timedelta) -> tuple[int, int]:
    """Fewest and most turns for a stay of this length (spec section 5)."""
    for longest, inclusive, turns in TURN_RANGES:
        if stay < longest or (inclusive and stay == longest):
            return turns
    return LONGEST_STAYS


def _turn_rows(
    dialogue: AdmissionDialogue, earlier: Sequence[AdmissionBundle], identifiers: Identifiers
) -> list[TurnRow]:
    bundle = dialogue.bundle
    days = KnownDays(bundle, earlier)
    last = bundle.timing_rules.conversation_end
    rows: list[TurnRow] = []
    before = bundle.admission_start
    for position, line in enumerate(dialogue.lines, start=1):
        rows.append(
            TurnRow(
                id=f"{bundle.hadm_id}#{position}",
                hadm_id=bundle.hadm_id,
                position=position,
                turn_number=line.turn_number,
                speaker=line.speaker,
                seconds_since_previous=int((line.time - before).total_seconds())
                if position > 1
                else 0,
                seconds_after_start=int((line.time - bundle.admission_start).total_seconds()),
                seconds_before_end=int((last - line.time).total_seconds()),
                words=len(line.text.split()),
                has_removed_mark=has_removed_mark(line.text),
                has_identifier=identifiers.within(line.text),
                names_source=names_source(line.text),
                has_odd_character=has_odd_character(line.text),
                unknown_dates=days.unknown_in(line.text),
                misstates_stay=misstates_stay(line.text, bundle),
            )
        )
        before = line.time
    return rows


def _conversation_row(
    dialogue: AdmissionDialogue,
    previous: AdmissionSummary | None,
    identifiers: Identifiers,
    turns_asked: tuple[int, int] | None,
) -> ConversationRow:
    bundle, summary = dialogue.bundle, dialogue.summary
    fewest, most = turns_asked or turn_range(bundle.admission_end - bundle.admission_start)
    turns = len(dialogue.lines)
    reply = dialogue.prompt_record.structured_reply
    published = [line.published() for line in dialogue.lines]
    replied = [line.published() for line in reply.conversation_lines]
    used = dialogue.prompt_record.previous_admission_summary
    window = (bundle.admission_start, bundle.admission_end)
    return ConversationRow(
        id=bundle.hadm_id,
        subject_id=bundle.subject_id,
        turns=turns,
        turns_too_few=max(0, fewest - turns),
        turns_too_many=max(0, turns - most),
        doctor_turns=sum(line.speaker == "Doctor" for line in published),
        patient_turns=sum(line.speaker == "Patient" for line in published),
        differs_from_reply=published != replied or summary != reply.summary,
        request_differs=request_differs(dialogue, (fewest, most)),
        previous_summary_differs=bundle.previous_admission_summary != previous or used != previous,
        carries_previous_problem=previous is None or _carries(dialogue, previous),
        summary_times_differ=(summary.admission_start, summary.admission_end) != window,
        summary_paragraphs=_paragraphs(summary.summary_paragraph),
        problems=len(summary.problems),
        empty_problems=sum(not problem.strip() for problem in summary.problems),
        summary_wording_faults=_wording_faults(summary, identifiers),
        untraced_facts=untraced_facts(dialogue),
    )


def _carries(dialogue: AdmissionDialogue, previous: AdmissionSummary) -> bool:
    """The dialogue says a problem of the previous stay or a telling word of it (4 letters)."""
    said = " ".join(line.text.lower() for line in dialogue.lines)
    words = _telling_words(said)
    return any(
        problem.lower() in said or words & _telling_words(problem) for problem in previous.problems
    )


def _telling_words(text: str) -> set[str]:
    return set(_TELLING_WORD.findall(text.lower()))


def _paragraphs(text: str) -> int:
    return sum(bool(part.strip()) for part in text.splitlines())


def _wording_faults(summary: AdmissionSummary, identifiers: Identifiers) -> int:
    texts = (summary.summary_paragraph, *summary.problems)
    return sum(
        has_removed_mark(text)
        or identifiers.within(text)
        or names_source(text)
        or has_odd_character(text)
        for text in texts
    )
