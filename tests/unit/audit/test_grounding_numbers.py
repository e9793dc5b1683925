import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.audit.grounding.numbers import Quantity, figures
from tasks.audit.grounding.text import sentence_of
from tests.unit.audit.grounding_stay import unsupported


def read(text: str) -> list[tuple[float, str]]:
    return [(one.quantity.value, one.quantity.unit) for one in figures(sentence_of(text))]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1,000 mg", [(1000, "mg")]),
        ("1 g", [(1000, "mg")]),
        ("0.50", [(0.5, "")]),
        (".5", [(0.5, "")]),
        ("500 micrograms", [(0.5, "mg")]),
        ("1.5 L", [(1500, "ml")]),
        ("40mg", [(40, "mg")]),
        ("a 7-day course", [(7, "day")]),
        ("2 weeks", [(14, "day")]),
        ("98% on 2L", [(98, "%"), (2000, "ml")]),
        ("Na-142 K-4.7", [(142, ""), (4.7, "")]),
        ("5-325 mg", [(5, "mg"), (325, "mg")]),
        ("from 10 to 14 units", [(10, "unit"), (14, "unit")]),
        ("8.9 g/dL", [(8.9, "g/dl")]),
        ("25 mcg/hr", [(25, "mcg/hr")]),
        ("10 mg per hour", [(10, "mg/hr")]),
        ("80 mg/day", [(80, "mg")]),
        ("2 cm", [(20, "mm")]),
        ("three liters", [(3000, "ml")]),
        ("stage III", [(3, "")]),
        ("IV fluids", []),
        ("Q12H", [(12, "every hour")]),
        ("every 8 hours", [(8, "every hour")]),
        ("TID", [(3, "time")]),
        ("twice daily", [(2, "time")]),
        ("x5d", [(5, "day")]),
    ],
)
def test_numbers_are_read_with_their_units(text: str, found: list[tuple[float, str]]):
    assert read(text) == found


def test_a_blood_pressure_is_one_number():
    for text in ("135/71", "135 / 71 mm Hg", "135 over 71"):
        assert [one.quantity for one in figures(sentence_of(text))] == [Quantity(135, "", 71)]


@pytest.mark.parametrize(
    ("known", "claim", "same_item", "supported"),
    [
        ("40 mg", "40 mg", False, True),
        ("0.04 g", "40 mg", False, True),
        ("140 mg", "40 mg", False, False),
        ("40", "40 mg", False, False),
        ("40", "40 mg", True, True),
        ("40 units", "40 mg", True, False),
        ("120", "120 mmHg", False, True),
        ("12.8", "12.8 g/dL", False, True),
        ("1 tablet", "1 pill", True, True),
        ("1 tablet", "1 capsule", True, False),
        ("every 8 hours", "3 times a day", True, True),
        ("BID", "every 12 hours", True, True),
        ("BID", "every 6 hours", True, False),
        ("12 hours", "every 12 hours", False, False),
    ],
)
def test_numbers_support_each_other_by_value_and_unit(
    known: str, claim: str, same_item: bool, supported: bool
):
    one, other = (figures(sentence_of(text))[0].quantity for text in (known, claim))
    assert one.supports(other, same_item=same_item) is supported


def test_a_bare_claim_is_borne_out_by_the_number_as_written():
    (known,) = figures(sentence_of("2 g of sodium"))
    bare, grams = Quantity(2, ""), Quantity(2000, "")
    assert any(one.supports(bare, same_item=False) for one in known.as_known())
    assert not any(one.supports(grams, same_item=False) for one in known.as_known())


@given(
    st.decimals(min_value="0.01", max_value="99999", places=2),
    st.sampled_from(["mg", "units", "mL", "mEq", "tablets", "%"]),
)
def test_a_number_supports_itself_however_it_is_written(value: object, unit: str):
    plain = f"{value} {unit}"
    grouped = f"{value:,} {unit}"
    one, other = (figures(sentence_of(text))[0].quantity for text in (plain, grouped))
    assert one.supports(other, same_item=False)
    assert other.supports(one, same_item=False)


@given(
    st.integers(min_value=1, max_value=9999),
    st.integers(min_value=1, max_value=9999),
    st.sampled_from(["mg", "units", "mL", "g"]),
)
def test_other_values_never_support(value: int, other: int, unit: str):
    one, two = (figures(sentence_of(f"{number} {unit}"))[0].quantity for number in (value, other))
    assert one.supports(two, same_item=True) is (value == other)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("You take furosemide 80 mg.", []),
        ("You take torsemide 80 mg.", [("number", "80 mg")]),
        ("You take aspirin 80 mg.", [("number", "80 mg")]),
        ("Your potassium was 138.", [("number", "138")]),
        ("Your sodium was 138 and your potassium 4.2.", []),
        ("You're on torsemide. The dose is 60 mg.", []),
        ("You're on torsemide. The dose is 80 mg.", [("number", "80 mg")]),
        ("60 mg of torsemide", []),
        ("80 mg of torsemide", [("number", "80 mg")]),
        ("You have stage 3 kidney disease.", []),
        ("You have stage 4 kidney disease.", [("number", "4")]),
        ("Tamsulosin 0.40 mg or 400 mcg, as you like.", []),
    ],
)
def test_a_number_has_to_be_its_items(text: str, found: list[tuple[str, str]]):
    assert unsupported(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The length of stay is 8 days.", []),
        ("The length of stay is 7 days.", []),
        ("The length of stay is 9 days.", [("number", "9 days")]),
        ("It was a stay of 8 days.", []),
        ("It was a stay of 5 days.", [("number", "5 days")]),
        ("Your last stay lasted 3 days.", []),
        ("The ceftriaxone was for 3 days.", []),
        ("Come for the CT in 6 months.", []),
        ("Come for the BMP in 6 months.", [("number", "6 months")]),
        ("Have a BMP within one week.", []),
        ("You came 6 days ago.", []),
        ("You go home in 2 days.", []),
        ("Today is hospital day 7.", []),
        ("The drain was 4 days ago.", []),
        ("It has been 11 days.", [("number", "11 days")]),
        ("You were last here 5 months ago.", []),
    ],
)
def test_spans_may_follow_from_the_clock(text: str, found: list[tuple[str, str]]):
    assert unsupported(text, time="2155-04-16 10:00:00") == found


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("Your glucose was 214 mmol/L.", 1),
        ("Your glucose was 214 mg/dL.", 0),
        ("Your potassium was 4.2 mmol/L.", 0),
    ],
)
def test_a_bare_number_of_a_test_that_is_not_told_in_moles_bears_out_none(text: str, claims: int):
    assert len(unsupported(text)) == claims
