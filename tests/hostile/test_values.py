"""A wrong value in any column that is read: file, record, column and class, never the value."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from tests.hostile.reading import MARK, change, refusal, write_sound_tree

ID, OPTIONAL_ID, TIME, OPTIONAL_TIME, DAY, OPTIONAL_DAY, CODE, CHOICE, NOTE_ID = range(9)

CHECKED: dict[str, dict[str, int]] = {
    "patients": {
        "subject_id": ID, "anchor_age": OPTIONAL_ID, "anchor_year": OPTIONAL_ID,
        "dod": OPTIONAL_DAY,
    },
    "admissions": {
        "subject_id": ID, "hadm_id": ID, "admittime": TIME, "dischtime": OPTIONAL_TIME,
        "deathtime": OPTIONAL_TIME, "hospital_expire_flag": CHOICE,
    },
    "d_icd_diagnoses": {"icd_code": CODE, "icd_version": CHOICE},
    "d_icd_procedures": {"icd_code": CODE, "icd_version": CHOICE},
    "diagnoses_icd": {
        "subject_id": ID, "hadm_id": OPTIONAL_ID, "seq_num": ID, "icd_code": CODE,
        "icd_version": CHOICE,
    },
    "procedures_icd": {
        "subject_id": ID, "hadm_id": OPTIONAL_ID, "seq_num": ID, "chartdate": DAY,
        "icd_code": CODE, "icd_version": CHOICE,
    },
    "microbiologyevents": {
        "subject_id": ID, "hadm_id": OPTIONAL_ID, "chartdate": OPTIONAL_DAY,
        "charttime": OPTIONAL_TIME,
    },
    "discharge": {
        "note_id": NOTE_ID, "subject_id": ID, "hadm_id": OPTIONAL_ID, "note_seq": OPTIONAL_ID,
        "charttime": OPTIONAL_TIME, "storetime": OPTIONAL_TIME,
    },
    "radiology": {
        "note_id": NOTE_ID, "subject_id": ID, "hadm_id": OPTIONAL_ID, "note_seq": OPTIONAL_ID,
        "charttime": OPTIONAL_TIME, "storetime": OPTIONAL_TIME,
    },
}  # fmt: skip

WRONG = {
    ID: ("", "9.0000001E7"),
    OPTIONAL_ID: ("NA",),
    TIME: ("", "6/1/2150 9:00"),
    OPTIONAL_TIME: ("6/1/2150 9:00",),
    DAY: ("", "6/1/2150"),
    OPTIONAL_DAY: ("6/1/2150",),
    CODE: (MARK,),
    CHOICE: ("5",),
    NOTE_ID: ("", MARK),
}

CASES = [
    (table, column, value)
    for table, columns in CHECKED.items()
    for column, kind in columns.items()
    for value in WRONG[kind]
]


def with_value(content: bytes, column: str, value: str) -> bytes:
    """The content with a value in its second record."""
    rows = list(csv.reader(io.StringIO(content.decode(), newline="")))
    rows[2][rows[0].index(column)] = value
    stream = io.StringIO(newline="")
    csv.writer(stream, lineterminator="\n").writerows(rows)
    return stream.getvalue().encode()


@pytest.mark.parametrize(("table", "column", "value"), CASES)
def test_wrong_value_is_named(tmp_path: Path, table: str, column: str, value: str) -> None:
    tree = write_sound_tree(tmp_path / "mimic")
    name = change(tree, table, lambda content: with_value(content, column, value))
    message = refusal(tree, tmp_path / "out")
    assert message.startswith(f"{name}: record 2, column {column}: ")
    assert value == "" or value not in message.replace("9 and 10", "")
