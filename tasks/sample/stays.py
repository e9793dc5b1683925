"""Invented rows as the stays that notes are written for."""

from __future__ import annotations

from collections.abc import Mapping

from tasks.adapters.mimic_hosp import (
    HospDiagnosis,
    HospMicrobiology,
    HospProcedure,
    HospStay,
)
from tasks.contracts.clock import parse_date, parse_time
from tasks.sample.lookup import Catalogue
from tasks.sample.rows import AdmissionRow, IcdTitleRow, MicrobiologyRow, PatientRows

Titles = Mapping[tuple[int, str], str]


def diagnosis_titles(catalogue: Catalogue) -> tuple[IcdTitleRow, ...]:
    """``d_icd_diagnoses``: every code of the catalogue, by version and code."""
    codes = {(c.version, c.code): c.title for x in catalogue.conditions.values() for c in x.codes}
    return tuple(IcdTitleRow(code, version, title) for (version, code), title in _by_key(codes))


def procedure_titles(catalogue: Catalogue) -> tuple[IcdTitleRow, ...]:
    """``d_icd_procedures``: every code of the catalogue, by version and code."""
    codes = {(c.version, c.code): c.title for x in catalogue.procedures.values() for c in x.codes}
    return tuple(IcdTitleRow(code, version, title) for (version, code), title in _by_key(codes))


def hosp_stays(rows: PatientRows, catalogue: Catalogue) -> tuple[HospStay, ...]:
    """A patient's stays in time order."""
    diagnoses = {(r.icd_version, r.icd_code): r.long_title for r in diagnosis_titles(catalogue)}
    procedures = {(r.icd_version, r.icd_code): r.long_title for r in procedure_titles(catalogue)}
    return tuple(_stay(a, rows, diagnoses, procedures) for a in rows.admissions)


def _stay(
    admission: AdmissionRow, rows: PatientRows, diagnoses: Titles, procedures: Titles
) -> HospStay:
    admitted = parse_time(admission.admittime)
    hadm_id = str(admission.hadm_id)
    patient = rows.patient
    return HospStay(
        subject_id=str(admission.subject_id),
        hadm_id=hadm_id,
        gender=patient.gender,
        age=patient.anchor_age + admitted.year - patient.anchor_year,
        dod=parse_date(patient.dod) if patient.dod else None,
        admittime=admitted,
        dischtime=parse_time(admission.dischtime),
        deathtime=parse_time(admission.deathtime) if admission.deathtime else None,
        died=bool(admission.hospital_expire_flag),
        admission_type=admission.admission_type,
        admission_location=admission.admission_location,
        discharge_location=admission.discharge_location,
        diagnoses=tuple(
            HospDiagnosis(
                r.seq_num, r.icd_code, r.icd_version, diagnoses[r.icd_version, r.icd_code]
            )
            for r in rows.diagnoses
            if r.hadm_id == admission.hadm_id
        ),
        procedures=tuple(
            HospProcedure(
                r.seq_num,
                parse_date(r.chartdate),
                r.icd_code,
                r.icd_version,
                procedures[r.icd_version, r.icd_code],
            )
            for r in sorted(rows.procedures, key=lambda r: (r.chartdate, r.seq_num))
            if r.hadm_id == admission.hadm_id
        ),
        microbiology=tuple(_microbiology(r) for r in rows.microbiology if r.hadm_id == hadm_id),
    )


def _microbiology(row: MicrobiologyRow) -> HospMicrobiology:
    return HospMicrobiology(
        chartdate=parse_date(row.chartdate[: len("YYYY-MM-DD")]),
        charttime=parse_time(row.charttime) if row.charttime else None,
        spec_type_desc=row.spec_type_desc,
        test_name=row.test_name,
        org_name=row.org_name,
        ab_name=row.ab_name,
        interpretation=row.interpretation,
        comments=row.comments,
    )


def _by_key(codes: dict[tuple[int, str], str]) -> list[tuple[tuple[int, str], str]]:
    return sorted(codes.items())
