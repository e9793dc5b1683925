from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from tasks.contracts.build import STAGES, ExpectationResult
from tasks.gates.suite_files import SuiteEntry, load_suites
from tasks.gates.suites import run_gate
from tests.gates.stage_tables import sound_tables

ENTRIES = [
    (stage, number)
    for stage in STAGES
    for number in range(max(len(suite.content.expectations) for suite in load_suites(stage)))
]

ONLY_FOR_PEOPLE = {
    "bundles": {"subject_id"},
    "dialogues_turns": {"hadm_id"},
    "dialogues_conversations": {"subject_id", "turns"},
    "timelines_sessions": {"subject_id"},
    "questions_items": {"subject_id", "scope", "question_type"},
    "questions_admissions": {"subject_id"},
    "audits_support_citations": {"id"},
    "source": {"rows"},
}


@pytest.mark.parametrize("stage", STAGES)
def test_sound_data_passes_its_gate(stage: str) -> None:
    result = run_gate(stage, sound_tables()[stage])
    assert [one for one in result.results if not one.success] == []
    assert result.success
    assert result.rows == sum(table.height for table in sound_tables()[stage].values())


@pytest.mark.parametrize(("stage", "number"), ENTRIES)
def test_a_corrupted_table_fails_exactly_its_expectation(stage: str, number: int) -> None:
    """Each of the stage's tables is broken for the suite's entry of this number, if it has one."""
    tables = dict(sound_tables()[stage])
    broken: list[tuple[tuple[str, str, str], tuple[str, ...]]] = []
    for suite in load_suites(stage):
        for entry in suite.content.expectations[number : number + 1]:
            tables[suite.name], ids = corrupt(tables[suite.name], entry)
            broken.append(((suite.name, entry.type, entry.meta.notes), ids))

    result = run_gate(stage, tables)

    failed = [one for one in result.results if not one.success]
    assert [(describe(one), one.first_ids) for one in failed] == broken
    assert [(one.error, one.failed_rows) for one in failed] == [("", len(ids)) for _, ids in broken]
    assert not result.success


@pytest.mark.parametrize("stage", STAGES)
def test_every_column_of_a_table_is_judged(stage: str) -> None:
    for suite in load_suites(stage):
        judged: set[str] = set()
        for entry in suite.content.expectations:
            judged.update(str(v) for k, v in entry.kwargs.items() if k.startswith("column"))
        columns = set(sound_tables()[stage][suite.name].columns)
        assert columns - judged == ONLY_FOR_PEOPLE.get(suite.name, set())


def describe(result: ExpectationResult) -> tuple[str, str, str]:
    kind = result.expectation.removeprefix(f"{result.table}: ").split("(", maxsplit=1)[0]
    return result.table, kind, result.notes


def corrupt(table: pl.DataFrame, entry: SuiteEntry) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """Break one expectation in the table's last row; returns the ids that must be named."""
    last = table.height - 1
    last_id = str(table["id"][last])
    kwargs: dict[str, Any] = dict(entry.kwargs)
    if entry.type == "expect_table_row_count_to_be_between":
        return table.head(kwargs["min_value"] - 1), ()
    if entry.type == "expect_column_values_to_be_unique":
        first_id = str(table["id"][0])
        return put(table, "id", last, first_id), (first_id, first_id)
    if entry.type == "expect_column_pair_values_to_be_equal":
        changed = put(table, kwargs["column_A"], last, table[kwargs["column_A"]][last] + 1)
        return changed, (last_id,)
    column = kwargs["column"]
    if entry.type == "expect_column_values_to_be_in_set":
        other = "Nurse" if isinstance(kwargs["value_set"][0], str) else not kwargs["value_set"][0]
        return put(table, column, last, other), ("Nurse" if column == "id" else last_id,)
    bound = kwargs["min_value"] - 1 if "min_value" in kwargs else kwargs["max_value"] + 1
    return put(table, column, last, bound), (last_id,)


def put(table: pl.DataFrame, column: str, row: int, value: object) -> pl.DataFrame:
    values = table[column].to_list()
    values[row] = value
    return table.with_columns(pl.Series(column, values, dtype=table[column].dtype))
