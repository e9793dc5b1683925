from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from tasks.adapters.resources import read_sql
from tests.factories.mimic_tree import TABLES


class SqlBench:
    """Runs SQL files over small CSV texts, without the reader."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._connection = duckdb.connect()
        self.run("staging/conversions.sql")

    def close(self) -> None:
        self._connection.close()

    def run(self, sql: str, **parameters: object) -> list[tuple[Any, ...]]:
        return self._connection.execute(read_sql(sql), parameters or None).fetchall()

    def rows(self, statement: str, *parameters: object) -> list[tuple[Any, ...]]:
        return self._connection.execute(statement, parameters or None).fetchall()

    def stage(self, table: str, columns: str, *records: str) -> None:
        """Make the raw view from CSV lines, other columns empty, and the staging view on it."""
        given = columns.split(",")
        path = self._folder / f"{table}.csv"
        path.write_text("\n".join((columns, *records)) + "\n", encoding="utf-8")
        relation = self._connection.read_csv(
            str(path), auto_detect=False, header=True, columns=dict.fromkeys(given, "VARCHAR")
        )
        missing = [column for column in TABLES[table].columns if column not in given]
        filled = ["*", *(f"cast(null as varchar) as {column}" for column in missing)]
        relation.project(", ".join(filled)).create_view(f"raw_{table}", replace=True)
        self.run(f"staging/{table}.sql")

    def load(self, table: str, columns: str, *records: str) -> None:
        """Stage CSV lines and make the table that cohort and bundle queries read."""
        self.stage(table, columns, *records)
        self.run(f"cohort/{table}.sql")


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[SqlBench]:
    sql = SqlBench(tmp_path)
    yield sql
    sql.close()


@pytest.fixture
def hospital(bench: SqlBench) -> SqlBench:
    """Patients 1 (two admissions), 2 (one) and 3 (one); 1 and 2 are candidates."""
    bench.load(
        "patients", "subject_id,gender,anchor_age,anchor_year,dod", "1,F,60,2150,", "2,M,70,2150,",
        "3,F,80,2150,2151-01-01",
    )  # fmt: skip
    bench.load(
        "admissions",
        "subject_id,hadm_id,admittime,dischtime",
        "1,11,2150-01-01 08:00:00,2150-01-03 08:00:00",
        "1,12,2151-01-01 08:00:00,2151-01-03 08:00:00",
        "2,21,2150-05-01 08:00:00,2150-05-03 08:00:00",
        "3,31,2150-06-01 08:00:00,2150-06-03 08:00:00",
    )
    bench.run("cohort/candidates.sql", subject_ids=[], candidate_limit=2)
    return bench
