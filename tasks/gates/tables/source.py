"""The source gate's table: a row an input file."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

import polars as pl

from tasks.contracts.build import SourceFileInfo
from tasks.gates.tables.rows import table

NEEDED_TABLES = ("patients", "admissions", "diagnoses_icd", "discharge")
"""Tables without which there is nobody to talk to and nothing to say; the others may be empty."""

_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class SourceRow:
    """One input file; ``id`` is its MIMIC table."""

    id: str
    bytes: int
    was_read: bool
    rows: int
    needed_but_empty: bool
    digest_ok: bool


def source_tables(files: Iterable[SourceFileInfo]) -> dict[str, pl.DataFrame]:
    """The table ``source`` of the files as they were read."""
    rows = [
        SourceRow(
            id=file.table,
            bytes=file.bytes,
            was_read=file.rows is not None,
            rows=file.rows or 0,
            needed_but_empty=file.table in NEEDED_TABLES and not file.rows,
            digest_ok=_SHA256.fullmatch(file.sha256) is not None,
        )
        for file in files
    ]
    return {"source": table(rows, SourceRow)}
