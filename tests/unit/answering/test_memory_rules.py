"""Memories by rules."""

from tasks.answering.memory_rules import (
    decide_by_rules,
    extract_by_rules,
    extract_typed_by_rules,
    summarise_by_rules,
)
from tasks.answering.memory_shapes import DecideInput, ExtractInput, SummaryInput
from tasks.answering.timeline import ContextLine
from tasks.contracts.clock import parse_time

FIRST, LATER = "2150-01-10 10:00:00", "2150-03-05 10:00:00"


def _line(text: str, time: str = FIRST, speaker: str = "Doctor") -> ContextLine:
    return ContextLine(parse_time(time), speaker, text)


def test_what_the_doctor_states_is_remembered_in_time_order():
    lines = (
        _line("Good day. Your potassium was 5.9 this morning. Do you feel weak at all?"),
        _line("I have felt weak since last week.", speaker="Patient"),
        _line("We gave furosemide 40 mg.", LATER),
    )
    found = extract_by_rules(ExtractInput(summary="", existing=(), lines=lines)).candidates
    assert [(one.time, one.text) for one in found] == [
        (FIRST, "Your potassium was 5.9 this morning."),
        (LATER, "We gave furosemide 40 mg."),
    ]


def test_what_is_known_is_left_out_and_at_most_32_are_kept():
    known = (_line("We gave furosemide 40 mg."),)
    lines = (known[0], *(_line(f"On day {n} the weight was {n} kg.") for n in range(1, 41)))
    found = extract_by_rules(ExtractInput(summary="", existing=known, lines=lines)).candidates
    assert len(found) == 32
    assert "We gave furosemide 40 mg." not in [one.text for one in found]


def test_kinds_follow_the_wording():
    lines = (
        _line("You have a chronic heart failure."),
        _line("We stopped it because of the cough."),
        _line("The chest film was done today."),
    )
    found = extract_typed_by_rules(ExtractInput(summary="", existing=(), lines=lines)).candidates
    assert [one.kind for one in found] == ["core", "semantic", "episodic"]


def test_decisions_follow_the_words_in_common():
    memories = (_line("We gave furosemide 40 mg in the morning."), _line("You have asthma."))
    candidates = (
        _line("We gave furosemide 40 mg in the morning."),
        _line("We gave furosemide 80 mg in the morning."),
        _line("We gave furosemide 80 mg in the morning.", LATER),
        _line("The ward has a view of the river."),
    )
    said = decide_by_rules(DecideInput(memories=memories, candidates=candidates)).decisions
    assert [(one.operation, one.memory) for one in said] == [
        ("NOOP", 1),
        ("UPDATE", 1),
        ("ADD", None),
        ("ADD", None),
    ]


def test_the_summary_grows_by_a_line_a_chunk_and_forgets_the_oldest():
    added = (_line("Weak."), _line("Potassium was 5.9."))
    first = summarise_by_rules(SummaryInput(summary="", added=added)).summary
    assert first == "2150-01-10: Potassium was 5.9."
    assert summarise_by_rules(SummaryInput(summary=first, added=())).summary == first
    full = " / ".join(f"2149-01-01: {'x' * 100} {n}" for n in range(10))
    grown = summarise_by_rules(SummaryInput(summary=full, added=added)).summary
    assert len(grown) <= 1200
    assert grown.endswith("2150-01-10: Potassium was 5.9.")
