"""Dates are counted by code (case F1: 68 days, not 71; the weekday of a shifted date)."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.contracts.clock import parse_time
from tasks.contracts.dialogue import SourcedLine
from tasks.qa.generated.computing import computed_answer
from tasks.qa.shown import ShownTurn

DAYS = st.dates(date(2100, 1, 1), date(2200, 12, 31))


def turn(day: str, text: str = "You came in.") -> ShownTurn:
    line = SourcedLine(
        turn_number=1, time=parse_time(f"{day} 10:00:00"), speaker="Doctor", text=text
    )
    return ShownTurn("80000001", day, line, ())


@pytest.mark.parametrize(
    ("question", "turns", "answer"),
    [
        (
            "how many days after leaving did the second stay begin?",
            [turn("2150-06-04"), turn("2150-08-11")],
            "68 days",
        ),
        (
            "how many days passed between the two films?",
            [turn("2150-06-09", "Films were taken on 2150-06-02 and 2150-06-03.")],
            "1 day",
        ),
        ("on what weekday did the stay begin?", [turn("2150-08-11")], "Tuesday"),
        ("which day of the week was it?", [turn("2150-06-02", "It was 2150-06-01.")], "Monday"),
        (
            "how many days lay between the start and the end of February?",
            [turn("2100-02-01"), turn("2100-03-01")],
            "28 days",
        ),
    ],
)
def test_what_the_dates_give_is_the_answer(question: str, turns: list[ShownTurn], answer: str):
    assert computed_answer(question, turns) == answer


@pytest.mark.parametrize(
    ("question", "turns"),
    [
        ("how many days of ceftriaxone were given?", [turn("2150-06-04"), turn("2150-08-11")]),
        ("why was furosemide given?", [turn("2150-06-04")]),
        ("how many days apart were they?", [turn("2150-06-04")] * 3),
        (
            "what weekday was it?",
            [turn("2150-06-04", "First 2150-06-01, then 2150-06-02.")],
        ),
    ],
)
def test_what_the_dates_do_not_settle_is_left_to_the_audits(question: str, turns: list[ShownTurn]):
    assert computed_answer(question, turns) is None


@given(one=DAYS, apart=st.integers(0, 400))
def test_days_between_are_counted_over_any_month_and_leap_year(one: date, apart: int):
    other = one + timedelta(days=apart)
    turns = [turn(one.isoformat()), turn(other.isoformat())]
    found = computed_answer("how many days lay between them?", turns)
    assert found == ("1 day" if apart == 1 else f"{apart} days")
