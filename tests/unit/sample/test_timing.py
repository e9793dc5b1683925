from __future__ import annotations

from datetime import date, datetime, timedelta

import pytest

from tasks.sample.timing import hospital_day, interval_in_words, stay_days
from tests.unit.sample.stays import ADMITTED, make_stay


def test_the_day_of_admission_is_day_one() -> None:
    stay = make_stay()
    assert hospital_day(ADMITTED, stay) == "hospital day 1"
    assert hospital_day(date(2150, 6, 3), stay) == "hospital day 3"


@pytest.mark.parametrize(
    ("days", "words"),
    [
        (1, "one day"),
        (9, "nine days"),
        (21, "about three weeks"),
        (61, "about two months"),
        (365, "about 12 months"),
        (800, "about two years"),
    ],
)
def test_intervals_are_rounded_as_people_do(days: int, words: str) -> None:
    start = datetime(2150, 1, 1)
    assert interval_in_words(start, start + timedelta(days=days)) == words


def test_a_stay_that_ends_before_it_begins_has_no_length() -> None:
    assert stay_days(make_stay(days=-1)) == 0
    assert stay_days(make_stay(days=0.5)) == 0.5
