"""Messages for a language model, and the way back from the names they give to stays.

The messages hold no identifier: stays are called ``stay-1``, ``stay-2`` and so on.
"""

from __future__ import annotations

import random
from string import Template
from typing import TypeVar

from tasks.adapters.resources import read_prompt
from tasks.adapters.tokens import conversation_text
from tasks.contracts.questions import (
    AdmissionQuestionsInput,
    AdmissionQuestionsReply,
    CrossQuestionsInput,
    CrossQuestionsReply,
    PatientChart,
    Question,
)
from tasks.qa.absence import AbsentTargets
from tasks.qa.cross_questions import ORDER, wanted_counts
from tasks.qa.lexicon import Frequencies, read_frequencies
from tasks.qa.stays import PatientStays, Stay, patient_stays

_ABSENT_SHOWN = 12

Reply = TypeVar("Reply", AdmissionQuestionsReply, CrossQuestionsReply)


def render_admission_messages(request: AdmissionQuestionsInput) -> tuple[str, str]:
    """System and task message for one admission's questions."""
    patient = patient_stays(request.chart)
    stay = patient.stays[patient.position_of(request.hadm_id)]
    task = Template(read_prompt("qa", "admission_task.md")).substitute(
        stay=_stay_name(stay.position),
        prefix=stay.prefix,
        absent=_absent(patient, read_frequencies(request.lexicon)),
        conversation=conversation_text(stay.admission.lines),
    )
    return read_prompt("qa", "system.md"), task


def render_cross_messages(request: CrossQuestionsInput) -> tuple[str, str]:
    """System and task message for a patient's cross-admission questions."""
    patient = patient_stays(request.chart)
    count = len(patient.stays)
    wanted = wanted_counts(count)
    progression, comparison, frequency = (wanted[kind] for kind in ORDER)
    task = Template(read_prompt("qa", "cross_task.md")).substitute(
        count=count,
        total=3 * count,
        progression=progression,
        comparison=comparison,
        frequency=frequency,
        adversarial=count,
        absent=_absent(patient, read_frequencies(request.lexicon)),
        conversations="\n\n".join(_session(stay) for stay in patient.stays),
    )
    return read_prompt("qa", "system.md"), task


def restore_identifiers(reply: Reply, chart: PatientChart, hadm_id: str | None) -> Reply:
    """The reply with real ids in place of the messages' names; real ids are left as they are.

    ``hadm_id`` is the admission asked about, None for cross-admission questions.
    """
    real = {
        _stay_name(position): admission.bundle.hadm_id
        for position, admission in enumerate(chart.admissions)
    }
    stem = f"{chart.subject_id}_{hadm_id or 'cross'}"
    restored = tuple(
        _restored(question, real, f"{stem}_q{number:02d}")
        for number, question in enumerate(reply.qas, start=1)
    )
    return reply.model_copy(update={"qas": restored})


def _restored(question: Question, real: dict[str, str], qa_id: str) -> Question:
    evidence = question.evidence
    named = evidence.model_copy(
        update={
            "admissions": tuple(real.get(name, name) for name in evidence.admissions),
            "turns": tuple(
                turn.model_copy(update={"hadm_id": real.get(turn.hadm_id, turn.hadm_id)})
                for turn in evidence.turns
            ),
        }
    )
    return question.model_copy(update={"qa_id": qa_id, "evidence": named})


def _session(stay: Stay) -> str:
    heading = f"{_stay_name(stay.position)}, the hospitalization that began on {stay.name}:"
    return f"{heading}\n{conversation_text(stay.admission.lines)}"


def _stay_name(position: int) -> str:
    return f"stay-{position + 1}"


def _absent(patient: PatientStays, frequencies: Frequencies) -> str:
    rng = random.Random(f"{patient.subject_id}:absent")
    return "; ".join(AbsentTargets(patient, frequencies, rng).some(_ABSENT_SHOWN))
