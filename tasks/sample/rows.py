"""Rows of MIMIC's tables: one dataclass a table, its fields named and ordered like the columns."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields
from typing import Any


@dataclass(frozen=True)
class PatientRow:
    """``hosp/patients``."""

    subject_id: int
    gender: str
    anchor_age: int
    anchor_year: int
    anchor_year_group: str
    dod: str


@dataclass(frozen=True)
class AdmissionRow:
    """``hosp/admissions``."""

    subject_id: int
    hadm_id: int
    admittime: str
    dischtime: str
    deathtime: str
    admission_type: str
    admit_provider_id: str
    admission_location: str
    discharge_location: str
    insurance: str
    language: str
    marital_status: str
    race: str
    edregtime: str
    edouttime: str
    hospital_expire_flag: int


@dataclass(frozen=True)
class DiagnosisRow:
    """``hosp/diagnoses_icd``."""

    subject_id: int
    hadm_id: int
    seq_num: int
    icd_code: str
    icd_version: int


@dataclass(frozen=True)
class ProcedureRow:
    """``hosp/procedures_icd``."""

    subject_id: int
    hadm_id: int
    seq_num: int
    chartdate: str
    icd_code: str
    icd_version: int


@dataclass(frozen=True)
class IcdTitleRow:
    """``hosp/d_icd_diagnoses`` and ``hosp/d_icd_procedures``."""

    icd_code: str
    icd_version: int
    long_title: str


@dataclass(frozen=True)
class MicrobiologyRow:
    """``hosp/microbiologyevents``."""

    microevent_id: int
    subject_id: int
    hadm_id: str
    micro_specimen_id: int
    order_provider_id: str
    chartdate: str
    charttime: str
    spec_itemid: str
    spec_type_desc: str
    test_seq: int
    storedate: str
    storetime: str
    test_itemid: str
    test_name: str
    org_itemid: str
    org_name: str
    isolate_num: str
    quantity: str
    ab_itemid: str
    ab_name: str
    dilution_text: str
    dilution_comparison: str
    dilution_value: str
    interpretation: str
    comments: str


@dataclass(frozen=True)
class NoteRow:
    """``note/discharge`` and ``note/radiology``."""

    note_id: str
    subject_id: int
    hadm_id: str
    note_type: str
    note_seq: int
    charttime: str
    storetime: str
    text: str


@dataclass(frozen=True)
class PatientRows:
    """All hosp/ rows of one patient, admissions in time order."""

    patient: PatientRow
    admissions: tuple[AdmissionRow, ...]
    diagnoses: tuple[DiagnosisRow, ...]
    procedures: tuple[ProcedureRow, ...]
    microbiology: tuple[MicrobiologyRow, ...]


@dataclass(frozen=True)
class PatientNotes:
    """All note/ rows of one patient."""

    discharge: tuple[NoteRow, ...]
    radiology: tuple[NoteRow, ...]


@dataclass(frozen=True)
class SamplePatient:
    """One invented patient: its index in the sample and all its rows."""

    index: int
    hosp: PatientRows
    notes: PatientNotes


def to_csv(row_type: type[Any], rows: Sequence[Any]) -> bytes:
    """The rows as CSV with a header line, quoted where needed, lines ended by LF."""
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(column_names(row_type))
    writer.writerows(astuple(row) for row in rows)
    return stream.getvalue().encode("utf-8")


def column_names(row_type: type[Any]) -> tuple[str, ...]:
    """The table's columns in order."""
    return tuple(field.name for field in fields(row_type))
