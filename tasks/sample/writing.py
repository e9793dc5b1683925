"""Writes synthetic data in MIMIC's shape: whole samples, or notes for an existing hosp/."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from tasks.adapters.files import sha256_file
from tasks.adapters.mimic_hosp import read_hosp_stays
from tasks.contracts.errors import SettingError
from tasks.sample.lookup import Catalogue, load_catalogue
from tasks.sample.notes import write_notes
from tasks.sample.population import invent_patient
from tasks.sample.quirks import with_quirks
from tasks.sample.rows import (
    AdmissionRow,
    DiagnosisRow,
    IcdTitleRow,
    MicrobiologyRow,
    NoteRow,
    PatientNotes,
    PatientRow,
    ProcedureRow,
    SamplePatient,
    to_csv,
)
from tasks.sample.stays import diagnosis_titles, hosp_stays, procedure_titles

MOST_PATIENTS = 50_000
DATA_CLASS_FILE = "DATA_CLASS"
_DATA_CLASS = b"synthetic\n"


@dataclass(frozen=True)
class SampleFile:
    """One table written: its path below the sample and its number of records."""

    name: str
    rows: int


@dataclass(frozen=True)
class SampleReport:
    """What was written, and where."""

    folder: Path
    files: tuple[SampleFile, ...]


@dataclass(frozen=True)
class _Table:
    name: str
    row_type: type[Any]
    rows: Sequence[Any]


def write_sample(
    out: Path, *, patients: int, seed: int, quirks: bool = False, scale: float = 1.0
) -> SampleReport:
    """Write OUT/hosp and OUT/note for invented patients.

    The same arguments give the same bytes, and a patient's rows don't depend on how many others
    there are. ``scale`` multiplies the mean number of admissions. Raises SettingError for
    arguments out of range and for other data in OUT/hosp or OUT/note.
    """
    _check_range("patients", patients, 1, MOST_PATIENTS)
    _check_range("scale", scale, 0.01, 100)
    catalogue = load_catalogue()
    people: list[SamplePatient] = []
    for index in range(patients):
        rows = invent_patient(index, seed, scale, catalogue)
        written = write_notes(hosp_stays(rows, catalogue), catalogue, seed)
        patient = SamplePatient(index, rows, written)
        people.append(with_quirks(patient, seed) if quirks else patient)
    people.sort(key=lambda patient: patient.hosp.patient.subject_id)
    return _publish(out, _sample_tables(people, catalogue))


def write_notes_for(mimic: Path, out: Path, *, seed: int) -> SampleReport:
    """Write OUT/note for the stays of MIMIC/hosp, from their diagnoses, procedures and cultures.

    Raises SourceError where MIMIC/hosp can't be read, SettingError for other data in OUT/note.
    """
    catalogue = load_catalogue()
    written: list[PatientNotes] = []
    with tempfile.TemporaryDirectory(prefix="anamnesis-notes-") as workdir:
        stays = read_hosp_stays(mimic, Path(workdir), "--notes-for")
        for _, group in groupby(stays, key=lambda stay: stay.subject_id):
            written.append(write_notes(tuple(group), catalogue, seed))
    return _publish(out, _note_tables(written))


def _sample_tables(people: Sequence[SamplePatient], catalogue: Catalogue) -> tuple[_Table, ...]:
    hosp = [patient.hosp for patient in people]
    return (
        _Table("hosp/patients.csv", PatientRow, [r.patient for r in hosp]),
        _Table("hosp/admissions.csv", AdmissionRow, [x for r in hosp for x in r.admissions]),
        _Table("hosp/diagnoses_icd.csv", DiagnosisRow, [x for r in hosp for x in r.diagnoses]),
        _Table("hosp/procedures_icd.csv", ProcedureRow, [x for r in hosp for x in r.procedures]),
        _Table("hosp/d_icd_diagnoses.csv", IcdTitleRow, diagnosis_titles(catalogue)),
        _Table("hosp/d_icd_procedures.csv", IcdTitleRow, procedure_titles(catalogue)),
        _Table(
            "hosp/microbiologyevents.csv",
            MicrobiologyRow,
            [x for r in hosp for x in r.microbiology],
        ),
        *_note_tables([patient.notes for patient in people]),
    )


def _note_tables(written: Sequence[PatientNotes]) -> tuple[_Table, ...]:
    return (
        _Table("note/discharge.csv", NoteRow, [x for n in written for x in n.discharge]),
        _Table("note/radiology.csv", NoteRow, [x for n in written for x in n.radiology]),
    )


def _check_range(name: str, value: float, low: float, high: float) -> None:
    if not low <= value <= high:
        raise SettingError(f"--{name} is {value}; give a number from {low} to {high}")


def _publish(out: Path, tables: Sequence[_Table]) -> SampleReport:
    """Stage the tables beside their place, then move each folder there as a whole."""
    with _staging(out) as staging:
        for table in tables:
            path = staging / table.name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(to_csv(table.row_type, table.rows))
            (path.parent / DATA_CLASS_FILE).write_bytes(_DATA_CLASS)
        folders = sorted(path.name for path in staging.iterdir())
        wanted = [name for name in folders if not _is_there(staging / name, out / name)]
        for name in wanted:
            target = out / name
            if target.is_dir():
                target.rmdir()
            (staging / name).rename(target)
    return SampleReport(out, tuple(SampleFile(t.name, len(t.rows)) for t in tables))


@contextmanager
def _staging(out: Path) -> Generator[Path]:
    try:
        out.mkdir(parents=True, exist_ok=True)
        staging = Path(tempfile.mkdtemp(prefix=".sample-", dir=out))
    except OSError as error:
        raise SettingError(
            f"--out {out} can't be written to ({error.strerror}); give a folder that can"
        ) from None
    try:
        yield staging
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def _is_there(new: Path, target: Path) -> bool:
    """Whether the same files stand at the target; raises SettingError where others do."""
    if not target.exists():
        return False
    present = sorted(p.name for p in target.iterdir()) if target.is_dir() else ["a file"]
    if not present:
        return False
    same = present == sorted(p.name for p in new.iterdir()) and all(
        sha256_file(target / name) == sha256_file(new / name) for name in present
    )
    if not same:
        raise SettingError(
            f"{target} already holds other data; give an empty --out, or remove that folder"
        )
    return True
