"""Nobody is spoken to on a ventilator, and nothing is told before it is known."""

import re

import pytest

from tasks.contracts.clock import format_time, parse_time
from tasks.contracts.records import Fact, FactKind
from tasks.dialogue.rules import violations
from tests.factories.records import bundle, fact
from tests.unit.dialogue.test_composition import STORY, compose, stay_facts, turn_of

NOON = parse_time("2150-06-01 12:00:00")


def ventilation(title: str, over: str) -> Fact:
    detail = {"date": "2150-06-01", "title": title, "reported": over}
    return fact(FactKind.PROCEDURE, title, "2150-06-01", 7, NOON, detail)


LONG = ventilation("Respiratory Ventilation, 24-48 Consecutive Hours", "2150-06-03 12:00:00")


def test_no_turn_lies_in_the_hours_of_a_ventilation_and_it_is_told_afterwards() -> None:
    reply = compose([*STORY, LONG])
    times = [format_time(line.time) for line in reply.conversation_lines]
    assert [time for time in times if "2150-06-01 12:00:00" <= time < "2150-06-03 12:00:00"] == []
    assert format_time(turn_of(reply, "procedure:7").time) >= "2150-06-03 12:00:00"
    assert violations(reply, bundle(notes=[]), [*STORY, LONG]) == ()


def test_mask_ventilation_silences_nobody() -> None:
    mask = ventilation("Non-invasive mechanical ventilation", "2150-06-05 12:00:00")
    times = [format_time(line.time) for line in compose([*STORY, mask]).conversation_lines]
    assert any("2150-06-02" <= time < "2150-06-05" for time in times)


def test_who_died_on_the_ventilator_is_last_heard_before_it() -> None:
    last = ventilation("Ventilation, Greater than 96 Consecutive Hours", "2150-06-05 12:00:00")
    story = [*stay_facts(left_alive=False), *STORY[3:12], last]
    lines = compose(story, died=True).conversation_lines
    assert format_time(lines[-1].time) <= "2150-06-01 12:00:00"


@pytest.mark.parametrize(
    ("title", "within_a_day"),
    [("Unspecified coma", True), ("Hepatic failure without coma", False)],
)
def test_who_died_after_a_coma_is_last_heard_on_the_first_day(
    title: str, within_a_day: bool
) -> None:
    coma = fact(FactKind.DIAGNOSIS, title, "primary", 1, None, {"title": title})
    lines = compose([*stay_facts(left_alive=False), *STORY[3:12], coma], died=True)
    last = format_time(lines.conversation_lines[-1].time)
    assert (last <= "2150-06-02 09:00:00") is within_a_day


def test_what_became_known_after_the_last_words_is_not_told() -> None:
    last = ventilation("Ventilation, Greater than 96 Consecutive Hours", "2150-06-05 12:00:00")
    drain = fact(
        FactKind.PROCEDURE,
        "Drainage of Cerebral Ventricle",
        "2150-06-01",
        8,
        NOON,
        {"date": "2150-06-01"},
    )
    diagnosis = fact(FactKind.DIAGNOSIS, "Intracerebral hemorrhage", "primary", 9)
    story = [*stay_facts(left_alive=False), *STORY[3:12], last, drain, diagnosis]
    told = {
        source
        for line in compose(story, died=True).conversation_lines
        for source in (*line.sources, *line.touches)
    }
    assert not told & {"procedure:7", "procedure:8", "diagnosis:9"}


def test_results_are_told_when_they_are_reported_or_not_at_all() -> None:
    def scan(reported: str) -> Fact:
        return fact(
            FactKind.IMAGING,
            "CT head",
            "No bleed",
            5,
            parse_time("2150-06-02 10:00:00"),
            {"date": "2150-06-02", "reported": reported},
        )

    told = compose([*STORY, scan("2150-06-04 11:00:00")])
    assert format_time(turn_of(told, "imaging:5").time) >= "2150-06-04 11:00:00"
    untold = compose([*STORY, scan("2150-06-06 11:00:00")])
    assert "imaging:5" not in {one for line in untold.conversation_lines for one in line.sources}
    early = [told.conversation_lines[1].model_copy(update={"sources": ("imaging:5",)})]
    broken = told.model_copy(
        update={
            "conversation_lines": (
                told.conversation_lines[0],
                *early,
                *told.conversation_lines[2:],
            )
        }
    )
    found = violations(broken, bundle(notes=[]), [*STORY, scan("2150-06-04 11:00:00")])
    assert [one.public for one in found] == ["time: turn 2 states imaging:5 before it was known"]


def test_treatment_of_a_finding_is_told_after_the_finding() -> None:
    reason = fact(
        FactKind.TREATMENT, "heparin", "moderate pleural effusion", 9, None, {"action": "held"}
    )
    reply = compose([*STORY, reason])
    assert turn_of(reply, "treatment:9").time > parse_time("2150-06-02 10:15:00")


def test_nobody_is_visited_at_night_and_nobody_greeted_with_an_evening_then() -> None:
    night = bundle(notes=[], start="2150-06-01 22:00:00", end="2150-06-02 06:30:00")
    lines = compose(STORY[3:], night).conversation_lines
    opening = [line for line in lines if re.search(r"\b[Hh]ello\b", line.text)]
    assert format_time(lines[0].time) < "2150-06-02 03:00:00"
    for line in lines:
        if re.search(r"\bgood evening\b", line.text, re.IGNORECASE):
            assert line.time.hour >= 18
        if re.search(r"\bhello\b", line.text, re.IGNORECASE):
            assert line.time.hour < 5 or line.time.hour >= 23
    assert len(opening) <= 2
