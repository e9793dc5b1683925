"""Finds MIMIC's files below the folders that the user gave, and reads their header lines."""

from __future__ import annotations

import csv
import gzip
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tasks.adapters.mimic_folders import entries, hosp_folder, kind_of, note_folder
from tasks.adapters.mimic_tables import HOSP_TABLES, NOTE_TABLES, MimicTable
from tasks.contracts.errors import SourceError

_HEADER_BYTES = 1 << 16
_WIDE_MARKS = (b"\xff\xfe", b"\xfe\xff")
_GZIP_MARK = b"\x1f\x8b"


@dataclass(frozen=True)
class MimicFile:
    """One input file: where it is and its columns, lower-cased, in the file's own order.

    ``name`` is the path below the given folder (``hosp/patients.csv``), ``passed_over`` the name
    of a second copy that isn't read, ``extra_columns`` are those that MIMIC doesn't document.
    """

    table: str
    name: str
    path: Path
    columns: tuple[str, ...]
    extra_columns: tuple[str, ...]
    passed_over: str


def locate_hosp(mimic: Path, option: str = "--mimic") -> tuple[MimicFile, ...]:
    """The seven files of ``mimic/hosp``, headers checked.

    Raises SourceError for a wrong folder (given as ``option``), a missing file or a header that
    lacks columns.
    """
    return _locate(hosp_folder(mimic, option), HOSP_TABLES)


def locate_source(mimic: Path, note: Path | None = None) -> tuple[MimicFile, ...]:
    """All nine files: ``mimic/hosp`` and the note folder (default ``mimic/note``).

    Where a table is there as .csv and as .csv.gz, the plain .csv is read. Raises SourceError.
    """
    hosp = locate_hosp(mimic)
    return (*hosp, *_locate(note_folder(mimic, note), NOTE_TABLES))


def _locate(folder: Path, tables: Iterable[MimicTable]) -> tuple[MimicFile, ...]:
    return tuple(_open_table(folder, table) for table in tables)


def _find(folder: Path, table: str) -> tuple[Path, ...]:
    candidates = (folder / f"{table}.csv", folder / f"{table}.csv.gz")
    return tuple(path for path in candidates if kind_of(path) != "nothing")


def _open_table(folder: Path, table: MimicTable) -> MimicFile:
    found = _find(folder, table.name)
    if not found:
        raise SourceError(
            f"{table.folder}/{table.name}.csv: looked for {table.name}.csv and "
            f"{table.name}.csv.gz in {folder} and found neither; {_near_names(folder, table.name)}"
        )
    path = found[0]
    name = f"{table.folder}/{path.name}"
    header = _split_header(_first_line(path, name), name)
    columns = _check_columns(header, table, name)
    extra = tuple(column for column in columns if column not in table.columns)
    passed_over = f"{table.folder}/{found[1].name}" if len(found) > 1 else ""
    return MimicFile(table.name, name, path, columns, extra, passed_over)


def _near_names(folder: Path, table: str) -> str:
    """What to do about a file of nearly the name, such as Discharge.csv or discharge.csv.bz2."""
    near = [path for path in entries(folder) if path.name.casefold().startswith(f"{table}.")]
    if not near:
        return "copy the file there"
    name = near[0].name
    if name.casefold() in (f"{table}.csv", f"{table}.csv.gz"):
        return f"{name} is there: rename it {name.casefold()}"
    return f"{name} is there, which isn't read: unpack it or save it as {table}.csv"


def _first_line(path: Path, name: str) -> bytes:
    start = _read_start(path, name)
    if not start:
        raise SourceError(f"{name}: the file is empty; expected a header line and records")
    line, _, rest = start.partition(b"\n")
    if start.startswith(_WIDE_MARKS) or b"\0" in line:
        raise SourceError(f"{name}: the file is UTF-16 or binary; save it as UTF-8 CSV")
    if b"\r" in line.removesuffix(b"\r"):
        raise SourceError(f"{name}: lines end in CR alone; save the file with LF or CRLF")
    if len(start) >= _HEADER_BYTES and not rest and line == start:
        raise SourceError(f"{name}: no header line within the first {_HEADER_BYTES} bytes")
    return line.removesuffix(b"\r").removeprefix(b"\xef\xbb\xbf")


def _read_start(path: Path, name: str) -> bytes:
    # A pipe would block for ever, and can't be read twice.
    if (kind := kind_of(path)) not in ("a file", "something unreadable"):
        raise SourceError(f"{name}: can't be read: it is {kind}, not a file; put the file there")
    try:
        with path.open("rb") as stream:
            mark = stream.read(2)
        if path.suffix == ".gz" and mark and mark != _GZIP_MARK:
            raise SourceError(f"{name}: named .gz but isn't gzip data; rename or fetch it again")
        if path.suffix != ".gz" and mark == _GZIP_MARK:
            raise SourceError(f"{name}: gzip data without the ending .gz; rename it to {name}.gz")
        with gzip.open(path) if path.suffix == ".gz" and mark else path.open("rb") as stream:
            return stream.read(_HEADER_BYTES)
    except EOFError:
        raise SourceError(f"{name}: the gzip data is cut short; fetch the file again") from None
    except (gzip.BadGzipFile, zlib.error):
        raise SourceError(f"{name}: the gzip data is damaged; fetch the file again") from None
    except OSError as error:
        raise SourceError(f"{name}: can't be read ({error.strerror}); check the file") from None


def _split_header(line: bytes, name: str) -> tuple[str, ...]:
    try:
        text = line.decode("utf-8")
        fields = next(csv.reader([text], strict=True), [])
    except (UnicodeDecodeError, csv.Error):
        raise SourceError(f"{name}: the first line isn't a UTF-8 CSV header") from None
    names = (field.strip().casefold() for field in fields)
    # A spreadsheet may leave columns without a name at the right end.
    return tuple(name or f"unnamed_{place}" for place, name in enumerate(names, start=1))


def _check_columns(header: tuple[str, ...], table: MimicTable, name: str) -> tuple[str, ...]:
    present = [column for column in table.columns if column in header]
    if not present:
        raise SourceError(
            f"{name}: the first line holds none of MIMIC's column names; expected the header "
            f"{','.join(table.columns)}, separated by commas"
        )
    missing = [column for column in table.columns if column not in header]
    if missing:
        raise SourceError(
            f"{name}: column {', '.join(missing)} is missing; expected MIMIC-IV v3.1's and "
            f"MIMIC-IV-Note v2.2's columns {','.join(table.columns)}"
        )
    repeated = sorted({column for column in header if header.count(column) > 1})
    if repeated:
        raise SourceError(f"{name}: column {', '.join(repeated)} stands twice in the header")
    return header
