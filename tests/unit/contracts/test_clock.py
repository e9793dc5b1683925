from datetime import date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.contracts.clock import format_date, format_time, parse_date, parse_time


def test_times_past_the_year_2200_are_read() -> None:
    assert parse_time("2212-02-29 23:59:59") == datetime(2212, 2, 29, 23, 59, 59)


def test_2100_has_no_leap_day() -> None:
    with pytest.raises(ValueError, match="expected a time"):
        parse_time("2100-02-29 00:00:00")


@pytest.mark.parametrize(
    "text", ["2150-06-01", "2150-06-01T09:00:00", "6/1/2150 09:00", "2150-06-01 9:00:00", ""]
)
def test_other_spellings_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="expected a time"):
        parse_time(text)


@pytest.mark.parametrize("text", ["patient says hello", "patient said hello!"])
def test_a_refusal_does_not_repeat_the_value(text: str) -> None:
    with pytest.raises(ValueError, match="expected a time") as caught:
        parse_time(text)
    assert "hello" not in str(caught.value)


@pytest.mark.parametrize("text", ["06/01/2150", "2150-6-1", "2150-06-01 00:00:00", ""])
def test_other_spellings_of_days_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="expected a date"):
        parse_date(text)


@given(st.datetimes(min_value=datetime(1900, 1, 1), max_value=datetime(2300, 1, 1)))
def test_what_is_written_is_read_back_to_the_second(moment: datetime) -> None:
    assert parse_time(format_time(moment)) == moment.replace(microsecond=0)


@given(st.dates(min_value=date(1900, 1, 1), max_value=date(2300, 1, 1)))
def test_days_are_read_back(day: date) -> None:
    assert parse_date(format_date(day)) == day
