"""Joins a patient's dialogues into one timeline and states its size (spec section 6)."""

from __future__ import annotations

from collections.abc import Sequence

from tasks.adapters.tokens import TOKENIZER, conversation_text, count_tokens
from tasks.contracts.dialogue import (
    AdmissionDialogue,
    CallStats,
    ConversationStats,
    PatientSummary,
    SkippedAdmission,
    Timeline,
    TimelineAdmission,
)

_DECIMALS = 2


def build_timeline(dialogues: Sequence[AdmissionDialogue]) -> Timeline:
    """A patient's sessions by (admission_start, hadm_id).

    Raises ValueError where the dialogues are none, or of more than one patient.
    """
    subjects = sorted({one.bundle.subject_id for one in dialogues})
    if len(subjects) != 1:
        raise ValueError(f"a timeline is of one patient, found {len(subjects)}")
    ordered = sorted(dialogues, key=lambda one: (one.bundle.admission_start, one.bundle.hadm_id))
    return Timeline(
        subject_id=subjects[0],
        processed_hadm_ids=tuple(one.bundle.hadm_id for one in ordered),
        admissions=tuple(_session(one) for one in ordered),
    )


def summarise_patient(
    dialogues: Sequence[AdmissionDialogue],
    eligible_admissions: int,
    skipped: Sequence[SkippedAdmission],
) -> PatientSummary:
    """What of a patient was processed and left out, what it cost and how long it became."""
    timeline = build_timeline(dialogues)
    turns = [len(one.conversation_lines) for one in timeline.admissions]
    tokens = [
        count_tokens(conversation_text(one.conversation_lines)) for one in timeline.admissions
    ]
    return PatientSummary(
        subject_id=timeline.subject_id,
        eligible_admissions=eligible_admissions,
        processed_admissions=len(timeline.admissions),
        processed_hadm_ids=timeline.processed_hadm_ids,
        skipped_admissions=tuple(sorted(skipped, key=lambda one: (one.hadm_id, one.reason))),
        llm_call_stats=_call_stats(dialogues),
        conversation_stats=ConversationStats(
            mean_turns=round(sum(turns) / len(turns), _DECIMALS),
            total_turns=sum(turns),
            mean_tokens=round(sum(tokens) / len(tokens), _DECIMALS),
            total_tokens=sum(tokens),
            tokenizer=TOKENIZER,
        ),
    )


def _session(dialogue: AdmissionDialogue) -> TimelineAdmission:
    conversation = dialogue.conversation()
    return TimelineAdmission(
        hadm_id=conversation.hadm_id,
        admission_start=conversation.admission_start,
        admission_end=conversation.admission_end,
        conversation_lines=conversation.conversation_lines,
    )


def _call_stats(dialogues: Sequence[AdmissionDialogue]) -> CallStats:
    """Reported tokens; a mean is over the dialogues that report any."""
    usages = [one.prompt_record.api_usage for one in dialogues]
    given = [one.input_tokens for one in usages if one.input_tokens is not None]
    taken = [one.output_tokens for one in usages if one.output_tokens is not None]
    return CallStats(
        mean_input_tokens=_mean(given),
        total_input_tokens=sum(given) if given else None,
        mean_output_tokens=_mean(taken),
        total_output_tokens=sum(taken) if taken else None,
    )


def _mean(values: Sequence[int]) -> float | None:
    return round(sum(values) / len(values), _DECIMALS) if values else None
