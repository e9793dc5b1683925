"""Reads hosp/ alone: one record a hospital stay, for the generator of notes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path


@dataclass(frozen=True)
class HospDiagnosis:
    """A billed diagnosis; the title is empty where the dictionary lacks the code."""

    seq_num: int
    icd_code: str
    icd_version: int
    long_title: str


@dataclass(frozen=True)
class HospProcedure:
    """A billed procedure; the title is empty where the dictionary lacks the code."""

    seq_num: int
    chartdate: date
    icd_code: str
    icd_version: int
    long_title: str


@dataclass(frozen=True)
class HospMicrobiology:
    """A microbiology row; text is empty where the source has none."""

    chartdate: date | None
    charttime: datetime | None
    spec_type_desc: str
    test_name: str
    org_name: str
    ab_name: str
    interpretation: str
    comments: str


@dataclass(frozen=True)
class HospStay:
    """One admission with its linked rows; ``died`` says that it ended with the patient's death.

    ``age`` is anchor_age + admission year - anchor_year, in years. Diagnoses are ordered by
    priority, procedures and microbiology by date.
    """

    subject_id: str
    hadm_id: str
    gender: str
    age: int | None
    dod: date | None
    admittime: datetime
    dischtime: datetime | None
    deathtime: datetime | None
    died: bool
    admission_type: str
    admission_location: str
    discharge_location: str
    diagnoses: tuple[HospDiagnosis, ...]
    procedures: tuple[HospProcedure, ...]
    microbiology: tuple[HospMicrobiology, ...]


def read_hosp_stays(mimic: Path, workdir: Path) -> Iterator[HospStay]:
    """All stays of ``mimic/hosp`` by subject_id, admittime, hadm_id; note/ isn't looked at.

    One pass over each file. ``workdir`` takes spill files, removed after the last stay. Raises
    SourceError for files that can't be used.
    """
    raise NotImplementedError
