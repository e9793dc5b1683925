from __future__ import annotations

import gzip
import stat
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path

import pytest

from tasks.adapters import mimic_database
from tasks.adapters.mimic_database import MimicDatabase, open_database
from tasks.adapters.mimic_files import locate_source
from tasks.adapters.mimic_inspection import inspect_files
from tasks.contracts.errors import SettingError, SourceError
from tests.factories.mimic_tree import TABLES, mimic_row, patient, write_mimic_tree, write_table

SECRET = "SECRET-MARKER"
RECORDS = {
    "patients": 1,
    "admissions": 2,
    "d_icd_diagnoses": 2,
    "d_icd_procedures": 1,
    "diagnoses_icd": 4,
    "procedures_icd": 2,
    "microbiologyevents": 2,
    "discharge": 2,
    "radiology": 2,
}
LINKED_TABLES = ("discharge", "radiology", "diagnoses_icd", "procedures_icd", "microbiologyevents")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return write_mimic_tree(tmp_path / "mimic", [patient(1)])


def sound_row(table: str) -> dict[str, str]:
    """A record that is read, with the ids of the first admission."""
    values = {
        "subject_id": "90000001",
        "hadm_id": "80000101",
        "note_id": "90000001-RR-1" if table == "radiology" else "90000001-DS-1",
        "seq_num": "1",
        "icd_version": "9",
        "admittime": "2150-01-01 08:00:00",
        "chartdate": "2150-01-01",
    }
    columns = TABLES[table].columns
    return mimic_row(table, **{key: value for key, value in values.items() if key in columns})


def load_all(tree: Path, workdir: Path) -> dict[str, int]:
    """Load every table; returns the ids read from decimals, by table."""
    with open_database(inspect_files(locate_source(tree)), workdir) as database:
        database.load_keys()
        database.execute("cohort/candidates.sql", subject_ids=[], candidate_limit=9)
        database.load_side_by_side(("d_icd_diagnoses", "d_icd_procedures"), LINKED_TABLES)
        database.refuse_conflicts("cohort/note_conflicts.sql")
        return {info.table: info.decimal_ids for info in database.file_infos()}


def refusal(tree: Path) -> str:
    with pytest.raises(SourceError) as caught:
        load_all(tree, tree / "work")
    message = str(caught.value)
    assert SECRET not in message
    assert caught.value.__suppress_context__ or caught.value.__context__ is None
    return message


def change(tree: Path, table: str, edit: Callable[[str], str]) -> Path:
    path = tree / TABLES[table].folder / f"{table}.csv"
    path.write_bytes(edit(path.read_bytes().decode()).encode())
    return path


@pytest.mark.parametrize("table", TABLES)
def test_a_missing_field_is_named_by_file_and_record(tree: Path, table: str) -> None:
    change(tree, table, lambda text: text + f"{SECRET}\n")
    number = 1 + RECORDS[table]
    folder = TABLES[table].folder
    assert refusal(tree).startswith(f"{folder}/{table}.csv: record {number} has 1 fields")


@pytest.mark.parametrize(
    ("table", "column", "value", "told"),
    [
        ("patients", "subject_id", "NA", "a word for a missing value instead of a whole number"),
        ("admissions", "hadm_id", "80000101.7", "a decimal or signed number instead of"),
        ("admissions", "admittime", "5/7/2180", "a date that is not year-month-day instead of"),
        ("diagnoses_icd", "icd_version", SECRET, "text instead of a whole number"),
        ("procedures_icd", "chartdate", "5/7/2180", "a date that is not year-month-day"),
        ("microbiologyevents", "charttime", SECRET, "text instead of a time"),
        ("discharge", "note_id", SECRET, "text instead of an id"),
        ("discharge", "hadm_id", SECRET, "text instead of a whole number"),
        ("radiology", "subject_id", "", "an empty field instead of a whole number"),
    ],
)
def test_a_wrong_value_is_named_by_file_record_column_and_class(
    tree: Path, table: str, column: str, value: str, told: str
) -> None:
    write_table(tree, table, [sound_row(table) | {column: value}])
    message = refusal(tree)
    assert message.startswith(f"{TABLES[table].folder}/{table}.csv: record 1, column {column}: ")
    assert told in message


def test_ids_written_as_decimals_are_read_and_counted(tree: Path, tmp_path: Path) -> None:
    change(tree, "radiology", lambda text: text.replace(",80000101,", ",80000101.0,"))
    decimals = load_all(tree, tmp_path / "work")
    assert decimals["radiology"] == 1
    assert decimals["discharge"] == 0


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ("patients", "hosp/patients.csv: subject_id 90000001 stands on records that differ"),
        ("admissions", "hosp/admissions.csv: hadm_id 80000101 stands on records that differ"),
        ("discharge", "note/discharge.csv: note_id 90000001-DS-1 stands on records that differ"),
        ("radiology", "note/radiology.csv: note_id 90000001-RR-1 stands on records that differ"),
    ],
)
def test_an_id_with_two_contents_is_refused(tree: Path, table: str, told: str) -> None:
    row = sound_row(table)
    row |= {key: SECRET for key in ("admission_type", "text") if key in row}
    write_mimic_tree(tree, [patient(1)], {table: [row]})
    assert refusal(tree).startswith(told)


def test_patients_that_only_admissions_name_are_refused(tree: Path) -> None:
    other = mimic_row("patients", subject_id="90000009", gender="F")
    write_table(tree, "patients", [other])
    assert refusal(tree).startswith(
        "hosp/patients.csv: has no record of 1 patients that the admissions name, the first is "
        "subject_id 90000001"
    )


@pytest.mark.parametrize(
    "edit",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: "\ufeff" + text,
        lambda text: text.rstrip("\n"),
        lambda text: text + "\n\n",
    ],
    ids=["crlf", "bom", "no last line end", "blank lines at the end"],
)
def test_harmless_spellings_of_a_file_are_read(
    tree: Path, tmp_path: Path, edit: Callable[[str], str]
) -> None:
    for table in TABLES:
        change(tree, table, edit)
    assert set(load_all(tree, tmp_path / "work").values()) == {0}


def test_columns_are_read_by_name_in_any_order(tree: Path, tmp_path: Path) -> None:
    row = "9,486,80000101,1,90000001,unused"
    path = tree / "hosp/diagnoses_icd.csv"
    path.write_text(f"ICD_VERSION,ICD_CODE,HADM_ID,SEQ_NUM,SUBJECT_ID,remark\n{row}\n")
    with open_database(inspect_files(locate_source(tree)), tmp_path / "work") as database:
        database.load_keys()
        database.execute("cohort/candidates.sql", subject_ids=[], candidate_limit=9)
        database.load("d_icd_diagnoses")
        database.load("diagnoses_icd")
        [found] = database.query("bundles/diagnoses.sql", dict, patient=90000001)
        infos = {info.table: info.extra_columns for info in database.file_infos()}
    assert found == {
        "subject_id": 90000001,
        "hadm_id": 80000101,
        "seq_num": 1,
        "icd_code": "486",
        "icd_version": 9,
        "long_title": "Pneumonia, organism unspecified",
    }
    assert infos["diagnoses_icd"] == ("remark",)


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        ('9-DS-1,9,,DS,1,,,"SECRET-MARKER never closed\n', "opened and never closed"),
        ('9-DS-1,9,,DS,1,,,"SECRET-MARKER" again"\n', "must be doubled"),
        ('9-DS-1,9,,DS,1,,,"SECRET-MARKER \\"x\\""\n', "must be doubled"),
        ("9-DS-1,9,,DS,1,,,SECRET-MARKER\r\n", "records end in LF in some places"),
    ],
)
def test_damaged_quoting_is_refused(tree: Path, damage: str, told: str) -> None:
    change(tree, "discharge", lambda text: text + damage)
    message = refusal(tree)
    assert message.startswith("note/discharge.csv: ")
    assert told in message


def note_texts(tree: Path, workdir: Path) -> list[str]:
    with open_database(inspect_files(locate_source(tree)), workdir) as database:
        database.load_keys()
        database.execute("cohort/candidates.sql", subject_ids=[], candidate_limit=9)
        database.load("discharge")
        rows = database.query("bundles/discharge_notes.sql", dict, patient=90000001)
        return [str(row["text"]) for row in rows]


def write_notes(tree: Path, texts: list[str]) -> Path:
    rows = [
        mimic_row(
            "discharge",
            note_id=f"90000001-DS-{seq}",
            subject_id="90000001",
            hadm_id="80000101",
            note_type="DS",
            note_seq=str(seq),
            text=text,
        )
        for seq, text in enumerate(texts, start=1)
    ]
    return write_table(tree, "discharge", rows)


@pytest.mark.parametrize(
    "text",
    [
        'he said "x", and left',
        '"",\n"",\n',
        "# line with a hash\n\\backslash\\",
        "a,b,c,d,e,f,g,h\n" * 3,
        "tab\tand ünïcode",
        "NULL",
        "y" * 3_000_000,
    ],
    ids=["quote comma", "quotes only", "marks", "eight fields", "unicode", "null word", "3 MB"],
)
def test_note_text_is_read_as_written(tree: Path, tmp_path: Path, text: str) -> None:
    write_notes(tree, ["first", text, "last"])
    assert note_texts(tree, tmp_path / "work") == ["first", text, "last"]


def test_false_alarm_of_parallel_reading_is_ruled_out(tree: Path, tmp_path: Path) -> None:
    texts = ["a,b,c,d,e,f,g,h\n" * 32_000] * 140
    write_notes(tree, texts)
    assert note_texts(tree, tmp_path / "work") == texts


def test_quotes_in_unquoted_fields_are_read_as_written(tree: Path, tmp_path: Path) -> None:
    change(
        tree, "discharge", lambda text: text + '90000001-DS-7,90000001,80000101,DS,7,,,6" tall\n'
    )
    assert '6" tall' in note_texts(tree, tmp_path / "work")


def test_note_over_the_limit_is_refused_by_record(tree: Path) -> None:
    write_notes(tree, ["first", SECRET * 1_400_000])
    assert "note/discharge.csv: record 2: a field longer than 16 MiB" in refusal(tree)


@pytest.mark.parametrize(
    "folder", ["[x]", "a*b?", "it's", "hadm_id=1", "{a,b} $p", "b\\[z]", "b\\*\udce9"]
)
def test_odd_folder_names_are_literal(tmp_path: Path, folder: str) -> None:
    tree = write_mimic_tree(tmp_path / folder, [patient(1)])
    write_mimic_tree(tmp_path / "x", [patient(7), patient(8)])
    write_mimic_tree(tmp_path / "aXbY", [patient(7), patient(8)])
    assert len(note_texts(tree, tmp_path / "work")) == 2


def test_gz_is_read_like_csv(tree: Path, tmp_path: Path) -> None:
    expected = note_texts(tree, tmp_path / "work")
    for table, documented in TABLES.items():
        path = tree / documented.folder / f"{table}.csv"
        path.with_name(f"{table}.csv.gz").write_bytes(gzip.compress(path.read_bytes()))
        path.unlink()
    assert note_texts(tree, tmp_path / "work") == expected


def test_spill_folder_is_private_and_removed(tree: Path, tmp_path: Path) -> None:
    spill = tmp_path / "work/spill"
    spill.mkdir(parents=True)
    (spill / "left by a killed run").write_text(SECRET)
    with open_database(inspect_files(locate_source(tree)), tmp_path / "work"):
        assert stat.S_IMODE(spill.stat().st_mode) == 0o700
        assert list(spill.iterdir()) == []
    assert list((tmp_path / "work").iterdir()) == []


@pytest.mark.parametrize("stopped_by", [None, ValueError, KeyboardInterrupt])
def test_data_beyond_memory_spills_into_the_private_folder_alone_and_is_removed(
    tree: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    stopped_by: type[BaseException] | None,
) -> None:
    monkeypatch.setattr(mimic_database, "_MEMORY_LIMIT", "40MB")
    files = inspect_files(locate_source(tree))
    before = {path for path in tmp_path.rglob("*") if path.is_file()}
    expected = pytest.raises(stopped_by) if stopped_by else nullcontext()
    with expected, open_database(files, tmp_path / "work") as database:
        database._connection.execute(
            "create table notes as select i, md5(i::varchar) as text from range(3_000_000) t(i)"
        )
        made = {path for path in tmp_path.rglob("*") if path.is_file()} - before
        assert {path.parent for path in made} == {tmp_path / "work" / "spill"}
        assert stat.S_IMODE((tmp_path / "work" / "spill").stat().st_mode) == 0o700
        if stopped_by is not None:
            raise stopped_by
    assert list((tmp_path / "work").iterdir()) == []


def test_unwritable_workdir_is_a_setting_error(tree: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with (
        pytest.raises(SettingError, match="can't be written"),
        open_database(inspect_files(locate_source(tree)), tmp_path / "file"),
    ):
        pass


def test_header_alone_is_an_empty_table(tree: Path, tmp_path: Path) -> None:
    write_table(tree, "radiology", [])
    assert load_all(tree, tmp_path / "work")["radiology"] == 0


def test_header_repeated_inside_is_refused(tree: Path) -> None:
    change(tree, "diagnoses_icd", lambda text: text + text.splitlines()[0] + "\n")
    assert refusal(tree).startswith(
        "hosp/diagnoses_icd.csv: record 5, column subject_id: text instead of a whole number"
    )


def test_rows_are_streamed_with_named_columns(tree: Path, tmp_path: Path) -> None:
    with open_database(inspect_files(locate_source(tree)), tmp_path / "work") as database:
        database.load_keys()
        assert isinstance(database, MimicDatabase)
        first = next(database.stream("hosp/stays.sql", dict))
    assert (first["subject_id"], first["hadm_id"], first["age"]) == (90000001, 80000101, 60)
