from __future__ import annotations

import pytest

from tasks.contracts.clock import parse_time
from tasks.contracts.dialogue import SourcedLine
from tasks.contracts.records import Fact, FactKind, SourceSpan
from tasks.dialogue.tracing import trace_turns
from tests.factories.records import bundle


def line(number: int, *sources: str) -> SourcedLine:
    return SourcedLine(
        turn_number=number,
        time=parse_time("2150-06-01 10:00:00"),
        speaker="Doctor",
        text="Something is said.",
        sources=sources,
    )


def fact(fact_id: str, label: str, source: SourceSpan) -> Fact:
    return Fact(
        fact_id=fact_id, kind=FactKind.STAY, label=label, value="x", time=None, source=source
    )


ADMISSION = bundle()
NOTE = ADMISSION.discharge_notes[0]


@pytest.mark.parametrize(
    ("source", "label", "pointers"),
    [
        (SourceSpan(table="diagnoses_icd", item="2"), "asthma", ("/diagnoses/2",)),
        (SourceSpan(table="procedures_icd", item="0"), "dialysis", ("/procedures/0",)),
        (SourceSpan(table="microbiologyevents", item="11"), "urine", ("/microbiology/11",)),
        (SourceSpan(table="admissions", item="0"), "admission date", ("/admission_start",)),
        (SourceSpan(table="admissions", item="0"), "discharge date", ("/admission_end",)),
        (
            SourceSpan(table="admissions", item="0"),
            "length of stay",
            ("/admission_start", "/admission_end"),
        ),
        (
            SourceSpan(table="discharge", item=NOTE.note_id, section="Allergies", start=3, end=9),
            "penicillin",
            ("/discharge_notes/0/text",),
        ),
    ],
)
def test_a_source_leads_into_the_packet(
    source: SourceSpan, label: str, pointers: tuple[str, ...]
) -> None:
    evidence = trace_turns([line(4, "a:1")], [fact("a:1", label, source)], ADMISSION)
    ((turn,), (item,)) = evidence.turns, evidence.turns[0].items
    assert (evidence.hadm_id, turn.turn_number) == (ADMISSION.hadm_id, 4)
    assert (item.fact_id, item.table, item.pointers) == ("a:1", source.table, pointers)
    assert (item.section, item.start, item.end) == (source.section, source.start, source.end)
    assert item.whole


def test_a_problem_of_the_previous_summary_leads_to_the_summary() -> None:
    evidence = trace_turns([line(5, "previous:1")], [], ADMISSION)
    (item,) = evidence.turns[0].items
    assert item.pointers == ("/previous_admission_summary/problems/1",)
    assert item.table == "summary"


def test_turns_that_state_nothing_are_left_out() -> None:
    source = SourceSpan(table="diagnoses_icd", item="0")
    evidence = trace_turns(
        [line(1), line(2, "a:1"), line(3)], [fact("a:1", "x", source)], ADMISSION
    )
    assert [turn.turn_number for turn in evidence.turns] == [2]
