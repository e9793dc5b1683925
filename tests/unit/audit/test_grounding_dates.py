from datetime import date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.audit.grounding.dates import Clock, DayNamed, dates
from tests.unit.audit.grounding_stay import unsupported

DAY = date(2155, 4, 12)


@pytest.mark.parametrize(
    "text",
    [
        "2155-04-12",
        "2155/4/12",
        "4/12/2155",
        "12.04.2155",
        "4/12/55",
        "April 12, 2155",
        "Apr 12th 2155",
        "12 April 2155",
        "the 12th of April, 2155",
        "April 12",
        "12th of April",
        "April 2155",
        "2155",
    ],
)
def test_dates_are_read_in_any_usual_spelling(text: str):
    plain, found = dates(f"On {text} it was.")
    assert len(found) == 1
    assert isinstance(found[0].what, DayNamed)
    assert found[0].what.is_among([DAY])
    assert not found[0].what.is_among([date(2156, 5, 13)])
    assert len(plain) == len(f"On {text} it was.")


@pytest.mark.parametrize(
    "text", ["120/80", "40 mg", "you may 5 times", "2000 mg", "v2155", "1/2 tablet", "13/45/2155"]
)
def test_other_numbers_are_no_dates(text: str):
    assert [one for one in dates(text)[1] if isinstance(one.what, DayNamed)] == []


@given(st.dates(min_value=date(2100, 1, 1), max_value=date(2220, 12, 31)))
def test_a_date_names_its_day_in_every_spelling(day: date):
    spelled = (
        day.isoformat(),
        f"{day.month}/{day.day}/{day.year}",
        f"{day:%B} {day.day}, {day.year}",
        f"{day.day} {day:%b} {day.year}",
    )
    for text in spelled:
        (found,) = dates(text)[1]
        assert isinstance(found.what, DayNamed)
        assert day in set(found.what.days())


def test_a_range_within_a_month_names_both_days():
    found = dates("from April 10-18, 2155")[1]
    assert [one.what for one in found] == [
        DayNamed(((2155, 4, 10),)),
        DayNamed(((2155, 4, 18),)),
    ]


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("at 9:05", Clock(9, 5, "")),
        ("at 9:05 pm", Clock(9, 5, "p")),
        ("at 21:05:30", Clock(21, 5, "")),
        ("at 9 a.m.", Clock(9, None, "a")),
        ("at 9 o'clock", Clock(9, None, "")),
    ],
)
def test_times_of_day_are_read(text: str, clock: Clock):
    assert [one.what for one in dates(text)[1]] == [clock]


def test_times_of_day_agree_to_what_is_given():
    assert Clock(9, 5, "p").is_among([(21, 5)])
    assert not Clock(9, 5, "a").is_among([(21, 5)])
    assert Clock(9, 5, "").is_among([(21, 5)])
    assert Clock(9, None, "p").is_among([(21, 40)])
    assert Clock(9, 20, "").is_near(datetime(2155, 4, 12, 9, 40))
    assert not Clock(8, 20, "").is_near(datetime(2155, 4, 12, 9, 40))
    assert Clock(12, 50, "").is_near(datetime(2155, 4, 12, 1, 5))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("On 2155-04-10 you came.", []),
        ("Today is April 16th.", []),
        ("That was on 2155-04-15.", [("date", "2155-04-15")]),
        ("The urine culture from 2155-04-11 grew E. coli.", []),
        ("The urine culture from 2155-04-12 grew E. coli.", [("date", "2155-04-12")]),
        ("On 2155-04-12 you had the drainage of right pleural cavity.", []),
        (
            "On 2155-04-11 you had the drainage of right pleural cavity.",
            [("date", "2155-04-11")],
        ),
        ("Your discharge date is 2155-04-18.", []),
        ("Your discharge date is 2155-04-10.", [("date", "2155-04-10")]),
        ("You're discharged as of 2155-04-18.", []),
        ("You're discharged as of 2155-04-12.", [("date", "2155-04-12")]),
        ("You were admitted on 2155-04-18.", [("date", "2155-04-18")]),
        ("The day before discharge, 2155-04-12, was quiet.", []),
        ("The stay ran from 2154-11-02 to 2154-11-05.", []),
        ("The stay ran from 2154-11-02 to 2154-11-02.", [("date", "2154-11-02")]),
        ("The specimen of 2155-04-11 was clean.", []),
        ("The specimen of 2155-04-10 was clean.", [("date", "2155-04-10")]),
    ],
)
def test_a_date_said_of_an_event_has_to_be_that_events(text: str, found: list[tuple[str, str]]):
    assert unsupported(text) == found
