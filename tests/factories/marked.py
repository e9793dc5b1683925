"""Plants a word in everything of a MIMIC-shaped tree that can hold a patient's data."""

from __future__ import annotations

import csv
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


def mark_tree(root: Path) -> Path:
    """End every line of every note and every name, title and comment with the word."""
    for table, columns in _TEXT_COLUMNS.items():
        path = root / TABLES[table].folder / f"{table}.csv"
        with path.open(encoding="utf-8", newline="") as stream:
            records = list(csv.DictReader(stream))
        for record in records:
            for column in columns:
                lines = record[column].split("\n")
                record[column] = "\n".join(f"{one} {MARK}" if one.strip() else one for one in lines)
        with path.open("w", encoding="utf-8", newline="") as stream:
            writer = csv.DictWriter(stream, TABLES[table].columns, lineterminator="\n")
            writer.writeheader()
            writer.writerows(records)
    return root
