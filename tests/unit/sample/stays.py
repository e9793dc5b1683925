"""Stays with defaults for tests of the storyteller."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from tasks.adapters.mimic_hosp import HospDiagnosis, HospMicrobiology, HospProcedure, HospStay

ADMITTED = datetime(2150, 6, 1, 9, 0)

_STAY = HospStay(
    subject_id="90000001",
    hadm_id="80000001",
    gender="F",
    age=60,
    dod=None,
    admittime=ADMITTED,
    dischtime=ADMITTED + timedelta(days=4),
    deathtime=None,
    died=False,
    admission_type="EW EMER.",
    admission_location="EMERGENCY ROOM",
    discharge_location="HOME",
    diagnoses=(),
    procedures=(),
    microbiology=(),
)


def make_stay(
    *diagnoses: tuple[str, int, str],
    procedures: tuple[HospProcedure, ...] = (),
    microbiology: tuple[HospMicrobiology, ...] = (),
    hadm_id: str = "80000001",
    start: datetime = ADMITTED,
    days: float = 4,
    died: bool = False,
) -> HospStay:
    """A stay whose diagnoses are given as code, version and title."""
    rows = tuple(
        HospDiagnosis(number, code, version, title)
        for number, (code, version, title) in enumerate(diagnoses, start=1)
    )
    end = start + timedelta(days=days)
    return replace(
        _STAY,
        hadm_id=hadm_id,
        admittime=start,
        dischtime=end,
        deathtime=end if died else None,
        died=died,
        discharge_location="DIED" if died else "HOME",
        diagnoses=rows,
        procedures=procedures,
        microbiology=microbiology,
    )


def culture_row(
    *, org: str = "", ab: str = "", letter: str = "", comments: str = "", hour: int = 11
) -> HospMicrobiology:
    """A row of a urine culture on the first day."""
    return HospMicrobiology(
        chartdate=ADMITTED.date(),
        charttime=ADMITTED.replace(hour=hour),
        spec_type_desc="URINE",
        test_name="URINE CULTURE",
        org_name=org,
        ab_name=ab,
        interpretation=letter,
        comments=comments,
    )
