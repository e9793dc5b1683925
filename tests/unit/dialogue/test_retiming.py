from datetime import timedelta
from itertools import pairwise

import pytest
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st

from tasks.contracts.clock import format_time, parse_time
from tasks.contracts.dialogue import DialogueInput, DialogueReply
from tasks.contracts.records import Fact, FactKind
from tasks.dialogue.retiming import with_rule_times, with_stay
from tasks.dialogue.spread import spread_of, spread_violations
from tests.factories.dialogues import line, reply
from tests.factories.records import START, bundle, fact, patient, record

LEFT = fact(FactKind.STAY, "discharge date", "2150-06-05")
FILM = fact(
    FactKind.IMAGING,
    "chest film",
    "clear lungs",
    time=parse_time("2150-06-01 11:00:00"),
    detail={"reported": "2150-06-03 20:00:00"},
)


def given(hours: float, *facts: Fact, turns: tuple[int, int] = (4, 8)) -> DialogueInput:
    end = format_time(parse_time(START) + timedelta(hours=hours))
    known = record(bundle(end=end), patient(), facts)
    return DialogueInput(record=known, minimum_turns=turns[0], maximum_turns=turns[1])


def talk(*texts: str) -> DialogueReply:
    """Turns of doctor and patient by turns, all at one wrong time and numbered from 3."""
    return reply(
        *(
            line(number + 2, text, minutes=-60, speaker="Doctor" if number % 2 else "Patient")
            for number, text in enumerate(texts, start=1)
        )
    )


def times(asked: DialogueInput, *texts: str) -> list[str]:
    lines = with_rule_times(talk(*texts), asked).conversation_lines
    assert [one.text for one in lines] == list(texts)
    return [format_time(one.time) for one in lines]


def test_few_turns_lie_at_the_arrival_and_before_the_end() -> None:
    assert times(given(103.5, LEFT), *"abcd") == [
        "2150-06-01 09:12:00",
        "2150-06-01 09:13:00",
        "2150-06-05 15:00:00",
        "2150-06-05 15:01:00",
    ]


def test_a_third_meeting_is_a_morning_round_between() -> None:
    found = times(given(103.5, LEFT, turns=(6, 8)), *"abcdef")
    assert found[2:4] == ["2150-06-03 10:00:00", "2150-06-03 10:01:00"]


def test_a_result_waits_until_it_is_known_and_what_follows_with_it() -> None:
    found = times(
        given(103.5, LEFT, FILM, turns=(6, 8)), "a", "b", "chest film: clear lungs", *"def"
    )
    assert found[2:4] == ["2150-06-03 20:00:00", "2150-06-03 20:01:00"]
    assert found[4] == "2150-06-05 15:00:00"


def test_a_meeting_waits_until_the_patient_is_off_the_ventilator() -> None:
    ventilated = fact(
        FactKind.PROCEDURE,
        "Respiratory ventilation, greater than 96 hours",
        "2150-06-04",
        time=parse_time("2150-06-04 12:00:00"),
        detail={"date": "2150-06-04", "reported": "2150-06-06 12:00:00"},
    )
    eight_days = 8 * 24
    assert times(given(eight_days, LEFT, turns=(6, 8)), *"abcdef")[2] == "2150-06-05 10:00:00"
    found = times(given(eight_days, LEFT, ventilated, turns=(6, 8)), *"abcdef")
    assert found[2:4] == ["2150-06-06 12:00:00", "2150-06-06 12:01:00"]


def test_in_a_stay_too_short_for_talk_the_turns_are_spread_evenly() -> None:
    assert times(given(0.1, LEFT, turns=(18, 28)), *"abc") == [
        "2150-06-01 09:01:30",
        "2150-06-01 09:03:00",
        "2150-06-01 09:04:30",
    ]


def test_numbers_and_the_times_of_the_stay_are_known_to_code() -> None:
    asked, spoilt = given(103.5, LEFT), talk(*"abcd")
    wrong = spoilt.summary.model_copy(update={"admission_start": parse_time("2149-01-01 00:00:00")})
    mended = with_stay(spoilt.model_copy(update={"summary": wrong}), asked)
    assert [one.turn_number for one in mended.conversation_lines] == [1, 2, 3, 4]
    assert mended.summary.admission_start == asked.record.bundle.admission_start
    assert mended.summary.admission_end == asked.record.bundle.admission_end


@settings(max_examples=60, deadline=None)
@drawn(st.floats(1, 24 * 40), st.integers(2, 60), st.booleans())
def test_times_keep_order_window_and_spread(hours: float, count: int, left: bool) -> None:
    asked = given(hours, *([LEFT] if left else []), turns=(count, count))
    lines = with_rule_times(talk(*map(str, range(count))), asked).conversation_lines
    bundle_ = asked.record.bundle
    assert all(one.time <= other.time for one, other in pairwise(lines))
    assert bundle_.admission_start <= lines[0].time
    assert lines[-1].time <= bundle_.timing_rules.conversation_end
    assert count < 4 or not list(spread_violations(lines, spread_of(asked)))


@pytest.mark.parametrize("count", [1, 2])
def test_one_exchange_can_be_timed_too(count: int) -> None:
    assert len(times(given(103.5, LEFT), *"ab"[:count])) == count
