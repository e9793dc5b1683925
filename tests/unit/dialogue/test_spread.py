from datetime import timedelta

import pytest

from tasks.contracts.clock import format_time, parse_time
from tasks.contracts.dialogue import DialogueInput
from tasks.contracts.records import Fact, FactKind
from tasks.dialogue.spread import spread_of, spread_violations
from tests.factories.dialogues import line
from tests.factories.records import START, bundle, fact, patient, record

LEFT = fact(FactKind.STAY, "discharge date", "2150-06-05")


def given(hours: float, *facts: Fact, turns: tuple[int, int] = (40, 60)) -> DialogueInput:
    end = format_time(parse_time(START) + timedelta(hours=hours))
    known = record(bundle(end=end), patient(), facts)
    return DialogueInput(record=known, minimum_turns=turns[0], maximum_turns=turns[1])


def broken(asked: DialogueInput, *minutes: float) -> list[str]:
    lines = [line(number, minutes=at) for number, at in enumerate(minutes, start=1)]
    return [one.public for one in spread_violations(lines, spread_of(asked))]


def test_a_long_stay_is_not_told_in_its_first_ten_minutes() -> None:
    assert broken(given(103.5, LEFT), 0, 5, 10) == [
        "spread: turns lie on 1 of 5 days, expected at least 3",
        "spread: turn 3 is the last one, expected at or after 2150-06-04 14:37:30",
    ]


def test_a_turn_on_the_last_day_is_late_enough_however_early() -> None:
    day = 24 * 60
    assert not broken(given(4 * 24 - 1, LEFT), 0, day, 4 * day - 9 * 60)
    assert broken(given(4 * 24 - 1, LEFT), 0, day, 2 * day) == [
        "spread: turn 3 is the last one, expected at or after 2150-06-04 08:15:00"
    ]


def test_a_stay_under_a_day_is_told_into_its_second_half() -> None:
    assert not broken(given(10, LEFT), 0, 300)
    assert broken(given(10, LEFT), 0, 299) == [
        "spread: turn 2 is the last one, expected at or after 2150-06-01 14:00:00"
    ]


def test_few_turns_need_few_days() -> None:
    spread = spread_of(given(10 * 24, LEFT, turns=(4, 6)))
    assert spread is not None
    assert (spread.days, spread.fewest_days) == (11, 2)


def test_a_patient_who_died_may_be_spoken_to_for_half_an_hour() -> None:
    assert not broken(given(103.5), 0, 30)
    assert len(broken(given(103.5), 0, 29)) == 1


def test_days_on_a_ventilator_need_no_turn() -> None:
    ventilated = fact(
        FactKind.PROCEDURE,
        "Respiratory ventilation, greater than 96 hours",
        "2150-06-01",
        time=parse_time("2150-06-01 12:00:00"),
        detail={"date": "2150-06-01", "reported": "2150-06-05 12:00:00"},
    )
    spread = spread_of(given(5 * 24 - 1, LEFT, ventilated))
    assert spread is not None
    assert (spread.days, spread.fewest_days) == (3, 2)


def test_turns_that_share_one_time_are_named() -> None:
    assert broken(given(10, LEFT), 0, 1, 1, 1, 1, 1, 400) == [
        "spread: turns 2 to 6 all have the time 2150-06-01 09:01:00"
    ]


@pytest.mark.parametrize("minutes", [(0, 0, 0, 0, 0, 0), (0, 1)])
def test_nothing_is_asked_of_a_stay_too_short_for_talk(minutes: tuple[float, ...]) -> None:
    assert not broken(given(0.2, LEFT, turns=(18, 28)), *minutes)
