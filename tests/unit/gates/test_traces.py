from __future__ import annotations

from typing import Any

import pytest

from tasks.contracts.dialogue import AdmissionDialogue
from tasks.contracts.evidence import AdmissionEvidence, EvidenceItem, TurnEvidence
from tasks.gates.tables.traces import evidence_rows, untraced_facts
from tests.factories.released_patients import SUBJECTS, patient_sessions


def sound() -> AdmissionDialogue:
    return patient_sessions(SUBJECTS[0]).dialogues[0]


def with_item(turn: int = 3, **changes: Any) -> AdmissionDialogue:
    """The sound dialogue with its second turn's item changed."""
    dialogue = sound()
    first, second = dialogue.evidence.turns
    item = second.items[0].model_copy(update=changes)
    turns = (first, TurnEvidence(turn_number=turn, items=(item,)))
    evidence = AdmissionEvidence(
        subject_id=dialogue.bundle.subject_id, hadm_id=dialogue.bundle.hadm_id, turns=turns
    )
    return dialogue.model_copy(update={"evidence": evidence})


def test_sound_evidence_resolves() -> None:
    rows = list(evidence_rows(sound()))
    assert [row.id for row in rows] == ["88001001#1#stay:1", "88001001#3#treatment:1"]
    assert all(row.turn_exists and row.stated_in_reply and row.span_inside_text for row in rows)
    assert [row.unresolved_pointers for row in rows] == [0, 0]
    assert untraced_facts(sound()) == 0


@pytest.mark.parametrize(
    ("changes", "column"),
    [
        ({"turn": 99}, "turn_exists"),
        ({"fact_id": "lab:7"}, "stated_in_reply"),
        ({"end": 10_000_000}, "span_inside_text"),
        ({"start": -1}, "span_inside_text"),
        ({"start": 4}, "span_inside_text"),
        ({"start": None}, "span_inside_text"),
        ({"pointers": ("/diagnoses/0",)}, "span_inside_text"),
    ],
)
def test_a_fault_of_an_item_shows_in_its_column(changes: dict[str, Any], column: str) -> None:
    row = list(evidence_rows(with_item(**changes)))[1]
    assert getattr(row, column) is False


@pytest.mark.parametrize(
    "pointer", ["/discharge_notes/9/text", "/nothing", "/diagnoses/x", "/hadm_id/0"]
)
def test_a_pointer_into_nothing_is_counted(pointer: str) -> None:
    row = list(evidence_rows(with_item(pointers=(pointer,))))[1]
    assert row.unresolved_pointers == 1


def test_a_stated_fact_without_evidence_is_counted() -> None:
    dialogue = sound()
    evidence = dialogue.evidence.model_copy(update={"turns": dialogue.evidence.turns[:1]})
    assert untraced_facts(dialogue.model_copy(update={"evidence": evidence})) == 1


def test_an_item_names_one_place_at_least() -> None:
    with pytest.raises(ValueError, match="pointers"):
        EvidenceItem(fact_id="a:1", whole=True, table="discharge", pointers=())
