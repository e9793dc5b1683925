"""Patients as a release shows them: two short stays each, all content invented."""

from __future__ import annotations

from datetime import timedelta

from tasks.contracts.dialogue import (
    AdmissionDialogue,
    DialogueReply,
    PromptRecord,
    SourcedLine,
    TokenUsage,
)
from tasks.contracts.evidence import AdmissionEvidence, EvidenceItem, TurnEvidence
from tasks.contracts.records import AdmissionBundle, AdmissionSummary
from tasks.contracts.release import PatientSessions
from tasks.dialogue.source import source_text
from tasks.release.timeline import build_timeline, summarise_patient
from tests.factories.records import bundle, record

SUBJECTS = ("99000001", "99000002")
FIRST_STAY = ("2150-06-01 09:00:00", "2150-06-01 20:00:00")
SECOND_STAY = ("2150-09-01 10:00:00", "2150-09-03 10:00:00")

_DAY = timedelta(days=1)

_SOURCES = {1: ("stay:1",), 3: ("treatment:1",)}
_FIRST_TURNS = {
    1: "You were admitted on 2150-06-01 with shortness of breath from heart failure.",
    3: "Furosemide was increased to 80 mg because of volume overload.",
    5: "The creatinine is 1.9 today.",
    7: "You can go home with a cardiology visit in 2 weeks.",
}
_SECOND_TURNS = {
    1: "You came back on 2150-09-01, again with your heart failure.",
    3: "Furosemide was increased to 120 mg because of leg swelling.",
    5: "The creatinine is 1.4 today.",
    7: "Lisinopril was stopped because of a dry cough.",
}


def hadm_ids(subject_id: str) -> tuple[str, str]:
    return f"88{subject_id[-3:]}001", f"88{subject_id[-3:]}002"


def dialogue(
    admission: AdmissionBundle, said: dict[int, str], turns: int, problem: str = "heart failure"
) -> AdmissionDialogue:
    """Doctor and patient in turn, a minute apart; ``said`` gives the doctor's lines by number."""
    lines = tuple(
        SourcedLine(
            turn_number=number,
            time=admission.admission_start + timedelta(minutes=number),
            speaker="Doctor" if number % 2 else "Patient",
            text=said.get(number, f"Thank you, that is point {number} of our talk."),
            sources=_SOURCES.get(number, ()),
        )
        for number in range(1, turns + 1)
    )
    summary = AdmissionSummary(
        admission_start=admission.admission_start,
        admission_end=admission.admission_end,
        summary_paragraph="A stay for heart failure, treated with furosemide.",
        problems=(problem,),
    )
    return AdmissionDialogue(
        bundle=admission,
        lines=lines,
        summary=summary,
        prompt_record=PromptRecord(
            provider="programmatic",
            model="programmatic-1",
            temperature=None,
            request_timestamp=None,
            system_message="Write a dialogue.",
            task_message=f"Here is the stay.\n{_asked(admission)}\n",
            previous_admission_summary=admission.previous_admission_summary,
            stay_days=round((admission.admission_end - admission.admission_start) / _DAY, 2),
            recommended_turn_range=(18, 28) if turns == 18 else (40, 60),
            api_usage=TokenUsage(),
            response_id=None,
            latency_ms=None,
            structured_reply=DialogueReply(conversation_lines=lines, summary=summary),
        ),
        evidence=_evidence(admission),
    )


def _evidence(admission: AdmissionBundle) -> AdmissionEvidence:
    """The first turn is behind the admission's start, the third behind the note's first words."""
    start = EvidenceItem(
        fact_id="stay:1", whole=True, table="admissions", pointers=("/admission_start",)
    )
    words = EvidenceItem(
        fact_id="treatment:1",
        whole=True,
        table="discharge",
        pointers=("/discharge_notes/0/text",),
        section="Brief Hospital Course",
        start=0,
        end=4,
    )
    return AdmissionEvidence(
        subject_id=admission.subject_id,
        hadm_id=admission.hadm_id,
        turns=(
            TurnEvidence(turn_number=1, items=(start,)),
            TurnEvidence(turn_number=3, items=(words,)),
        ),
    )


def _asked(admission: AdmissionBundle) -> str:
    return source_text(record(admission))


def _owned(admission: AdmissionBundle, subject_id: str) -> AdmissionBundle:
    notes = tuple(
        note.model_copy(update={"note_id": f"{subject_id}-DS-{number}"})
        for number, note in enumerate(admission.discharge_notes, start=1)
    )
    return admission.model_copy(update={"subject_id": subject_id, "discharge_notes": notes})


def patient_dialogues(subject_id: str = SUBJECTS[0]) -> tuple[AdmissionDialogue, ...]:
    first_id, second_id = hadm_ids(subject_id)
    before = bundle(start=FIRST_STAY[0], end=FIRST_STAY[1], hadm_id=first_id)
    first = dialogue(_owned(before, subject_id), _FIRST_TURNS, turns=18)
    after = bundle(
        start=SECOND_STAY[0], end=SECOND_STAY[1], hadm_id=second_id, previous=first.summary
    )
    second = dialogue(_owned(after, subject_id), _SECOND_TURNS, turns=40)
    return first, second


def patient_sessions(subject_id: str = SUBJECTS[0]) -> PatientSessions:
    dialogues = patient_dialogues(subject_id)
    return PatientSessions(
        dialogues=dialogues,
        timeline=build_timeline(dialogues),
        summary=summarise_patient(dialogues, eligible_admissions=2, skipped=()),
    )
