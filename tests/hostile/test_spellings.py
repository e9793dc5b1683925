"""Other spellings of the same data: the same records, byte for byte."""

from __future__ import annotations

import csv
import gzip
import io
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import pytest

from tests.factories.mimic_tree import TABLES
from tests.hostile.reading import Read, change, change_all, path_of, read, write_sound_tree

Rows = list[list[str]]


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Read:
    folder = tmp_path_factory.mktemp("sound")
    return read(write_sound_tree(folder / "mimic"), folder / "out")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return write_sound_tree(tmp_path / "mimic")


def rows_of(content: bytes) -> Rows:
    return list(csv.reader(io.StringIO(content.decode(), newline="")))


def as_csv(rows: Rows, end: str = "\n", quoting: Literal[0, 1] = csv.QUOTE_MINIMAL) -> bytes:
    stream = io.StringIO(newline="")
    csv.writer(stream, lineterminator=end, quoting=quoting).writerows(rows)
    return stream.getvalue().encode()


def upper_header(content: bytes) -> bytes:
    header, _, rest = content.partition(b"\n")
    return header.upper() + b"\n" + rest


def quoted_header(content: bytes) -> bytes:
    header, _, rest = content.partition(b"\n")
    return b", ".join(b'"' + name + b'"' for name in header.split(b",")) + b"\n" + rest


def repeated(content: bytes) -> bytes:
    rows = rows_of(content)
    return as_csv([*rows, *rows[1:]])


SPELLINGS: dict[str, Callable[[bytes], bytes]] = {
    "as it is": lambda content: content,
    "CRLF between records": lambda content: as_csv(rows_of(content), "\r\n"),
    "byte order mark": lambda content: b"\xef\xbb\xbf" + content,
    "byte order mark and CRLF": lambda content: b"\xef\xbb\xbf" + as_csv(rows_of(content), "\r\n"),
    "no line end after the last record": lambda content: content.rstrip(b"\n"),
    "blank lines at the end": lambda content: content + b"\n\n\n",
    "blank lines after the header": lambda content: content.replace(b"\n", b"\n\n\n", 1),
    "every field quoted": lambda content: as_csv(rows_of(content), quoting=csv.QUOTE_ALL),
    "upper-case header": upper_header,
    "quoted and padded header": lambda content: quoted_header(content).replace(b', "', b',"'),
    "columns in reverse": lambda content: as_csv([row[::-1] for row in rows_of(content)]),
    "records in reverse": lambda content: as_csv([rows_of(content)[0], *rows_of(content)[:0:-1]]),
    "a further column in front": lambda content: as_csv(
        [["x" if number else "remark", *row] for number, row in enumerate(rows_of(content))]
    ),
    "a further column with an odd name": lambda content: as_csv(
        [
            [*row, "" if number else 'it\'s "a" [name]']
            for number, row in enumerate(rows_of(content))
        ]
    ),
    "columns without a name": lambda content: as_csv([[*row, "", ""] for row in rows_of(content)]),
    "every record twice": repeated,
}


@pytest.mark.parametrize("zipped", [False, True], ids=["csv", "gz"])
@pytest.mark.parametrize("kind", SPELLINGS)
def test_same_records_from_another_spelling(
    tree: Path, tmp_path: Path, sound: Read, kind: str, zipped: bool
) -> None:
    change_all(tree, SPELLINGS[kind], zipped=zipped)
    assert read(tree, tmp_path / "out").records == sound.records


def test_same_records_from_gz_of_many_members(tree: Path, tmp_path: Path, sound: Read) -> None:
    def members(content: bytes) -> bytes:
        return b"".join(gzip.compress(content[at : at + 99]) for at in range(0, len(content), 99))

    for table in TABLES:
        plain = path_of(tree, table)
        plain.with_name(f"{table}.csv.gz").write_bytes(members(plain.read_bytes()))
        plain.unlink()
    assert read(tree, tmp_path / "out").records == sound.records


def test_same_records_from_decimal_ids_which_are_counted(
    tree: Path, tmp_path: Path, sound: Read
) -> None:
    def decimal(content: bytes) -> bytes:
        return re.sub(rb"(?<=[,\n])((?:9000|8000)\d{4})(?=,)", rb"\1.0", content)

    change_all(tree, decimal)
    found = read(tree, tmp_path / "out")
    assert found.records == sound.records
    # 3 patients, 2 x 6 admissions, 2 x 15 diagnoses, 2 x 7 procedures, 2 x 7 + 1 cultures,
    # 2 x 7 discharge notes, 2 x 6 + 1 reports.
    assert found.decimal_ids == 101


@pytest.mark.parametrize("table", TABLES)
def test_plain_csv_is_read_where_both_are_there(
    tree: Path, tmp_path: Path, sound: Read, table: str
) -> None:
    plain = path_of(tree, table)
    plain.with_name(f"{table}.csv.gz").write_bytes(b"stale and no gzip")
    assert read(tree, tmp_path / "out").records == sound.records


def test_same_records_through_links(tree: Path, tmp_path: Path, sound: Read) -> None:
    (tmp_path / "store").mkdir()
    for table in TABLES:
        path = path_of(tree, table)
        path.rename(tmp_path / "store" / f"{table}-v3.bin")
        path.symlink_to(tmp_path / "store" / f"{table}-v3.bin")
    (tmp_path / "linked").symlink_to(tree)
    assert read(tmp_path / "linked", tmp_path / "out").records == sound.records


def test_same_records_from_relative_paths(
    tree: Path, tmp_path: Path, sound: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert read(Path("mimic/../mimic/."), Path("out"), Path("mimic/note/")).records == sound.records


NAMES = [
    "it's", 'say "x"', "[x]", "a*b?", "b\\[z]", "back\\slash", "hadm_id=1", "100%", "{a,b} $p",
    "#x", "-rf", "~", "naïve 体温", " blanks ", "new\nline", "a.csv", "x.csv.gz", "%2e%2e", "$HOME",
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_folder_names_are_literal(tmp_path: Path, sound: Read, name: str) -> None:
    folder = tmp_path / name
    tree = write_sound_tree(folder / "mimic")
    (tree / "note").rename(folder / name)
    for decoy in ("x", "z", "aXbY", "bz"):
        os.makedirs(tmp_path / decoy / "mimic/hosp")
    assert read(tree, folder / "out", folder / name).records == sound.records


def test_long_notes_are_read(tree: Path, tmp_path: Path) -> None:
    text = b'he said ""so, and so"".\n' * 120_000
    name = change(
        tree,
        "discharge",
        lambda content: content
        + b'90000001-DS-9,90000001,80000101,DS,9,,,"' + text + b'"\n',
    )  # fmt: skip
    assert name == "note/discharge.csv"
    assert len(read(tree, tmp_path / "out").records) == 6
