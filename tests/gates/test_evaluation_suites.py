from __future__ import annotations

import pytest

from tasks.gates.suites import run_gate
from tests.gates.breaking import broken, entries_of, failures_of, unjudged_columns
from tests.gates.evaluation_tables import STAGES, evaluation_tables


@pytest.mark.parametrize("stage", STAGES)
def test_a_sound_evaluation_passes_its_gates(stage: str) -> None:
    result = run_gate(stage, evaluation_tables()[stage])
    assert failures_of(result) == []
    assert result.rows == sum(table.height for table in evaluation_tables()[stage].values())


@pytest.mark.parametrize(("stage", "number"), entries_of(STAGES))
def test_a_corrupted_table_fails_exactly_its_expectation(stage: str, number: int) -> None:
    tables, expected = broken(stage, number, evaluation_tables()[stage])
    result = run_gate(stage, tables)
    assert failures_of(result) == expected
    assert not result.success


@pytest.mark.parametrize("stage", STAGES)
def test_every_column_but_the_patient_is_judged(stage: str) -> None:
    tables = evaluation_tables()[stage]
    of_patients = {name: {"subject_id"} for name in tables if "subject_id" in tables[name].columns}
    assert unjudged_columns(stage, tables) == of_patients
