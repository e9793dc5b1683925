"""A slow second opinion on a CSV file that DuckDB refused or counted differently.

DuckDB's own error quotes the record, which is patient text, and can be a false alarm; this reader
walks the file record by record, names what is wrong by its number alone, and writes sound
records in a form that DuckDB can't misread.
"""

from __future__ import annotations

import csv
import gzip
import io
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

import pyarrow as pa
import pyarrow.parquet as pq

from tasks.adapters.mimic_files import MimicFile
from tasks.contracts.errors import SourceError

RECORD_LIMIT_BYTES = 16 << 20
"""Longest record that is read; MIMIC's longest note is far below."""

_BATCH_RECORDS = 50_000
_BATCH_CHARACTERS = 32 << 20


def transcribe(file: MimicFile, target: Path) -> int:
    """Write a sound CSV file's records as Parquet text columns; returns their number.

    Memory is bounded, unlike DuckDB's own way around the false alarm, which holds the whole file.
    Raises SourceError with file, record number (from 1 after the header) and what is wrong: a
    wrong number of fields, quotes that don't pair, mixed line ends, an oversized record.
    """
    schema = pa.schema([(column, pa.string()) for column in file.columns])
    written = 0
    with pq.ParquetWriter(target, schema) as writer:
        for batch in _batches(_records(file)):
            columns = [[value or None for value in column] for column in zip(*batch, strict=True)]
            writer.write_table(pa.table(columns, schema=schema))
            written += len(batch)
    return written


def _batches(records: Iterator[list[str]]) -> Iterator[list[list[str]]]:
    batch: list[list[str]] = []
    characters = 0
    for record in records:
        batch.append(record)
        characters += sum(map(len, record))
        if characters > _BATCH_CHARACTERS or len(batch) == _BATCH_RECORDS:
            yield batch
            batch, characters = [], 0
    if batch:
        yield batch


def _records(file: MimicFile) -> Iterator[list[str]]:
    ends = _LineEnds()
    number = 0
    # For the whole process, and two files may be read at once: never set back.
    csv.field_size_limit(RECORD_LIMIT_BYTES)
    with _text(file) as stream:
        reader = csv.reader(ends.watch(stream), strict=True)
        try:
            for fields in filter(None, reader):
                _check_fields(file, fields, number)
                ends.close_record()
                if number:
                    yield fields
                number += 1
        except csv.Error as error:
            raise SourceError(f"{file.name}: record {number}: {_reason(error)}") from None
    if ends.mixed:
        raise SourceError(
            f"{file.name}: records end in LF in some places and in CRLF in others; save the file "
            "with one kind of line end"
        )


def _check_fields(file: MimicFile, fields: list[str], record: int) -> None:
    if len(fields) != len(file.columns):
        raise SourceError(
            f"{file.name}: record {record} has {len(fields)} fields, the header has "
            f"{len(file.columns)}; a comma, quote or line end is missing or too many there"
        )


def _reason(error: csv.Error) -> str:
    message = str(error)
    if "field limit" in message:
        return f"a field longer than {RECORD_LIMIT_BYTES >> 20} MiB; shorten or remove the record"
    if "unexpected end" in message:
        return "a quotation mark is opened and never closed; the file is cut or damaged"
    return "quotation marks inside a quoted field must be doubled"


class _LineEnds:
    """Which line ends close records; those inside quoted text don't count."""

    def __init__(self) -> None:
        self._last = ""
        self._seen: set[str] = set()

    @property
    def mixed(self) -> bool:
        return len(self._seen) > 1

    def watch(self, stream: TextIO) -> Iterator[str]:
        for line in stream:
            self._last = line[-2:]
            yield line

    def close_record(self) -> None:
        if self._last.endswith("\n"):
            self._seen.add("\r\n" if self._last == "\r\n" else "\n")


@contextmanager
def _text(file: MimicFile) -> Generator[TextIO]:
    with (
        gzip.open(file.path) if file.path.suffix == ".gz" else file.path.open("rb") as raw,
        io.TextIOWrapper(raw, encoding="utf-8-sig", newline="") as stream,
    ):
        yield stream
