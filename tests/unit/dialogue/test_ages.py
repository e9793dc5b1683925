import pytest

from tasks.dialogue.ages import age_violations
from tests.factories.dialogues import line
from tests.factories.records import bundle, discharge_note, patient, record


def ages(text: str, age: int | None = 71, note: str = "A ___ year old woman.") -> list[str]:
    known = record(bundle(notes=[discharge_note(note)]), patient(age_years=age))
    return [one.told for one in age_violations([line(1, text)], known)]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("You are 65 years old.", "65"),
        ("I'm sixty-five, doctor.", "65"),
        ("As a 65-year-old woman you heal well.", "65"),
        ("It began at the age of 40.", "40"),
        ("I just turned 72.", "72"),
        ("I'm 70 and still working.", "70"),
        ("My 40-year-old son drives me.", "40"),
    ],
)
def test_an_age_that_nobody_gave_is_named(text: str, said: str) -> None:
    assert ages(text) == [f"turn 1 says the age {said}, which is not known: leave it out"]


def test_the_public_form_names_the_turn_only() -> None:
    (found,) = age_violations([line(1, "You are 65 years old.")], record())
    assert found.public == "invented_age: turn 1"


@pytest.mark.parametrize(
    "text",
    [
        "You are 71 years old.",
        "I'm seventy-one.",
        "I smoked for 20 years.",
        "I'm 100 percent sure.",
        "You are 5 days out of surgery.",
        "I'm in my seventies.",
    ],
)
def test_the_known_age_and_other_numbers_are_no_invented_age(text: str) -> None:
    assert not ages(text)


def test_where_no_age_is_known_none_may_be_said() -> None:
    assert ages("You are 71 years old.", age=None) != []
    assert ages("I'm in my seventies.", age=None) != []


def test_another_decade_is_an_invented_age() -> None:
    assert ages("I'm in my late sixties.") == [
        "turn 1 says an age in the 60s, which is not known: leave it out"
    ]


@pytest.mark.parametrize("note", ["Father with MI at 55.", "Son, 55yo.", "Mother died aged 55."])
def test_an_age_in_the_record_may_be_said(note: str) -> None:
    assert not ages("He was 55 years old then.", note=note)
    assert ages("He was 56 years old then.", note=note)


def test_over_89_is_all_that_is_known_of_the_oldest() -> None:
    assert not ages("You are over 89 years old.", age=91)
    assert ages("You are 91 years old.", age=91)
    assert ages("You are 89 years old.", age=91)
