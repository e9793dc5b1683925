"""Chooses the cohort and says what was left out (spec section 3, docs/reading-mimic.md)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from itertools import groupby
from pathlib import Path
from typing import Literal

from tasks.adapters.mimic_checks import check_codes, check_completeness
from tasks.adapters.mimic_database import MimicDatabase, open_database
from tasks.adapters.mimic_inspection import InspectedFile
from tasks.contracts.build import CohortRequest, SkipCount, SkippedItem, SourceFileInfo
from tasks.contracts.errors import SettingError
from tasks.contracts.records import AdmissionBundle, PatientContext
from tasks.ehr.bundles import CohortPatient, patient_bundles
from tasks.ehr.oddities import Oddity
from tasks.ehr.stays import RecordedAdmission, death_is_contradicted, sort_out_stays

_FEWEST_USABLE = 2
_CANDIDATES_PER_PATIENT = 10
_FEWEST_CANDIDATES = 1000
_LINKED_TABLES = (
    "discharge",
    "radiology",
    "diagnoses_icd",
    "procedures_icd",
    "microbiologyevents",
)


@dataclass(frozen=True)
class Cohort:
    """The patients to build, in cohort order, and everything that was left out."""

    patients: tuple[CohortPatient, ...]
    skipped: tuple[SkippedItem, ...]
    skip_counts: tuple[SkipCount, ...]
    oddities: Counter[Oddity]
    files: tuple[SourceFileInfo, ...]
    eligible_patients: int
    eligible_admissions: int
    _database: MimicDatabase = field(repr=False)

    def bundles(self, patient: CohortPatient) -> Iterator[tuple[AdmissionBundle, PatientContext]]:
        """The patient's usable admissions in time order; only while the cohort is open."""
        return patient_bundles(self._database, patient)


@contextmanager
def open_cohort(
    files: Sequence[InspectedFile], request: CohortRequest, workdir: Path
) -> Generator[Cohort]:
    """Read the source once, choose the cohort and keep its rows until the block ends.

    ``workdir`` takes spill files, removed at the end. Raises SourceError for records that can't
    be read and SettingError for patients asked for that don't exist or aren't eligible.
    """
    asked = _asked_ids(request)
    with open_database(files, workdir) as database:
        database.load_keys()
        limit = len(asked) or max(_FEWEST_CANDIDATES, _CANDIDATES_PER_PATIENT * request.patients)
        _load_candidates(database, asked, limit)
        patients = _choose(database, request, asked)
        if not all(patient.candidate for patient in patients):
            # Ranked by all admissions, some of the cohort's patients stood too far down.
            _load_candidates(database, [int(p.subject_id) for p in patients], len(patients))
        yield _sort_out(database, patients)


@dataclass(frozen=True)
class _RankedPatient:
    subject_id: str
    eligible_admissions: int
    gender: Literal["F", "M", ""]
    anchor_age: int | None
    anchor_year: int | None
    dod: date | None
    candidate: bool


@dataclass(frozen=True)
class _AskedPatient:
    subject_id: str
    known: bool
    eligible_admissions: int


@dataclass(frozen=True)
class _Totals:
    eligible_patients: int
    eligible_admissions: int


@dataclass(frozen=True)
class _Skipped:
    reason: str
    skipped: int
    table_name: str = ""


def _asked_ids(request: CohortRequest) -> list[int]:
    for subject_id in request.subject_ids:
        if not (subject_id.isascii() and subject_id.isdigit() and len(subject_id) <= 18):
            raise SettingError(
                f"--subject-id {subject_id}: expected a whole number such as 10000032"
            )
    return sorted({int(subject_id) for subject_id in request.subject_ids})


def _load_candidates(database: MimicDatabase, subject_ids: list[int], limit: int) -> None:
    database.execute("cohort/candidates.sql", subject_ids=subject_ids, candidate_limit=limit)
    database.load_side_by_side(
        ("discharge",),
        (
            "d_icd_diagnoses",
            "d_icd_procedures",
            "diagnoses_icd",
            "procedures_icd",
            "microbiologyevents",
            "radiology",
        ),
    )
    database.refuse_conflicts("cohort/note_conflicts.sql")
    check_codes(database)
    check_completeness(database)


def _choose(
    database: MimicDatabase, request: CohortRequest, asked: list[int]
) -> list[_RankedPatient]:
    database.execute("cohort/eligible_admissions.sql")
    database.execute("cohort/eligible_patients.sql", minimum_admissions=request.minimum_admissions)
    if asked:
        _refuse_unusable(database, asked, request.minimum_admissions)
    database.execute(
        "cohort/cohort.sql", subject_ids=asked, patients=len(asked) or request.patients
    )
    return database.query("cohort/cohort_patients.sql", _RankedPatient)


def _refuse_unusable(database: MimicDatabase, asked: list[int], minimum: int) -> None:
    rows = database.query("cohort/asked_patients.sql", _AskedPatient, subject_ids=asked)
    unknown = [row.subject_id for row in rows if not row.known]
    if unknown:
        raise SettingError(
            f"--subject-id {', '.join(unknown)}: no such patient in hosp/patients; give ids of "
            "this source"
        )
    short = [row for row in rows if row.eligible_admissions < minimum]
    if short:
        found = ", ".join(f"{row.subject_id} ({row.eligible_admissions})" for row in short)
        raise SettingError(
            f"--subject-id {found}: fewer than {minimum} admissions with a discharge note (the "
            "number found in brackets); leave these patients out"
        )


def _sort_out(database: MimicDatabase, ranked: list[_RankedPatient]) -> Cohort:
    patients: list[CohortPatient] = []
    skipped: list[SkippedItem] = []
    oddities: Counter[Oddity] = Counter()
    admissions = {
        subject_id: list(rows)
        for subject_id, rows in groupby(
            database.query("cohort/cohort_admissions.sql", RecordedAdmission),
            key=lambda row: row.subject_id,
        )
    }
    for row in ranked:
        recorded = admissions[row.subject_id]
        stays = sort_out_stays(recorded, row.dod)
        oddities.update(("patients", code) for code in _patient_oddities(row, recorded))
        without_note = {one.hadm_id for one in recorded if not one.eligible}
        skipped += [
            _item(row, left.hadm_id, left.reason, eligible=left.hadm_id not in without_note)
            for left in stays.left_out
        ]
        if len(stays.usable) < _FEWEST_USABLE:
            skipped += [_item(row, stay.hadm_id, "patient_set_aside") for stay in stays.usable]
            skipped.append(_item(row, row.subject_id, "fewer_than_two_usable_admissions"))
            continue
        patients.append(
            CohortPatient(
                subject_id=row.subject_id,
                eligible_admissions=row.eligible_admissions,
                gender=row.gender,
                anchor_age=row.anchor_age,
                anchor_year=row.anchor_year,
                dod=row.dod,
                stays=stays.usable,
            )
        )
    totals = database.query("cohort/source_totals.sql", _Totals)[0]
    return Cohort(
        patients=tuple(patients),
        skipped=tuple(skipped),
        skip_counts=_skip_counts(database, skipped),
        oddities=oddities,
        files=database.file_infos(),
        eligible_patients=totals.eligible_patients,
        eligible_admissions=totals.eligible_admissions,
        _database=database,
    )


def _patient_oddities(
    patient: _RankedPatient, admissions: Sequence[RecordedAdmission]
) -> Iterator[str]:
    if not patient.gender:
        yield "gender_not_recorded"
    if patient.anchor_age is None or patient.anchor_year is None:
        yield "age_not_recorded"
    if death_is_contradicted(admissions, patient.dod):
        yield "contradicting_death"


def _item(
    patient: _RankedPatient, item_id: str, reason: str, *, eligible: bool = True
) -> SkippedItem:
    return SkippedItem(
        id=item_id,
        subject_id=patient.subject_id,
        stage="bundles",
        outcome="skipped",
        reason=reason,
        eligible=eligible,
    )


def _skip_counts(database: MimicDatabase, skipped: Sequence[SkippedItem]) -> tuple[SkipCount, ...]:
    # Counted over the whole source, but every admission under the one reason it is listed with.
    listed_otherwise = sum(
        not item.eligible and item.reason != "no_discharge_note" for item in skipped
    )
    taken_off = {"no_discharge_note": listed_otherwise}
    counts = [
        SkipCount(table=row.table_name, reason=row.reason, count=number)
        for row in database.query("cohort/skipped_keys.sql", _Skipped)
        if (number := row.skipped - taken_off.get(row.reason, 0))
    ]
    for table in _LINKED_TABLES:
        rows = database.query("cohort/skipped_links.sql", _Skipped, table_name=table)
        counts += [SkipCount(table=table, reason=r.reason, count=r.skipped) for r in rows]
    stays = Counter(item.reason for item in skipped if item.id != item.subject_id)
    # Admissions without a note are counted over the whole source, by skipped_keys.sql.
    del stays["no_discharge_note"]
    counts += [SkipCount(table="admissions", reason=r, count=n) for r, n in stays.items()]
    return tuple(sorted(counts, key=lambda count: (count.table, count.reason)))
