"""Factories of whole, sound patients and releases: two short stays each, all content invented."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import timedelta
from functools import cache
from pathlib import Path

import polars as pl

from tasks.contracts.build import (
    BundleRef,
    CohortBuild,
    GateResult,
    PatientPlan,
    SourceFileInfo,
)
from tasks.contracts.clock import format_date, parse_time
from tasks.contracts.dialogue import (
    AdmissionDialogue,
    DialogueReply,
    PromptRecord,
    SourcedLine,
    TokenUsage,
)
from tasks.contracts.evidence import AdmissionEvidence, EvidenceItem, TurnEvidence
from tasks.contracts.questions import (
    ABSTENTION,
    CitedTurn,
    Evidence,
    Question,
    QuestionSet,
    QuestionType,
    Scope,
)
from tasks.contracts.records import AdmissionBundle, AdmissionSummary
from tasks.contracts.release import PatientQuestions, PatientSessions, ReleaseFacts
from tasks.gates.suites import run_gate
from tasks.gates.tables.bundles import bundle_tables
from tasks.gates.tables.cohort import cohort_tables
from tasks.gates.tables.dialogues import dialogue_tables
from tasks.gates.tables.questions import question_tables
from tasks.gates.tables.source import source_tables
from tasks.gates.tables.timelines import timeline_tables
from tasks.release.statistics import measure_patient, summarise_release
from tasks.release.timeline import build_timeline, summarise_patient
from tasks.release.writing import finish_release, stage_patient
from tests.factories.audits import passed_verdict
from tests.factories.records import bundle

SUBJECTS = ("99000001", "99000002")
TABLES = (
    "admissions",
    "d_icd_diagnoses",
    "d_icd_procedures",
    "diagnoses_icd",
    "discharge",
    "microbiologyevents",
    "patients",
    "procedures_icd",
    "radiology",
)
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
    notes = {"__all__": {"note_id": True}}
    return admission.model_dump_json(
        indent=1,
        exclude={
            "subject_id": True,
            "hadm_id": True,
            "discharge_notes": notes,
            "radiology_notes": notes,
        },
    )


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


def question(
    qa_id: str,
    kind: QuestionType,
    text: str,
    answer: str,
    cited: Sequence[tuple[str, int]],
    scope: Scope = "cross_admission",
) -> Question:
    numbers = tuple(number for _, number in cited)
    return Question(
        qa_id=qa_id,
        scope=scope,
        question_type=kind,
        question=text,
        answer=answer,
        evidence=Evidence(
            admissions=tuple(dict.fromkeys(hadm_id for hadm_id, _ in cited)),
            turn_ids=numbers if scope == "single_admission" else None,
            turns=tuple(CitedTurn(hadm_id=one, turn_number=number) for one, number in cited),
        ),
    )


def admission_questions(
    admission: AdmissionBundle, asked: Sequence[tuple[QuestionType, str, str, int]]
) -> QuestionSet:
    first, last = format_date(admission.admission_start), format_date(admission.admission_end)
    days = f"on {first}" if first == last else f"from {first} to {last}"
    return QuestionSet(
        qas=tuple(
            question(
                f"{admission.subject_id}_{admission.hadm_id}_q{number:02d}",
                kind,
                f"During the hospitalization {days}, {text}",
                answer,
                [(admission.hadm_id, turn)],
                scope="single_admission",
            )
            for number, (kind, text, answer, turn) in enumerate(asked, start=1)
        )
    )


def patient_questions(subject_id: str = SUBJECTS[0]) -> PatientQuestions:
    first, second = (one.bundle for one in patient_dialogues(subject_id))
    one, other = first.hadm_id, second.hadm_id
    admissions = {
        one: admission_questions(
            first,
            [
                (QuestionType.MEDICAL_REASONING, "what was the creatinine?", "1.9", 5),
                (
                    QuestionType.CARE_PLAN_RATIONALE,
                    "why was furosemide increased?",
                    "volume overload",
                    3,
                ),
                (QuestionType.ADVERSARIAL, "why was warfarin increased?", ABSTENTION, 3),
            ],
        ),
        other: admission_questions(
            second,
            [
                (QuestionType.MEDICAL_REASONING, "what was the creatinine?", "1.4", 5),
                (
                    QuestionType.CARE_PLAN_RATIONALE,
                    "why was lisinopril stopped?",
                    "a dry cough",
                    7,
                ),
                (QuestionType.ADVERSARIAL, "why was digoxin stopped?", ABSTENTION, 7),
            ],
        ),
    }
    stays = "between the hospitalizations that began on 2150-06-01 and 2150-09-01"
    kinds = QuestionType
    asked = (
        (kinds.ADVERSARIAL, f"How did the dose of warfarin change {stays}?", ABSTENTION, 3),
        (kinds.ADVERSARIAL, f"How did the dose of digoxin change {stays}?", ABSTENTION, 3),
        (
            kinds.LONGITUDINAL_PROGRESSION,
            f"How did the dose of furosemide change {stays}?",
            "80 mg to 120 mg",
            3,
        ),
        (kinds.LONGITUDINAL_PROGRESSION, f"How many days passed {stays}?", "92 days", 1),
        (
            kinds.CROSS_ADMISSION_COMPARISON,
            "Which stay had the higher creatinine, that of 2150-06-01 or of 2150-09-01?",
            "2150-06-01",
            5,
        ),
        (
            kinds.FREQUENCY_PATTERN,
            "In how many of the two hospitalizations was furosemide increased?",
            "2 hospitalizations",
            3,
        ),
    )
    cross = QuestionSet(
        qas=tuple(
            question(
                f"{subject_id}_cross_q{number:02d}",
                kind,
                text,
                answer,
                [(one, turn), (other, turn)],
            )
            for number, (kind, text, answer, turn) in enumerate(asked, start=1)
        )
    )
    return PatientQuestions(
        subject_id=subject_id,
        admissions=admissions,
        cross=cross,
        benchmark=shuffled(subject_id, admissions, cross),
    )


def shuffled(
    subject_id: str, admissions: dict[str, QuestionSet], cross: QuestionSet
) -> QuestionSet:
    qas = [item for one in (*admissions.values(), cross) for item in one.qas]
    random.Random(subject_id).shuffle(qas)
    return QuestionSet(qas=tuple(qas))


def source_files() -> tuple[SourceFileInfo, ...]:
    return tuple(
        SourceFileInfo(table=table, name=f"hosp/{table}.csv", bytes=1000, sha256="0" * 64, rows=12)
        for table in TABLES
    )


def cohort_build(subjects: Sequence[str] = SUBJECTS) -> CohortBuild:
    return CohortBuild(
        patients=tuple(
            PatientPlan(
                subject_id=subject_id,
                eligible_admissions=2,
                bundles=tuple(
                    BundleRef(
                        subject_id=subject_id,
                        hadm_id=hadm_id,
                        admission_start=parse_time(stay[0]),
                        path=f"bundles/{hadm_id}.json",
                        sha256="0" * 64,
                    )
                    for hadm_id, stay in zip(
                        hadm_ids(subject_id), (FIRST_STAY, SECOND_STAY), strict=True
                    )
                ),
            )
            for subject_id in subjects
        ),
        skipped=(),
        skip_counts=(),
        files=source_files(),
        eligible_patients=len(subjects),
        eligible_admissions=2 * len(subjects),
    )


def release_facts() -> ReleaseFacts:
    return ReleaseFacts(
        generator="programmatic",
        model="programmatic-1",
        data_class="synthetic",
        recipe="0" * 64,
        inputs=source_files(),
        skipped=(),
        skip_counts=(),
        substitutions={},
    )


def stage_tables(subjects: Sequence[str] = SUBJECTS) -> dict[str, dict[str, pl.DataFrame]]:
    """The tables of every gate before the release's own, by stage."""
    sessions = [patient_sessions(one) for one in subjects]
    dialogues = [one.dialogues for one in sessions]
    questions = [patient_questions(one) for one in subjects]
    return {
        "source": source_tables(source_files()),
        "cohort": cohort_tables(cohort_build(subjects)),
        "bundles": bundle_tables([[d.bundle for d in one] for one in dialogues], died_in=()),
        "dialogues": dialogue_tables(dialogues),
        "timelines": timeline_tables(sessions),
        "questions": question_tables(zip(dialogues, questions, strict=True)),
    }


@cache
def passed_gates(subjects: tuple[str, ...]) -> tuple[GateResult, ...]:
    judged = (run_gate(stage, tables) for stage, tables in stage_tables(subjects).items())
    return (*judged, passed_verdict())


def write_release(folder: Path, subjects: Sequence[str] = SUBJECTS) -> Path:
    """A sound release of some patients; returns its folder."""
    figures = []
    for subject_id in subjects:
        sessions, questions = patient_sessions(subject_id), patient_questions(subject_id)
        stage_patient(folder, sessions, questions)
        figures.append(measure_patient(sessions.timeline, questions.benchmark))
    gates = passed_gates(tuple(sorted(subjects)))
    finish_release(folder, release_facts(), summarise_release(figures), gates)
    return folder
