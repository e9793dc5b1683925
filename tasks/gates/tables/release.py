"""The release gate's tables: a row a file, and a row a figure of the manifest."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import polars as pl

from tasks.contracts.release import ReleaseCount, ReleaseFile
from tasks.gates.tables.rows import table


@dataclass(frozen=True, slots=True)
class FileRow:
    """One path of the release; ``id`` is the path below the release folder."""

    id: str
    expected: bool
    present: bool
    listed: bool
    bytes_equal: bool
    digest_equal: bool


@dataclass(frozen=True, slots=True)
class CountRow:
    """One figure of the manifest; ``id`` is its name."""

    id: str
    stated: int
    found: int


def release_tables(
    files: Iterable[ReleaseFile], counts: Iterable[ReleaseCount]
) -> dict[str, pl.DataFrame]:
    """The tables ``release_files`` and ``release_counts``."""
    file_rows = [
        FileRow(
            id=file.path,
            expected=file.expected,
            present=file.present,
            listed=file.listed,
            bytes_equal=file.bytes_equal,
            digest_equal=file.digest_equal,
        )
        for file in files
    ]
    count_rows = [CountRow(id=one.name, stated=one.stated, found=one.found) for one in counts]
    return {
        "release_files": table(file_rows, FileRow),
        "release_counts": table(count_rows, CountRow),
    }
