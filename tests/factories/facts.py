"""Facts of a note, and what a test compares of them."""

from __future__ import annotations

from tasks.contracts.records import Fact, FactKind
from tasks.ehr.facts import extract_facts
from tests.factories.records import bundle, discharge_note, patient


def facts_of(note: str, died: bool = False) -> tuple[Fact, ...]:
    return extract_facts(bundle(notes=[discharge_note(note)]), patient(died_in_hospital=died))


def pairs(facts: tuple[Fact, ...], kind: FactKind) -> list[tuple[str, str]]:
    return [(fact.label, fact.value) for fact in facts if fact.kind is kind]
