from __future__ import annotations

import pytest

from tasks.contracts.build import STAGES
from tasks.gates.suites import run_gate
from tests.gates.breaking import broken, entries_of, failures_of, unjudged_columns
from tests.gates.stage_tables import sound_tables

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
    assert failures_of(result) == []
    assert result.success
    assert result.rows == sum(table.height for table in sound_tables()[stage].values())


@pytest.mark.parametrize(("stage", "number"), entries_of(STAGES))
def test_a_corrupted_table_fails_exactly_its_expectation(stage: str, number: int) -> None:
    tables, expected = broken(stage, number, sound_tables()[stage])
    result = run_gate(stage, tables)
    assert failures_of(result) == expected
    assert not result.success


@pytest.mark.parametrize("stage", STAGES)
def test_every_column_of_a_table_is_judged(stage: str) -> None:
    tables = sound_tables()[stage]
    left = {name: ONLY_FOR_PEOPLE[name] for name in tables if name in ONLY_FOR_PEOPLE}
    assert unjudged_columns(stage, tables) == left
