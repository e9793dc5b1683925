"""Factories of whole, sound releases and of the tables of their gates."""

from __future__ import annotations

from collections.abc import Sequence
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
from tasks.contracts.clock import parse_time
from tasks.contracts.release import ReleaseFacts
from tasks.gates.suites import run_gate
from tasks.gates.tables.bundles import bundle_tables
from tasks.gates.tables.cohort import cohort_tables
from tasks.gates.tables.dialogues import dialogue_tables
from tasks.gates.tables.questions import question_tables
from tasks.gates.tables.source import source_tables
from tasks.gates.tables.timelines import timeline_tables
from tasks.release.statistics import measure_patient, summarise_release
from tasks.release.writing import finish_release, stage_patient
from tests.factories.audits import passed_verdict
from tests.factories.released_patients import (
    FIRST_STAY,
    SECOND_STAY,
    SUBJECTS,
    hadm_ids,
    patient_sessions,
)
from tests.factories.released_questions import (
    patient_questions,
)

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
