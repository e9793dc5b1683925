"""Damage to any one of the nine files: one message that names file and kind, and no text."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import lzma
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.factories.mimic_tree import TABLES
from tests.hostile.reading import MARK, change, path_of, refusal, write_sound_tree

Edit = Callable[[bytes], bytes]
NOTES = ("discharge", "radiology")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return write_sound_tree(tmp_path / "mimic")


def columns(content: bytes, pick: Callable[[list[str]], list[str]]) -> bytes:
    stream = io.StringIO(newline="")
    rows = csv.reader(io.StringIO(content.decode(), newline=""))
    csv.writer(stream, lineterminator="\n").writerows(pick(row) for row in rows)
    return stream.getvalue().encode()


def separated(content: bytes, mark: str) -> bytes:
    stream = io.StringIO(newline="")
    rows = csv.reader(io.StringIO(content.decode(), newline=""))
    csv.writer(stream, delimiter=mark, lineterminator="\n").writerows(rows)
    return stream.getvalue().encode()


def archive(content: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as packed:
        packed.writestr("x.csv", content)
    return stream.getvalue()


HEADERS: dict[str, tuple[Edit, str]] = {
    "first column missing": (lambda c: columns(c, lambda row: row[1:]), "is missing"),
    "last column missing": (lambda c: columns(c, lambda row: row[:-1]), "is missing"),
    "column twice": (lambda c: columns(c, lambda row: [*row, row[0]]), "stands twice"),
    "column renamed": (lambda c: c.replace(b"_", b"-", 1), "is missing"),
    "no header line": (lambda c: c[c.index(b"\n") + 1 :], "none of MIMIC's|isn't a UTF-8"),
    "blank line first": (lambda c: b"\n" + c, "none of MIMIC's column names"),
    "comment line first": (lambda c: b"# exported\n" + c, "none of MIMIC's column names"),
    "separator line first": (lambda c: b"sep=,\n" + c, "none of MIMIC's column names"),
    "semicolons": (lambda c: separated(c, ";"), "separated by commas"),
    "tabs": (lambda c: separated(c, "\t"), "separated by commas"),
    "zero bytes": (lambda c: b"", "the file is empty"),
    "header cut": (lambda c: c[:9], "icd_code,icd_version,long_title|none of|is missing"),
    "CR alone": (lambda c: c.replace(b"\r", b"").replace(b"\n", b"\r"), "lines end in CR alone"),
    "CR twice": (
        lambda c: c.replace(b"\r", b"").replace(b"\n", b"\r\r\n"), "lines end in CR alone",
    ),
    "two byte order marks": (lambda c: b"\xef\xbb\xbf" * 2 + c, "is missing"),
    "UTF-16": (lambda c: c.decode().encode("utf-16"), "UTF-16 or binary"),
    "UTF-16 without mark": (lambda c: c.decode().encode("utf-16-be"), "UTF-16 or binary"),
    "UTF-32": (lambda c: c.decode().encode("utf-32"), "UTF-16 or binary"),
    "NUL bytes only": (lambda c: bytes(len(c)), "UTF-16 or binary"),
    "web page": (lambda c: b"<!DOCTYPE html>\n<html>Sign in</html>\n", "none of MIMIC's"),
    "zip named csv": (archive, "UTF-16 or binary|isn't a UTF-8 CSV header"),
    "bz2 named csv": (bz2.compress, "UTF-16 or binary|isn't a UTF-8 CSV header"),
    "xz named csv": (lzma.compress, "UTF-16 or binary|isn't a UTF-8 CSV header"),
}  # fmt: skip


@pytest.mark.parametrize("zipped", [False, True], ids=["csv", "gz"])
@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("kind", HEADERS)
def test_start_of_a_file(tree: Path, tmp_path: Path, kind: str, table: str, zipped: bool) -> None:
    edit, told = HEADERS[kind]
    name = change(tree, table, edit, zipped=zipped)
    message = refusal(tree, tmp_path / "out")
    assert message.startswith(f"{name}: ")
    assert any(words in message for words in told.split("|"))


def appended(record: bytes) -> Edit:
    return lambda content: content + record


BYTES: dict[str, tuple[Edit, str]] = {
    "Latin-1": (appended(b"caf\xe9\n"), "a byte that isn't UTF-8"),
    "Windows-1252": (appended(b"\x93quoted\x94\n"), "a byte that isn't UTF-8"),
    "surrogate": (appended(b"\xed\xa0\x80\n"), "a byte that isn't UTF-8"),
    "overlong": (appended(b"\xc0\xaf\n"), "a byte that isn't UTF-8"),
    "cut inside a letter": (appended("ü".encode()[:1]), "a byte that isn't UTF-8"),
    "NUL": (appended(b"\0\n"), "a NUL byte at or after record"),
}


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("kind", BYTES)
def test_bytes_inside_a_file(tree: Path, tmp_path: Path, kind: str, table: str) -> None:
    edit, told = BYTES[kind]
    # Beyond the part that is looked at for the header.
    long = b'"' + b"x" * 70_000 + b'"\n'
    name = change(tree, table, lambda content: edit(content + long))
    message = refusal(tree, tmp_path / "out")
    assert message.startswith(f"{name}: ")
    assert told in message


def flipped(content: bytes, place: int) -> bytes:
    changed = bytearray(content)
    changed[place] ^= 1
    return bytes(changed)


PACKED: dict[str, tuple[Edit, str]] = {
    "one byte cut": (lambda c: c[:-1], "the gzip data is cut short"),
    "trailer cut": (lambda c: c[:-8], "the gzip data is cut short"),
    "half": (lambda c: c[: len(c) // 2], "the gzip data is cut short"),
    "eleven bytes": (lambda c: c[:11], "the gzip data is cut short"),
    "wrong check sum": (lambda c: flipped(c, -8), "the gzip data is damaged"),
    "wrong length": (lambda c: flipped(c, -4), "the gzip data is damaged"),
    "bit flipped": (lambda c: flipped(c, len(c) // 2), "the gzip data is|isn't a UTF-8 CSV header"),
    "bytes after": (lambda c: c + b"more", "the gzip data is damaged"),
    "cut second member": (lambda c: c + c[:-9], "the gzip data is cut short"),
    "plain text": (gzip.decompress, "named .gz but isn't gzip data"),
    "packed twice": (gzip.compress, "isn't a UTF-8 CSV header|UTF-16 or binary"),
    "zero bytes": (lambda c: b"", "the file is empty"),
    "nothing inside": (lambda c: gzip.compress(b""), "the file is empty"),
}  # fmt: skip


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("kind", PACKED)
def test_damaged_gz(tree: Path, tmp_path: Path, kind: str, table: str) -> None:
    edit, told = PACKED[kind]
    name = change(tree, table, lambda content: content, zipped=True)
    path = path_of(tree, table)
    path.write_bytes(edit(path.read_bytes()))
    message = refusal(tree, tmp_path / "out")
    assert message.startswith(f"{name}: ")
    assert any(words in message for words in told.split("|"))


@pytest.mark.parametrize("table", TABLES)
def test_gz_data_named_csv(tree: Path, tmp_path: Path, table: str) -> None:
    name = change(tree, table, gzip.compress)
    message = refusal(tree, tmp_path / "out")
    assert message == f"{name}: gzip data without the ending .gz; rename it to {name}.gz"


def record(table: str, **values: str) -> bytes:
    """A record whose fields are all numbers, but for those given."""
    return ",".join(values.get(name, "9") for name in TABLES[table].columns).encode()


def unclosed(table: str) -> bytes:
    fields = record(table).split(b",")
    return b",".join([*fields[:-1], f'"{MARK} never closed'.encode()]) + b"\n"


STRUCTURE: dict[str, tuple[Callable[[str], bytes], str]] = {
    "a field short": (lambda t: record(t).rpartition(b",")[0] + b"\n", " fields, the header has"),
    "a field long": (lambda t: record(t) + f",{MARK}\n".encode(), " fields, the header has"),
    "a line of a blank": (lambda _: b" \n", " has 1 fields, the header has"),
    "an end mark": (lambda _: b"\x1a", " has 1 fields, the header has"),
    "a line of commas": (
        lambda t: b"," * (len(TABLES[t].columns) - 1) + b"\n", "an empty field instead of",
    ),
    "a comment line": (lambda t: f"# {MARK}\n".encode(), " has 1 fields, the header has"),
    "semicolons from here": (
        lambda t: record(t).replace(b",", b";") + b"\n", " has 1 fields, the header has",
    ),
    "a quote opened": (unclosed, "is opened and never closed"),
    "a quote not doubled": (
        lambda t: record(t).rpartition(b",")[0] + f',"{MARK} "x" y"\n'.encode(),
        "must be doubled",
    ),
    "a quote after a backslash": (
        lambda t: record(t).rpartition(b",")[0] + f',"{MARK} \\"x\\" y"\n'.encode(),
        "must be doubled",
    ),
    "the header again": (
        lambda t: ",".join(TABLES[t].columns).encode() + b"\n", "text instead of",
    ),
    "another line end": (lambda t: record(t) + b"\r\n", "records end in LF in some places"),
}  # fmt: skip


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("kind", STRUCTURE)
def test_one_wrong_record(tree: Path, tmp_path: Path, kind: str, table: str) -> None:
    write, told = STRUCTURE[kind]
    # The packed form for every second table: both take the same way after unpacking.
    zipped = list(TABLES).index(table) % 2 == 1
    name = change(tree, table, appended(write(table)), zipped=zipped)
    message = refusal(tree, tmp_path / "out")
    assert message.startswith(f"{name}: rec")
    assert told in message


@pytest.mark.parametrize("table", TABLES)
def test_quote_missing_in_the_middle(tree: Path, tmp_path: Path, table: str) -> None:
    header, _, rest = path_of(tree, table).read_bytes().partition(b"\n")
    content = header + b"\n" + unclosed(table) + rest
    path_of(tree, table).write_bytes(content)
    assert refusal(tree, tmp_path / "out").startswith(f"{TABLES[table].folder}/{table}.csv: record")


@pytest.mark.parametrize("table", NOTES)
@pytest.mark.parametrize("cut", [3, 40, 400])
def test_note_cut_inside_its_text(tree: Path, tmp_path: Path, table: str, cut: int) -> None:
    text = f'9-DS-9,90000001,80000101,DS,9,,,"{MARK}{"x" * 500}"\n'.encode()
    name = change(tree, table, lambda content: (content + text)[:-cut])
    message = refusal(tree, tmp_path / "out")
    assert message.startswith(f"{name}: record")
    assert "is opened and never closed" in message


@pytest.mark.parametrize("table", NOTES)
def test_record_over_the_limit(tree: Path, tmp_path: Path, table: str) -> None:
    text = f'9-DS-9,9,,DS,9,,,"{MARK * (17 << 17)}"\n'.encode()
    name = change(tree, table, appended(text))
    message = refusal(tree, tmp_path / "out")
    assert message.startswith(f"{name}: record")
    assert "a field longer than 16 MiB" in message


@pytest.mark.parametrize("table", TABLES)
def test_files_joined_with_a_mark_between(tree: Path, tmp_path: Path, table: str) -> None:
    again = b"\xef\xbb\xbf" + path_of(tree, table).read_bytes()
    name = change(tree, table, appended(again))
    assert refusal(tree, tmp_path / "out").startswith(f"{name}: record")
