"""Plants a word in everything of a MIMIC-shaped tree that can hold a patient's data."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping
from pathlib import Path

from tests.factories.mimic_tree import TABLES

MARK = "zqxmark"

_TEXT_COLUMNS = {
    "admissions": (
        "admission_type", "admission_location", "discharge_location", "insurance", "language",
        "marital_status", "race", "admit_provider_id",
    ),
    "d_icd_diagnoses": ("long_title",),
    "d_icd_procedures": ("long_title",),
    "microbiologyevents": (
        "spec_type_desc", "test_name", "org_name", "ab_name", "comments", "dilution_text",
        "interpretation", "quantity", "order_provider_id",
    ),
    "discharge": ("text",),
    "radiology": ("text",),
}  # fmt: skip


_WITHOUT_PATIENT = ("d_icd_diagnoses", "d_icd_procedures")
_LETTERS = str.maketrans("0123456789", "abcdefghij")


def mark_tree(root: Path) -> Path:
    """End every line of every note and every name, title and comment with the word."""
    for table in _TEXT_COLUMNS:
        _mark(root, table, lambda _record: MARK)
    return root


def mark_patients(root: Path) -> Path:
    """Mark what belongs to a patient, each with an ending of its own.

    For larger cohorts: the audits may name words that the questions of three patients share.
    """
    for table in _TEXT_COLUMNS.keys() - _WITHOUT_PATIENT:
        _mark(root, table, lambda record: MARK + record["subject_id"].translate(_LETTERS))
    return root


def _mark(root: Path, table: str, word: Callable[[Mapping[str, str]], str]) -> None:
    path = root / TABLES[table].folder / f"{table}.csv"
    with path.open(encoding="utf-8", newline="") as stream:
        records = list(csv.DictReader(stream))
    for record in records:
        mark = word(record)
        for column in _TEXT_COLUMNS[table]:
            lines = record[column].split("\n")
            record[column] = "\n".join(f"{one} {mark}" if one.strip() else one for one in lines)
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, TABLES[table].columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(records)
