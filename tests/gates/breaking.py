"""What the suites of every gate are tested by: sound tables, broken for one entry at a time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from tasks.contracts.build import GateResult
from tasks.gates.suite_files import SuiteEntry, load_suites

Tables = Mapping[str, pl.DataFrame]


@dataclass(frozen=True)
class Failure:
    """An entry that isn't met: what it is, how many rows broke it and which are named."""

    table: str
    kind: str
    notes: str
    rows: int
    first_ids: tuple[str, ...]
    error: str = ""


def entries_of(stages: Iterable[str]) -> list[tuple[str, int]]:
    """A stage and a number of an entry, for all that a suite of the stage has."""
    return [
        (stage, number)
        for stage in stages
        for number in range(max(len(suite.content.expectations) for suite in load_suites(stage)))
    ]


def failures_of(result: GateResult) -> list[Failure]:
    """What a gate found wrong."""
    return [
        Failure(
            table=one.table,
            kind=one.expectation.removeprefix(f"{one.table}: ").split("(", maxsplit=1)[0],
            notes=one.notes,
            rows=one.failed_rows,
            first_ids=one.first_ids,
            error=one.error,
        )
        for one in result.results
        if not one.success
    ]


def broken(stage: str, number: int, sound: Tables) -> tuple[dict[str, pl.DataFrame], list[Failure]]:
    """Tables that are broken for their suite's entry of this number, if any, and what fails."""
    tables = dict(sound)
    failures: list[Failure] = []
    for suite in load_suites(stage):
        for entry in suite.content.expectations[number : number + 1]:
            tables[suite.name], ids = _corrupt(tables[suite.name], entry)
            failures.append(Failure(suite.name, entry.type, entry.meta.notes, len(ids), ids))
    return tables, failures


def unjudged_columns(stage: str, tables: Tables) -> dict[str, set[str]]:
    """By table: columns that no entry reads, and those that one reads and the table lacks."""
    unjudged: dict[str, set[str]] = {}
    for suite in load_suites(stage):
        judged: set[str] = set()
        for entry in suite.content.expectations:
            judged.update(str(v) for k, v in entry.kwargs.items() if k.startswith("column"))
        if left := set(tables[suite.name].columns) ^ judged:
            unjudged[suite.name] = left
    return unjudged


def _corrupt(table: pl.DataFrame, entry: SuiteEntry) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """Break one expectation in the table's last row; returns the ids that must be named."""
    last = table.height - 1
    last_id = str(table["id"][last])
    kwargs: dict[str, Any] = dict(entry.kwargs)
    if entry.type == "expect_table_row_count_to_be_between":
        return table.head(kwargs["min_value"] - 1), ()
    if entry.type == "expect_column_values_to_be_unique":
        first_id = str(table["id"][0])
        return _put(table, "id", last, first_id), (first_id, first_id)
    if entry.type == "expect_column_pair_values_to_be_equal":
        changed = _put(table, kwargs["column_A"], last, table[kwargs["column_A"]][last] + 1)
        return changed, (last_id,)
    column = kwargs["column"]
    if entry.type == "expect_column_values_to_be_in_set":
        other = "Nurse" if isinstance(kwargs["value_set"][0], str) else not kwargs["value_set"][0]
        return _put(table, column, last, other), ("Nurse" if column == "id" else last_id,)
    if entry.type == "expect_column_values_to_not_be_in_set":
        return _put(table, column, last, kwargs["value_set"][0]), (last_id,)
    bound = kwargs["min_value"] - 1 if "min_value" in kwargs else kwargs["max_value"] + 1
    return _put(table, column, last, bound), (last_id,)


def _put(table: pl.DataFrame, column: str, row: int, value: object) -> pl.DataFrame:
    values = table[column].to_list()
    values[row] = value
    return table.with_columns(pl.Series(column, values, dtype=table[column].dtype))
