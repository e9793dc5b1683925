"""Writes small MIMIC-shaped CSV trees: every field has a default, all content is invented."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tasks.adapters.mimic_tables import HOSP_TABLES, NOTE_TABLES

TABLES = {table.name: table for table in (*HOSP_TABLES, *NOTE_TABLES)}

NOTE_TEXT = """
Name:  ___                     Unit No:   ___

Admission Date:  ___              Discharge Date:   ___

Chief Complaint:
Cough

History of Present Illness:
___ with three days of cough, who said "it rattles, doctor".

Brief Hospital Course:
# Pneumonia:
Treated with made-up syrup 5 mg twice daily because of persistent cough.

Discharge Medications:
1. Made-up syrup 5 mg PO BID

Discharge Instructions:
Drink water.
"""

Rows = list[dict[str, str]]


@dataclass(frozen=True)
class TreeStay:
    """One admission; ``notes`` are texts of discharge notes, ``reports`` of radiology reports."""

    hadm_id: str
    admittime: str = "2150-06-01 09:00:00"
    dischtime: str = "2150-06-05 16:30:00"
    deathtime: str = ""
    hospital_expire_flag: str = "0"
    discharge_location: str = "HOME"
    notes: tuple[str, ...] = (NOTE_TEXT,)
    reports: tuple[str, ...] = ("EXAMINATION: Chest film.\n\nIMPRESSION: Clear.\n",)
    diagnoses: tuple[tuple[str, str], ...] = (("486", "9"), ("4019", "9"))
    procedures: tuple[tuple[str, str], ...] = (("0331", "9"),)
    cultures: tuple[str, ...] = ("URINE CULTURE",)


@dataclass(frozen=True)
class TreePatient:
    """One patient with its stays."""

    subject_id: str
    stays: tuple[TreeStay, ...]
    gender: str = "F"
    anchor_age: str = "60"
    anchor_year: str = "2150"
    dod: str = ""


def patient(number: int, stays: int = 2, **fields: str) -> TreePatient:
    """Patient 9000000N with admissions 8000NN01, 8000NN02, … a year apart from 2150."""
    return TreePatient(
        subject_id=str(90000000 + number),
        stays=tuple(
            TreeStay(
                hadm_id=str(80000000 + number * 100 + stay),
                admittime=f"{2149 + stay}-06-01 09:00:00",
                dischtime=f"{2149 + stay}-06-05 16:30:00",
            )
            for stay in range(1, stays + 1)
        ),
        **fields,
    )


def with_stay(owner: TreePatient, number: int, **fields: str | tuple[object, ...]) -> TreePatient:
    """The patient with fields of its stay ``number`` (from 1) changed."""
    stays = list(owner.stays)
    stays[number - 1] = replace(stays[number - 1], **fields)  # pyright: ignore[reportArgumentType]
    return replace(owner, stays=tuple(stays))


def mimic_row(table: str, **values: str) -> dict[str, str]:
    """A record of a table with every column; those not given are empty."""
    columns = TABLES[table].columns
    unknown = set(values) - set(columns)
    assert not unknown, f"{table} has no column {sorted(unknown)}"
    return {column: values.get(column, "") for column in columns}


def mimic_rows(patients: Sequence[TreePatient]) -> dict[str, Rows]:
    """The records of all nine tables."""
    rows: dict[str, Rows] = {name: [] for name in TABLES}
    for kind, titles in (("diagnoses", _DIAGNOSES), ("procedures", _PROCEDURES)):
        rows[f"d_icd_{kind}"] = [
            mimic_row(f"d_icd_{kind}", icd_code=code, icd_version=version, long_title=title)
            for code, version, title in titles
        ]
    for owner in patients:
        rows["patients"].append(
            mimic_row(
                "patients",
                subject_id=owner.subject_id,
                gender=owner.gender,
                anchor_age=owner.anchor_age,
                anchor_year=owner.anchor_year,
                dod=owner.dod,
            )
        )
        for stay in owner.stays:
            _add_stay(rows, owner.subject_id, stay)
    return rows


def write_mimic_tree(
    root: Path,
    patients: Sequence[TreePatient] | None = None,
    extra: Mapping[str, Rows] | None = None,
) -> Path:
    """Write ``root/hosp`` and ``root/note``; returns ``root``.

    Default: two patients with two admissions each. ``extra`` adds records by table.
    """
    rows = mimic_rows((patient(1), patient(2)) if patients is None else patients)
    for table, more in (extra or {}).items():
        rows[table] += more
    for name, records in rows.items():
        write_table(root, name, records)
    return root


def write_table(root: Path, table: str, records: Rows) -> Path:
    """Write one table's file below ``root``; returns its path."""
    path = root / TABLES[table].folder / f"{table}.csv"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, TABLES[table].columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(records)
    return path


_DIAGNOSES = (
    ("486", "9", "Pneumonia, organism unspecified"),
    ("4019", "9", "Unspecified essential hypertension"),
)
_PROCEDURES = (("0331", "9", "Spinal tap"),)


def _add_stay(rows: dict[str, Rows], subject_id: str, stay: TreeStay) -> None:
    ids = {"subject_id": subject_id, "hadm_id": stay.hadm_id}
    day = stay.admittime[:10]
    rows["admissions"].append(
        mimic_row(
            "admissions",
            **ids,
            admittime=stay.admittime,
            dischtime=stay.dischtime,
            deathtime=stay.deathtime,
            admission_type="EW EMER.",
            admission_location="EMERGENCY ROOM",
            discharge_location=stay.discharge_location,
            insurance="Other",
            hospital_expire_flag=stay.hospital_expire_flag,
        )
    )
    for seq, (code, version) in enumerate(stay.diagnoses, start=1):
        codes = {"icd_code": code, "icd_version": version, "seq_num": str(seq)}
        rows["diagnoses_icd"].append(mimic_row("diagnoses_icd", **ids, **codes))
    for seq, (code, version) in enumerate(stay.procedures, start=1):
        codes = {"icd_code": code, "icd_version": version, "seq_num": str(seq)}
        rows["procedures_icd"].append(mimic_row("procedures_icd", **ids, **codes, chartdate=day))
    for test_name in stay.cultures:
        rows["microbiologyevents"].append(
            mimic_row(
                "microbiologyevents",
                **ids,
                microevent_id=str(len(rows["microbiologyevents"]) + 1),
                chartdate=f"{day} 00:00:00",
                charttime=f"{day} 11:00:00",
                spec_type_desc=test_name.split()[0],
                test_name=test_name,
                comments="NO GROWTH.",
            )
        )
    leaving = (stay.dischtime or stay.admittime)[:10]
    _add_notes(rows, "discharge", "DS", ids, stay.notes, leaving)
    _add_notes(rows, "radiology", "RR", ids, stay.reports, day)


def _add_notes(
    rows: dict[str, Rows],
    table: str,
    note_type: str,
    ids: dict[str, str],
    texts: Sequence[str],
    day: str,
) -> None:
    for text in texts:
        seq = str(1 + sum(row["subject_id"] == ids["subject_id"] for row in rows[table]))
        rows[table].append(
            mimic_row(
                table,
                **ids,
                note_id=f"{ids['subject_id']}-{note_type}-{seq}",
                note_type=note_type,
                note_seq=seq,
                charttime=f"{day} 00:00:00",
                storetime=f"{day} 20:00:00",
                text=text,
            )
        )
