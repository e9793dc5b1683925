"""The timelines gate's tables: a row a session, and a row a patient."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import polars as pl

from tasks.adapters.tokens import TOKENIZER, conversation_text, count_tokens
from tasks.contracts.release import PatientSessions
from tasks.gates.tables.rows import table

MEAN_TOLERANCE = 0.01
"""Means are published to two decimals."""


@dataclass(frozen=True, slots=True)
class SessionRow:
    """One session of a timeline; ``id`` is the hadm_id."""

    id: str
    subject_id: str
    seconds_since_previous_start: int
    starts_out_of_order: bool
    listed_in_place: bool
    differs_from_dialogue: bool


@dataclass(frozen=True, slots=True)
class PatientRow:
    """One patient's timeline and summary; ``id`` is the subject_id."""

    id: str
    sessions: int
    foreign_subject: bool
    dialogues_missing: int
    repeated_sessions: int
    ids_differ: bool
    unaccounted_admissions: int
    turns_difference: int
    tokens_difference: int
    means_differ: bool
    other_tokenizer: bool


def timeline_tables(patients: Iterable[PatientSessions]) -> dict[str, pl.DataFrame]:
    """The tables ``timelines_sessions`` and ``timelines_patients``."""
    sessions: list[SessionRow] = []
    rows: list[PatientRow] = []
    for patient in patients:
        sessions += _session_rows(patient)
        rows.append(_patient_row(patient))
    return {
        "timelines_sessions": table(sessions, SessionRow),
        "timelines_patients": table(rows, PatientRow),
    }


def _session_rows(patient: PatientSessions) -> list[SessionRow]:
    conversations = {one.bundle.hadm_id: one.conversation() for one in patient.dialogues}
    listed = patient.timeline.processed_hadm_ids
    rows: list[SessionRow] = []
    before = None
    for position, session in enumerate(patient.timeline.admissions):
        conversation = conversations.get(session.hadm_id)
        since = session.admission_start - before.admission_start if before else None
        rows.append(
            SessionRow(
                id=session.hadm_id,
                subject_id=patient.timeline.subject_id,
                seconds_since_previous_start=int(since.total_seconds()) if since else 0,
                starts_out_of_order=before is not None
                and (before.admission_start, before.hadm_id)
                > (session.admission_start, session.hadm_id),
                listed_in_place=listed[position : position + 1] == (session.hadm_id,),
                differs_from_dialogue=conversation is None
                or (
                    conversation.admission_start,
                    conversation.admission_end,
                    conversation.conversation_lines,
                )
                != (session.admission_start, session.admission_end, session.conversation_lines),
            )
        )
        before = session
    return rows


def _patient_row(patient: PatientSessions) -> PatientRow:
    timeline, summary = patient.timeline, patient.summary
    stated = summary.conversation_stats
    ids = tuple(session.hadm_id for session in timeline.admissions)
    turns = sum(len(session.conversation_lines) for session in timeline.admissions)
    tokens = sum(
        count_tokens(conversation_text(session.conversation_lines))
        for session in timeline.admissions
    )
    subjects = {timeline.subject_id, summary.subject_id}
    subjects.update(one.bundle.subject_id for one in patient.dialogues)
    left_out = len(summary.skipped_admissions)
    return PatientRow(
        id=timeline.subject_id,
        sessions=len(ids),
        foreign_subject=len(subjects) > 1,
        dialogues_missing=len({one.bundle.hadm_id for one in patient.dialogues} - set(ids)),
        repeated_sessions=len(ids) - len(set(ids)),
        ids_differ=summary.processed_hadm_ids != ids or summary.processed_admissions != len(ids),
        unaccounted_admissions=summary.eligible_admissions - len(ids) - left_out,
        turns_difference=stated.total_turns - turns,
        tokens_difference=stated.total_tokens - tokens,
        means_differ=_differ(stated.mean_turns, turns, len(ids))
        or _differ(stated.mean_tokens, tokens, len(ids)),
        other_tokenizer=stated.tokenizer != TOKENIZER,
    )


def _differ(mean: float, total: int, n: int) -> bool:
    return abs(mean - (total / n if n else 0.0)) > MEAN_TOLERANCE
