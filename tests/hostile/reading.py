"""A small sound tree that holds what trips readers, and what reading a tree comes to."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tasks.adapters.workspace import Workspace
from tasks.contracts.build import CohortRequest
from tasks.contracts.errors import UserError
from tasks.ehr.staging import stage_cohort
from tasks.ehr.steps import read_inputs
from tests.factories.mimic_tree import (
    NOTE_TEXT,
    TABLES,
    Rows,
    mimic_row,
    patient,
    with_stay,
    write_mimic_tree,
)

MARK = "Zebrafish"
"""Stands in every text and label of the sound tree; no message may hold it."""

HARD_TEXT = (
    f'{MARK} said "x",\n"",\n# a hash line\n\\ backslash\na,b,c,d,e,f,g,h\nhalf\rway\r\n'
    f"naïve 体温 \t{NOTE_TEXT}"
)

Edit = Callable[[bytes], bytes]


@dataclass(frozen=True)
class Read:
    """What was staged: (subject_id, hadm_id, digest of the record) each, and counts."""

    records: tuple[tuple[str, str, str], ...]
    left_out: tuple[tuple[str, str, int], ...]
    decimal_ids: int


def write_sound_tree(root: Path) -> Path:
    """Three patients with hard texts, padded and zero-led codes, rows outside stays."""
    owner = with_stay(
        patient(1),
        1,
        notes=(HARD_TEXT, f"{MARK} addendum"),
        reports=(HARD_TEXT,),
        diagnoses=(("0042", "9"), ("042", "9"), ("4280   ", "9"), ("Z9999X", "10"), ("486", "9")),
        procedures=(("0331", "9"), ("0210093", "10")),
        cultures=(f"URINE {MARK}", "BLOOD CULTURE"),
    )
    titles = (("0042", "9"), ("042", "9"), ("4280", "9"), ("V100", "9"), ("V100", "10"))
    extra: dict[str, Rows] = {
        "d_icd_diagnoses": [_title("d_icd_diagnoses", *code) for code in titles],
        "d_icd_procedures": [_title("d_icd_procedures", "0210093", "10")],
        "radiology": [
            mimic_row(
                "radiology",
                note_id="90000003-RR-9",
                subject_id="90000003",
                note_type="RR",
                note_seq="9",
                charttime="2150-06-01 10:15:00",
                text=f"{MARK} outpatient",
            )
        ],
        "microbiologyevents": [
            mimic_row(
                "microbiologyevents",
                microevent_id="901",
                subject_id="90000003",
                chartdate="2150-06-01 00:00:00",
                test_name=MARK,
            )
        ],
    }
    return write_mimic_tree(root, [owner, patient(2, dod="2161-05-03"), patient(3)], extra)


def path_of(root: Path, table: str) -> Path:
    """The table's file, .csv or .csv.gz."""
    plain = root / TABLES[table].folder / f"{table}.csv"
    return plain if plain.exists() else plain.with_name(f"{table}.csv.gz")


def change(root: Path, table: str, edit: Edit, *, zipped: bool = False) -> str:
    """Edit a table's content, before it is compressed; returns the file's name in messages."""
    path = path_of(root, table)
    content = edit(path.read_bytes())
    if zipped:
        path.unlink()
        path = path.with_name(f"{table}.csv.gz")
        content = gzip.compress(content, 1, mtime=0)
    path.write_bytes(content)
    return f"{TABLES[table].folder}/{path.name}"


def change_all(
    root: Path, edit: Edit, tables: Iterable[str] = tuple(TABLES), *, zipped: bool = False
) -> None:
    """Edit several tables' content."""
    for table in tables:
        change(root, table, edit, zipped=zipped)


def read(mimic: Path, out: Path, note: Path | None = None) -> Read:
    """Read a tree as a build does, up to the staged records."""
    notes = mimic / "note" if note is None else note
    inputs = read_inputs.fn(str(mimic), str(notes))
    build = stage_cohort(mimic, notes, inputs, CohortRequest(), Workspace(out=str(out)))
    return Read(
        records=tuple(
            (ref.subject_id, ref.hadm_id or "", ref.sha256)
            for plan in build.patients
            for ref in plan.bundles
        ),
        left_out=tuple((count.table, count.reason, count.count) for count in build.skip_counts),
        decimal_ids=sum(file.decimal_ids for file in build.files),
    )


def refusal(mimic: Path, out: Path, note: Path | None = None) -> str:
    """The one message of a tree that is refused; it holds no text of the tree."""
    with pytest.raises(UserError) as caught:
        read(mimic, out, note)
    message = str(caught.value)
    assert MARK.casefold() not in message.casefold()
    assert caught.value.__suppress_context__ or caught.value.__context__ is None
    return message


def _title(table: str, code: str, version: str) -> dict[str, str]:
    return mimic_row(
        table, icd_code=code, icd_version=version, long_title=f"{MARK} {code} v{version}"
    )
