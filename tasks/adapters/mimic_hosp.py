"""Reads hosp/ alone: one record a hospital stay, for the generator of notes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, datetime
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any, Generic, TypeVar

from tasks.adapters.mimic_checks import check_codes
from tasks.adapters.mimic_database import MimicDatabase, linked_by_ids, open_database
from tasks.adapters.mimic_files import locate_hosp
from tasks.adapters.mimic_inspection import inspect_files

Item = TypeVar("Item")

_EVERYONE = 1 << 62


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


def read_hosp_stays(mimic: Path, workdir: Path, option: str) -> Iterator[HospStay]:
    """All stays of ``mimic/hosp`` by subject_id, admittime, hadm_id; note/ isn't looked at.

    One pass over each file. ``workdir`` takes spill files, removed after the last stay. Raises
    SourceError for files that can't be used; ``option`` is how the user gave ``mimic``.
    """
    files = inspect_files(locate_hosp(mimic, option))
    with open_database(files, workdir) as database:
        database.load_keys()
        database.execute("cohort/candidates.sql", subject_ids=[], candidate_limit=_EVERYONE)
        database.load_side_by_side(
            ("microbiologyevents",),
            ("d_icd_diagnoses", "d_icd_procedures", "diagnoses_icd", "procedures_icd"),
        )
        check_codes(database)
        yield from _stays(database)


def _stays(database: MimicDatabase) -> Iterator[HospStay]:
    diagnoses = _BySubject(database, "bundles/diagnoses.sql", HospDiagnosis)
    procedures = _BySubject(database, "bundles/procedures.sql", _procedure)
    microbiology = _BySubject(database, "bundles/microbiology.sql", _microbiology)
    for row in database.stream("hosp/stays.sql", linked_by_ids(_unfinished_stay)):
        key = (row.subject_id, row.hadm_id)
        yield row.item(
            subject_id=str(row.subject_id),
            hadm_id=str(row.hadm_id),
            diagnoses=diagnoses.of(*key),
            procedures=procedures.of(*key),
            microbiology=microbiology.of(*key),
        )


class _BySubject(Generic[Item]):
    """Walks a query ordered by subject_id beside the stays, one patient in memory."""

    def __init__(self, database: MimicDatabase, sql: str, build: Callable[..., Item]) -> None:
        rows = database.stream(sql, linked_by_ids(build), patient=None)
        self._groups = groupby(rows, key=lambda row: row.subject_id)
        self._subject = -1
        self._items: dict[int, list[Item]] = {}

    def of(self, subject_id: int, hadm_id: int) -> tuple[Item, ...]:
        """The admission's items; patients must be asked for in ascending order."""
        while self._subject < subject_id:
            self._subject, rows = next(self._groups, (_EVERYONE, iter(())))
            self._items = {}
            for row in rows:
                self._items.setdefault(row.hadm_id, []).append(row.item)
        return tuple(self._items.get(hadm_id, ())) if self._subject == subject_id else ()


def _unfinished_stay(**fields: Any) -> Callable[..., HospStay]:
    return partial(HospStay, **fields)


def _procedure(normalized_time: datetime, time_provenance: str, **fields: Any) -> HospProcedure:
    return HospProcedure(**fields)


def _microbiology(
    normalized_time: datetime, time_provenance: str, **fields: Any
) -> HospMicrobiology:
    return HospMicrobiology(**fields)
