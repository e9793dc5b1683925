"""Oddities of hosp/ rows: times, deaths, links and codes."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from random import Random

from tasks.contracts.clock import format_time, parse_time
from tasks.sample.ids import DONOR_SLOT, hadm_id_of
from tasks.sample.rows import SamplePatient

_UNKNOWN_CODES = {9: "99999", 10: "Z9999X"}
_CODE_WIDTH = 7


def discharged_before_admission(patient: SamplePatient, rng: Random) -> SamplePatient:
    """Discharge some hours before admission, as clerks sometimes write it."""
    return _with_length(patient, timedelta(hours=-rng.randint(2, 12)))


def zero_length(patient: SamplePatient, rng: Random) -> SamplePatient:
    """A stay that ends the moment it begins."""
    del rng
    return _with_length(patient, timedelta())


def stay_after_death(patient: SamplePatient, rng: Random) -> SamplePatient:
    """A death in hospital, then a donor's stay one minute later that looks alive."""
    if len(patient.hosp.admissions) < 2:
        return patient
    last = patient.hosp.admissions[-1]
    death = parse_time(last.dischtime)
    begin = death + timedelta(minutes=1)
    dead = replace(
        last, deathtime=last.dischtime, discharge_location="DIED", hospital_expire_flag=1
    )
    donor = replace(
        last,
        hadm_id=hadm_id_of(patient.index, DONOR_SLOT),
        admittime=format_time(begin),
        dischtime=format_time(begin + timedelta(hours=rng.randint(8, 20))),
        deathtime="",
        admission_type="DIRECT EMER.",
        discharge_location="",
        edregtime="",
        edouttime="",
        hospital_expire_flag=0,
    )
    summary = patient.notes.discharge[-1]
    of_donor = replace(
        summary,
        note_id=f"{summary.subject_id}-DS-{summary.note_seq + 1}",
        hadm_id=str(donor.hadm_id),
        note_seq=summary.note_seq + 1,
        text="Organ donation after death. See operative record.\n",
    )
    of_death = replace(summary, text="Patient died. Family told.\n")
    hosp = replace(
        patient.hosp,
        patient=replace(patient.hosp.patient, dod=last.dischtime[:10]),
        admissions=(*patient.hosp.admissions[:-1], dead, donor),
    )
    summaries = (*patient.notes.discharge[:-1], of_death, of_donor)
    return replace(patient, hosp=hosp, notes=replace(patient.notes, discharge=summaries))


def unlinked_events(patient: SamplePatient, rng: Random) -> SamplePatient:
    """Radiology and microbiology rows without a stay, most of them inside one."""
    radiology = tuple(
        replace(note, hadm_id="") if rng.random() < 0.4 else note
        for note in patient.notes.radiology
    )
    specimens = sorted({row.micro_specimen_id for row in patient.hosp.microbiology})
    loose = set(rng.sample(specimens, (len(specimens) + 2) // 3))
    microbiology = tuple(
        replace(row, hadm_id="") if row.micro_specimen_id in loose else row
        for row in patient.hosp.microbiology
    )
    return replace(
        patient,
        hosp=replace(patient.hosp, microbiology=microbiology),
        notes=replace(patient.notes, radiology=radiology),
    )


def padded_codes(patient: SamplePatient, rng: Random) -> SamplePatient:
    """Codes filled up with blanks to a fixed width."""
    diagnoses = tuple(
        replace(row, icd_code=row.icd_code.ljust(_CODE_WIDTH)) if rng.random() < 0.3 else row
        for row in patient.hosp.diagnoses
    )
    return replace(patient, hosp=replace(patient.hosp, diagnoses=diagnoses))


def unknown_code(patient: SamplePatient, rng: Random) -> SamplePatient:
    """A code that the dictionary lacks."""
    del rng
    last = patient.hosp.diagnoses[-1]
    unknown = replace(last, seq_num=last.seq_num + 1, icd_code=_UNKNOWN_CODES[last.icd_version])
    diagnoses = (*patient.hosp.diagnoses, unknown)
    return replace(patient, hosp=replace(patient.hosp, diagnoses=diagnoses))


def repeated_diagnoses(patient: SamplePatient, rng: Random) -> SamplePatient:
    """Rows that stand twice."""
    rows = patient.hosp.diagnoses
    diagnoses = tuple(row for row in rows for _ in range(2 if rng.random() < 0.1 else 1))
    return replace(patient, hosp=replace(patient.hosp, diagnoses=(*diagnoses, rows[0])))


def date_only_cultures(patient: SamplePatient, rng: Random) -> SamplePatient:
    """Cultures whose time of day was never charted."""
    microbiology = tuple(
        replace(row, charttime="", storetime="") if rng.random() < 0.6 else row
        for row in patient.hosp.microbiology
    )
    return replace(patient, hosp=replace(patient.hosp, microbiology=microbiology))


def unknown_language(patient: SamplePatient, rng: Random) -> SamplePatient:
    """Attributes that nobody asked for."""
    del rng
    admissions = tuple(
        replace(row, language="?", marital_status="", race="UNABLE TO OBTAIN")
        for row in patient.hosp.admissions
    )
    return replace(patient, hosp=replace(patient.hosp, admissions=admissions))


def _with_length(patient: SamplePatient, length: timedelta) -> SamplePatient:
    """The patient with the first of at least three stays cut to a length."""
    admissions = patient.hosp.admissions
    if len(admissions) < 3:
        return patient
    ended = format_time(parse_time(admissions[0].admittime) + length)
    cut = replace(admissions[0], dischtime=ended)
    return replace(patient, hosp=replace(patient.hosp, admissions=(cut, *admissions[1:])))
