from __future__ import annotations

import pytest

from tasks.gates.suites import run_gate
from tests.gates.breaking import broken, entries_of, failures_of, unjudged_columns
from tests.gates.preconsult_tables import STAGES, preconsult_tables


@pytest.mark.parametrize("stage", STAGES)
def test_a_sound_pre_consultation_passes_its_gates(stage: str) -> None:
    result = run_gate(stage, preconsult_tables()[stage])
    assert failures_of(result) == []
    assert result.rows == sum(table.height for table in preconsult_tables()[stage].values())


@pytest.mark.parametrize(("stage", "number"), entries_of(STAGES))
def test_a_corrupted_table_fails_exactly_its_expectation(stage: str, number: int) -> None:
    tables, expected = broken(stage, number, preconsult_tables()[stage])
    result = run_gate(stage, tables)
    assert failures_of(result) == expected
    assert not result.success


@pytest.mark.parametrize("stage", STAGES)
def test_every_column_of_a_table_is_judged(stage: str) -> None:
    assert unjudged_columns(stage, preconsult_tables()[stage]) == {}
