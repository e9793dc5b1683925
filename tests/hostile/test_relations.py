"""Files that are sound by themselves and don't fit one another."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tasks.adapters.mimic_hosp import read_hosp_stays
from tasks.contracts.errors import SourceError
from tests.factories.mimic_tree import TABLES, patient, with_stay, write_mimic_tree, write_table
from tests.hostile.reading import change, path_of, read, refusal, write_sound_tree

SHARED = Path(__file__).resolve().parents[3] / "shared/data"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return write_sound_tree(tmp_path / "mimic")


def without_zeros(content: bytes) -> bytes:
    """What a spreadsheet makes of a CSV file: numbers without leading zeros."""
    rows = csv.reader(io.StringIO(content.decode(), newline=""))
    stream = io.StringIO(newline="")
    csv.writer(stream, lineterminator="\n").writerows(
        [re.sub(r"^0+(?=[0-9]+$)", "", field) for field in row] for row in rows
    )
    return stream.getvalue().encode()


@pytest.mark.parametrize("table", ["diagnoses_icd", "procedures_icd"])
def test_billed_codes_without_their_zeros_are_refused(
    tree: Path, tmp_path: Path, table: str
) -> None:
    name = change(tree, table, without_zeros)
    message = refusal(tree, tmp_path / "out")
    assert message.startswith(f"{name}: record 1, column icd_code: ")


def test_one_code_without_its_zeros_is_refused(tree: Path, tmp_path: Path) -> None:
    name = change(tree, "procedures_icd", lambda content: content.replace(b",0331,", b",331,", 1))
    message = refusal(tree, tmp_path / "out")
    assert message.startswith(f"{name}: record 1, column icd_code: a code without its leading")
    assert "a spreadsheet removed them" in message


@pytest.mark.parametrize("kind", ["diagnoses", "procedures"])
def test_dictionary_without_its_zeros_is_refused(tree: Path, tmp_path: Path, kind: str) -> None:
    name = change(tree, f"d_icd_{kind}", without_zeros)
    message = refusal(tree, tmp_path / "out")
    assert message.startswith(f"{name}: column icd_code: codes without the leading zeros")


def test_codes_of_two_lengths_in_the_dictionary_are_read(tree: Path, tmp_path: Path) -> None:
    # 042 and 0042 are different diagnoses; Z9999X is in no dictionary.
    assert ("diagnoses_icd", "unknown_code") not in {
        (table, reason) for table, reason, _ in read(tree, tmp_path / "out").left_out
    }


def test_swapped_dictionaries_are_refused(tree: Path, tmp_path: Path) -> None:
    first, second = (path_of(tree, f"d_icd_{kind}") for kind in ("diagnoses", "procedures"))
    content = first.read_bytes()
    first.write_bytes(second.read_bytes())
    second.write_bytes(content)
    assert refusal(tree, tmp_path / "out").startswith(
        "hosp/d_icd_diagnoses.csv: lacks the codes of hosp/diagnoses_icd.csv, the other dictionary"
    )


def test_swapped_notes_are_refused(tree: Path, tmp_path: Path) -> None:
    first, second = path_of(tree, "discharge"), path_of(tree, "radiology")
    content = first.read_bytes()
    first.write_bytes(second.read_bytes())
    second.write_bytes(content)
    assert refusal(tree, tmp_path / "out").startswith(
        "note/discharge.csv: record 1, column note_type: a note of the other file"
    )


NO_RECORD = "holds a header line and no record; the file is cut: fetch it again"
EMPTY: dict[str, str] = {
    "patients": f"hosp/patients.csv: {NO_RECORD}",
    "admissions": f"hosp/admissions.csv: {NO_RECORD}",
    "diagnoses_icd": f"hosp/diagnoses_icd.csv: {NO_RECORD}",
    "discharge": f"note/discharge.csv: {NO_RECORD}",
    "d_icd_diagnoses": "hosp/d_icd_diagnoses.csv: has no title for 15 of 15 codes",
    "d_icd_procedures": "hosp/d_icd_procedures.csv: has no title for 7 of 7 codes",
}


@pytest.mark.parametrize("table", EMPTY)
def test_header_alone_is_refused(tree: Path, tmp_path: Path, table: str) -> None:
    write_table(tree, table, [])
    assert refusal(tree, tmp_path / "out").startswith(EMPTY[table])


@pytest.mark.parametrize("table", ["procedures_icd", "microbiologyevents", "radiology"])
def test_header_alone_is_a_source_without_such_rows(tree: Path, tmp_path: Path, table: str) -> None:
    write_table(tree, table, [])
    assert len(read(tree, tmp_path / "out").records) == 6


def many(root: Path) -> Path:
    return write_mimic_tree(root, [patient(number) for number in range(1, 13)])


CUT: dict[str, tuple[int, str]] = {
    "patients": (6, "hosp/patients.csv: has no record of 6 patients"),
    "admissions": (8, "hosp/admissions.csv: lacks the hadm_id of 16 discharge notes"),
    "diagnoses_icd": (10, "hosp/diagnoses_icd.csv: has no record of 19 of 24 admissions"),
    "d_icd_diagnoses": (0, "hosp/d_icd_diagnoses.csv: has no title for 48 of 48 codes"),
}


@pytest.mark.parametrize("table", CUT)
def test_keys_cut_at_a_record_end_are_refused(tmp_path: Path, table: str) -> None:
    kept, told = CUT[table]
    tree = many(tmp_path / "mimic")

    def cut(content: bytes) -> bytes:
        return b"".join(content.splitlines(keepends=True)[: kept + 1])

    change(tree, table, cut)
    assert refusal(tree, tmp_path / "out").startswith(told)


def test_a_few_strays_are_counted(tmp_path: Path) -> None:
    tree = many(tmp_path / "mimic")
    change(tree, "admissions", lambda c: b"".join(c.splitlines(keepends=True)[:-2]))
    assert read(tree, tmp_path / "out").left_out == (
        ("diagnoses_icd", "unknown_admission", 4),
        ("discharge", "unknown_admission", 2),
        ("microbiologyevents", "unknown_admission", 2),
        ("procedures_icd", "unknown_admission", 2),
        ("radiology", "unknown_admission", 2),
    )


def test_notes_of_many_other_patients_are_passed_over(tmp_path: Path) -> None:
    tree = write_mimic_tree(tmp_path / "mimic", [patient(1)])
    others = many(tmp_path / "all")
    for table in ("discharge", "radiology"):
        path_of(tree, table).write_bytes(path_of(others, table).read_bytes())
    assert len(read(tree, tmp_path / "out").records) == 2


TWO_CONTENTS: dict[str, Callable[[bytes], bytes]] = {
    "patients": lambda record: record.replace(b",F,", b",M,"),
    "admissions": lambda record: record.replace(b"HOME", b"HOSPICE"),
    "discharge": lambda record: record.replace(b"20:00:00", b"21:00:00"),
    "radiology": lambda record: record.replace(b"20:00:00", b"21:00:00"),
}


@pytest.mark.parametrize("table", TWO_CONTENTS)
def test_two_contents_of_one_id_are_refused(tmp_path: Path, table: str) -> None:
    owner = with_stay(patient(1), 1, notes=("short",), reports=("short",))
    tree = write_mimic_tree(tmp_path / "mimic", [owner])

    def again(content: bytes) -> bytes:
        return content + TWO_CONTENTS[table](content.splitlines(keepends=True)[1])

    name = change(tree, table, again)
    message = refusal(tree, tmp_path / "out")
    assert message.startswith(f"{name}: ")
    assert "stands on records that differ" in message


@pytest.mark.parametrize("table", TABLES)
def test_listed_digest_finds_a_cut_file(tree: Path, tmp_path: Path, table: str) -> None:
    from tasks.adapters.files import sha256_file

    digest = sha256_file(path_of(tree, table))
    (tree / "SHA256SUMS.txt").write_text(f"{digest} {TABLES[table].folder}/{table}.csv\n")
    assert len(read(tree, tmp_path / "out").records) == 6
    name = change(tree, table, lambda c: c[: c.index(b"\n") + 1])
    assert refusal(tree, tmp_path / "out").startswith(f"{name}: differs from the digest in ")


@pytest.mark.skipif(not SHARED.is_dir(), reason="../shared is missing: no MIMIC-IV demo to read")
@pytest.mark.parametrize(
    ("table", "told"),
    [
        ("diagnoses_icd", r"record \d+, column icd_code: a code without its leading zeros"),
        ("procedures_icd", "record 1, column chartdate: a date that is not year-month-day"),
    ],
)
def test_demo_saved_by_a_spreadsheet_is_refused(tmp_path: Path, table: str, told: str) -> None:
    (tmp_path / "hosp").mkdir()
    for documented in TABLES.values():
        if documented.folder == "hosp":
            name = f"hosp/{documented.name}.csv"
            damaged = "-spreadsheet" if documented.name == table else ""
            (tmp_path / name).symlink_to(SHARED / f"mimic-iv-demo{damaged}" / name)
    with pytest.raises(SourceError, match=rf"^hosp/{table}\.csv: {told}"):
        list(read_hosp_stays(tmp_path, tmp_path / "work", "--notes-for"))
