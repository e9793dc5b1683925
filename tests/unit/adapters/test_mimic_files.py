from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from tasks.adapters.mimic_files import MimicFile, locate_hosp, locate_source
from tasks.contracts.errors import SourceError
from tests.factories.mimic_tree import write_mimic_tree

SECRET = "SECRET-MARKER"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return write_mimic_tree(tmp_path / "mimic")


def located(tree: Path, table: str) -> MimicFile:
    return next(file for file in locate_source(tree) if file.table == table)


def rewrite_header(path: Path, header: str) -> None:
    _, _, records = path.read_text(encoding="utf-8").partition("\n")
    path.write_text(f"{header}\n{records}", encoding="utf-8")


def refusal(tree: Path, note: Path | None = None) -> str:
    with pytest.raises(SourceError) as caught:
        locate_source(tree, note)
    return str(caught.value)


def test_nine_files_are_found_keys_first(tree: Path) -> None:
    assert [file.name for file in locate_source(tree)] == [
        "hosp/patients.csv",
        "hosp/admissions.csv",
        "hosp/d_icd_diagnoses.csv",
        "hosp/d_icd_procedures.csv",
        "hosp/diagnoses_icd.csv",
        "hosp/procedures_icd.csv",
        "hosp/microbiologyevents.csv",
        "note/discharge.csv",
        "note/radiology.csv",
    ]


def test_hosp_is_read_without_notes(tree: Path) -> None:
    (tree / "note").rename(tree / "elsewhere")
    assert len(locate_hosp(tree)) == 7


def test_notes_can_lie_elsewhere(tree: Path, tmp_path: Path) -> None:
    (tree / "note").rename(tmp_path / "notes")
    assert locate_source(tree, tmp_path / "notes")[-1].path == tmp_path / "notes/radiology.csv"


def test_plain_csv_wins_over_gz_and_the_other_is_reported(tree: Path) -> None:
    plain = tree / "hosp/patients.csv"
    (tree / "hosp/patients.csv.gz").write_bytes(gzip.compress(b"stale"))
    assert located(tree, "patients").path == plain
    assert located(tree, "patients").passed_over == "hosp/patients.csv.gz"


def test_gz_is_read_where_there_is_no_plain_csv(tree: Path) -> None:
    plain = tree / "note/discharge.csv"
    (tree / "note/discharge.csv.gz").write_bytes(gzip.compress(plain.read_bytes()))
    plain.unlink()
    assert located(tree, "discharge").name == "note/discharge.csv.gz"


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("mimic/hosp", "this is the hosp folder itself; give the folder that holds it:"),
        ("", "looked for a folder hosp/ inside it and found none"),
        ("mimic/hosp/patients.csv", "expected a folder that holds hosp/, found a file there"),
        ("nowhere", "expected a folder that holds hosp/, found nothing there"),
    ],
)
def test_wrong_mimic_folder_is_told_apart(tree: Path, given: str, told: str) -> None:
    assert told in refusal(tree.parent / given)


def test_parent_of_the_mimic_folder_gets_a_hint(tree: Path) -> None:
    assert refusal(tree.parent).endswith(f"for example {tree}")


def test_missing_note_folder_names_the_option(tree: Path) -> None:
    (tree / "note").rename(tree / "elsewhere")
    assert "give MIMIC-IV-Note's folder with --note" in refusal(tree)


def test_parent_of_the_note_folder_gets_a_hint(tree: Path) -> None:
    assert refusal(tree, tree).endswith(f"give its folder note/: {tree / 'note'}")


def test_missing_file_says_what_was_looked_for(tree: Path) -> None:
    (tree / "hosp/diagnoses_icd.csv").unlink()
    assert refusal(tree) == (
        "hosp/diagnoses_icd.csv: looked for diagnoses_icd.csv and diagnoses_icd.csv.gz in "
        f"{tree / 'hosp'} and found neither; copy the file there"
    )


def test_header_is_read_without_bom_in_any_case_and_order(tree: Path) -> None:
    path = tree / "hosp/patients.csv"
    rewrite_header(
        path, '\ufeffSUBJECT_ID,"Gender",anchor_age,anchor_year,dod,anchor_year_group,note\r'
    )
    file = located(tree, "patients")
    assert file.columns == (
        "subject_id", "gender", "anchor_age", "anchor_year", "dod", "anchor_year_group", "note",
    )  # fmt: skip
    assert file.extra_columns == ("note",)


@pytest.mark.parametrize(
    ("header", "told"),
    [
        ("subject_id,hadm_id,seq_num,icd_code", "column icd_version is missing"),
        (
            "subject_id,hadm_id,hadm_id,seq_num,icd_code,icd_version",
            "column hadm_id stands twice in the header",
        ),
        (f"1,11,1,{SECRET},9", "the first line holds none of MIMIC's column names"),
        ("subject_id;hadm_id;seq_num;icd_code;icd_version", "separated by commas"),
        ("", "the first line holds none of MIMIC's column names"),
        ('subject_id,"hadm', "the first line isn't a UTF-8 CSV header"),
    ],
)
def test_wrong_header_is_refused(tree: Path, header: str, told: str) -> None:
    rewrite_header(tree / "hosp/diagnoses_icd.csv", header)
    message = refusal(tree)
    assert message.startswith("hosp/diagnoses_icd.csv: ")
    assert told in message
    assert SECRET not in message


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "the file is empty"),
        ("subject_id,x\n1,2\n".encode("utf-16"), "the file is UTF-16 or binary"),
        (b"subject_id,gender\r1,F\r", "lines end in CR alone"),
        (b"x" * (1 << 17), "no header line within the first 65536 bytes"),
        (gzip.compress(b"subject_id", mtime=0), "gzip data without the ending .gz"),
        (b"subject_id,\xe9\n", "isn't a UTF-8 CSV header"),
    ],
)
def test_unreadable_start_is_refused(tree: Path, content: bytes, told: str) -> None:
    (tree / "hosp/patients.csv").write_bytes(content)
    assert told in refusal(tree)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "the file is empty"),
        (b"subject_id,gender\n", "named .gz but isn't gzip data"),
        (gzip.compress(b"subject_id" * 99, mtime=0)[:30], "the gzip data is cut short"),
        (b"\x1f\x8bxxxxxxxxxxx", "the gzip data is damaged"),
    ],
)
def test_unreadable_gz_is_refused(tree: Path, content: bytes, told: str) -> None:
    (tree / "hosp/patients.csv").unlink()
    (tree / "hosp/patients.csv.gz").write_bytes(content)
    assert told in refusal(tree)


def test_folder_in_the_place_of_a_file_is_refused(tree: Path) -> None:
    (tree / "hosp/patients.csv").unlink()
    (tree / "hosp/patients.csv").mkdir()
    assert refusal(tree).startswith("hosp/patients.csv: can't be read")


def test_dangling_link_is_refused(tree: Path) -> None:
    (tree / "hosp/patients.csv").unlink()
    (tree / "hosp/patients.csv").symlink_to(tree / "gone.csv")
    assert refusal(tree).startswith("hosp/patients.csv: can't be read")
