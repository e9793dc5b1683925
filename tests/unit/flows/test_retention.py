from __future__ import annotations

import sqlite3
from collections.abc import Generator
from contextlib import closing
from pathlib import Path

import pytest

from flows import retention
from flows.retention import compact


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """A database of which nearly everything was deleted, as a server keeps it."""
    path = tmp_path / "prefect.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("pragma journal_mode = wal")
        connection.execute("create table log (message text)")
        connection.executemany("insert into log values (?)", [("x" * 1000,)] * 2000)
        connection.execute("delete from log")
        connection.commit()
    return path


@pytest.fixture
def reader(database: Path) -> Generator[sqlite3.Connection]:
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        connection.execute("begin")
        connection.execute("select count(*) from log").fetchall()
        yield connection


def test_space_of_deleted_rows_is_given_back(database: Path) -> None:
    sizes = compact(database)
    assert sizes is not None
    assert sizes[0] > 2_000_000
    assert sizes[1] < 20_000


def test_a_reader_that_stays_is_told_instead_of_a_size(
    database: Path, reader: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention, "_BUSY_SECONDS", 0.0)
    assert compact(database) is None
    reader.execute("commit")
    assert compact(database) is not None


def test_a_reader_that_ends_is_waited_for(
    database: Path, reader: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    def end_reading(_seconds: float) -> None:
        reader.execute("commit")

    monkeypatch.setattr(retention.time, "sleep", end_reading)
    sizes = compact(database)
    assert sizes is not None
    assert sizes[1] < 20_000
