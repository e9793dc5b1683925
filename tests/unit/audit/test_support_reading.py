"""How texts, values and questions are read before anything is judged."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.audit.support.counting import read_count
from tasks.audit.support.pairing import LIST, PAIR, PASSAGE, splits
from tasks.audit.support.question_reading import read_question
from tasks.audit.support.reading_words import keys_of, number_key, read_text, stem
from tasks.audit.support.values import dates_in, frequencies_in, numbers_in, read_answer, spans_in
from tests.unit.audit.patients import FIRST_STAY, STAYS, question, session

SESSIONS = tuple(session(n) for n in range(len(STAYS)))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("started", "starts"),
        ("doses", "dose"),
        ("tablets", "tab"),
        ("caps", "capsule"),
        ("biopsies", "biopsy"),
        ("Two", "2"),
        ("patient's", "patient"),
    ],
)
def test_endings_and_short_forms_do_not_matter(one: str, other: str) -> None:
    assert stem(one) == stem(other)


@pytest.mark.parametrize(("one", "other"), [("pneumoniae", "pneumonia"), ("this", "thi")])
def test_different_words_stay_different(one: str, other: str) -> None:
    assert stem(one) != stem(other)


@given(st.decimals(min_value=0, max_value=10**6, places=3))
def test_numbers_are_compared_by_value(value: object) -> None:
    written = f"{value:f}"  # type: ignore[str-format]

    assert number_key(written) == number_key(written.rstrip("0").rstrip(".") or "0")
    assert number_key(f"{float(written):,.3f}") == number_key(written)


@given(st.text(max_size=60))
def test_any_text_can_be_read(text: str) -> None:
    read = read_text(text)

    assert keys_of(text) == tuple(token.key for token in read.tokens)
    assert all(read.tokens[place].key == key for key in read.places for place in read.places[key])
    assert [token.breaks for token in read.tokens] == sorted(token.breaks for token in read.tokens)


@pytest.mark.parametrize(
    "text", ["2150-03-03", "March 3, 2150", "3 March 2150", "3/3/2150", "the 3rd of March", "Mar 3"]
)
def test_dates_in_any_spelling(text: str) -> None:
    assert [value.key for value in dates_in(read_text(text, 2150))] == [("2150-03-03",)]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("40 mg twice daily", [("40", "mg")]),
        ("2 puffs and 0.50 mL", [("2", "puff"), ("0.5", "ml")]),
        ("hemoglobin 9.3, after 4 days", [("9.3",)]),
        ("an ejection fraction of 35%", [("35", "percent")]),
    ],
)
def test_numbers_with_and_without_units(text: str, values: list[tuple[str, ...]]) -> None:
    assert [value.key for value in numbers_in(read_text(text))] == values


def test_frequencies_are_read_in_full() -> None:
    text = read_text("daily, twice daily as needed; every 6 hours and at bedtime")

    assert [" ".join(value.key) for value in frequencies_in(text)] == [
        "daily",
        "twic daily as need",
        "every 6 hour",
        "at bedtim",
    ]


def test_one_day_in_passing_is_no_length_of_time() -> None:
    assert spans_in(read_text("The stay took 1 day.")) == ((1.0, "day"),)
    assert spans_in(read_text("You may be asked about it one day.")) == ()


@pytest.mark.parametrize(
    ("answer", "count"),
    [
        ("2 different doses", (2.0, ("dose",))),
        ("three", (3.0, ())),
        ("twice", (2.0, ("time",))),
        ("279 days", (279.0, ("day",))),
        ("9.8 to 11.2", None),
        ("home", None),
    ],
)
def test_counts(answer: str, count: tuple[float, tuple[str, ...]] | None) -> None:
    assert read_count(answer) == count


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ("40 mg", "amount"),
        ("9.8", "number"),
        ("2150-03-03", "date"),
        ("twice daily", "frequency"),
        ("denied", "word"),
        ("increased from 20 mg to 40 mg", "word"),
        ("acute heart failure", "text"),
    ],
)
def test_kinds_of_answers(answer: str, kind: str) -> None:
    assert read_answer(answer).kind == kind


def test_parts_of_answers() -> None:
    assert splits(PAIR, "40 mg versus 60 mg") == [["40 mg", "60 mg"]]
    assert splits(PASSAGE, "held; new medication") == [["held", "new medication"]]
    assert splits(LIST, "fever, chills and cough")[0] == ["fever", "chills", "cough"]


@pytest.mark.parametrize(
    ("text", "things", "stays"),
    [
        (FIRST_STAY + "why was warfarin started?", ["warfarin"], (0,)),
        (
            "How did the discharge dose of insulin glargine change from the stay that began on "
            "2150-03-01 to the one of 2151-01-20?",
            ["insulin glargin"],
            (0, 2),
        ),
        (
            "Which was done first, CT head without contrast or blood culture?",
            ["ct head without contrast or blood cultur"],
            (),
        ),
        ("In the stay of 2150-06-10, was the left foot infected?", ["left foot infect"], (1,)),
        ("Was altered mental status reported?", ["alter mental status"], ()),
        ("Was gout primary or secondary?", ["gout"], ()),
    ],
)
def test_things_and_stays_that_a_question_names(
    text: str, things: list[str], stays: tuple[int, ...]
) -> None:
    reading = read_question(question(text, "x", "1:1", "2:1"), SESSIONS)

    assert ([term.text for term in reading.terms], reading.stays) == (things, stays)
