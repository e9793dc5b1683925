"""Puts one patient's rows together into admission bundles (spec section 4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Literal, TypeVar

from tasks.adapters.mimic_database import MimicDatabase, linked_by_ids
from tasks.contracts.records import (
    AdmissionBundle,
    Diagnosis,
    DischargeNote,
    MicrobiologyEvent,
    PatientContext,
    Procedure,
    RadiologyNote,
    TimingRules,
)
from tasks.ehr.stays import Stay

Item = TypeVar("Item")

_DIAGNOSIS_WINDOW = timedelta(hours=1)


@dataclass(frozen=True)
class CohortPatient:
    """A patient of the cohort; ``stays`` are the usable admissions in time order."""

    subject_id: str
    eligible_admissions: int
    gender: Literal["F", "M", ""]
    anchor_age: int | None
    anchor_year: int | None
    dod: date | None
    stays: tuple[Stay, ...]


@dataclass(frozen=True)
class BilledDiagnosis:
    """A diagnosis before it gets a time."""

    seq_num: int
    icd_code: str
    icd_version: int
    long_title: str


def patient_bundles(
    database: MimicDatabase, patient: CohortPatient
) -> Iterator[tuple[AdmissionBundle, PatientContext]]:
    """The patient's admissions in time order; ``previous_admission_summary`` is still null."""

    def rows(section: str, build: Callable[..., Item]) -> dict[str, list[Item]]:
        found: dict[str, list[Item]] = {}
        sql = f"bundles/{section}.sql"
        for row in database.stream(sql, linked_by_ids(build), patient=int(patient.subject_id)):
            found.setdefault(str(row.hadm_id), []).append(row.item)
        return found

    discharge_notes = rows("discharge_notes", DischargeNote)
    radiology_notes = rows("radiology_notes", RadiologyNote)
    diagnoses = rows("diagnoses", BilledDiagnosis)
    procedures = rows("procedures", Procedure)
    microbiology = rows("microbiology", MicrobiologyEvent)
    for stay in patient.stays:
        bundle = AdmissionBundle(
            subject_id=patient.subject_id,
            hadm_id=stay.hadm_id,
            admission_start=stay.start,
            admission_end=stay.end,
            previous_admission_summary=None,
            discharge_notes=tuple(discharge_notes.get(stay.hadm_id, ())),
            radiology_notes=tuple(radiology_notes.get(stay.hadm_id, ())),
            diagnoses=anchor_diagnoses(diagnoses.get(stay.hadm_id, ()), stay.start, stay.end),
            procedures=tuple(procedures.get(stay.hadm_id, ())),
            microbiology=tuple(microbiology.get(stay.hadm_id, ())),
            timing_rules=_timing_rules(stay),
        )
        yield bundle, _context(patient, stay)


def anchor_diagnoses(
    diagnoses: Sequence[BilledDiagnosis], start: datetime, end: datetime
) -> tuple[Diagnosis, ...]:
    """Give diagnoses times in the last min(1 h, stay) before ``end``, evenly spaced.

    n diagnoses cut the window into n + 1 equal parts, so none falls on its bounds; seconds are
    rounded down.
    """
    window = min(_DIAGNOSIS_WINDOW, end - start)
    seconds = int(window.total_seconds())
    parts = len(diagnoses) + 1
    return tuple(
        Diagnosis(
            seq_num=diagnosis.seq_num,
            icd_code=diagnosis.icd_code,
            icd_version=diagnosis.icd_version,
            long_title=diagnosis.long_title,
            normalized_time=end - window + timedelta(seconds=seconds * place // parts),
            time_provenance="discharge_phase_anchor",
        )
        for place, diagnosis in enumerate(diagnoses, start=1)
    )


def age_at(admission: datetime, anchor_age: int | None, anchor_year: int | None) -> int | None:
    """Age in years at an admission; null where ``patients`` lacks age or year."""
    if anchor_age is None or anchor_year is None:
        return None
    return anchor_age + admission.year - anchor_year


def _timing_rules(stay: Stay) -> TimingRules:
    window = min(_DIAGNOSIS_WINDOW, stay.end - stay.start)
    return TimingRules(
        admission_end_source=stay.end_source,
        conversation_end=stay.conversation_end,
        diagnosis_window_minutes=int(window.total_seconds()) // 60,
    )


def _context(patient: CohortPatient, stay: Stay) -> PatientContext:
    return PatientContext(
        gender=patient.gender,
        age_years=age_at(stay.start, patient.anchor_age, patient.anchor_year),
        died_in_hospital=stay.died,
    )
