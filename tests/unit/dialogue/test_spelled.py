import pytest

from tasks.audit.grounding.terms import build_terms
from tasks.dialogue.grounding import claim_violations
from tasks.dialogue.spelled import in_figures
from tests.factories.dialogues import line
from tests.factories.records import rich_bundle, summary


@pytest.mark.parametrize(
    ("text", "figures"),
    [
        ("one hundred and ninety over one hundred", "190 over 100"),
        ("Two hundred forty-two mg", "242 mg"),
        ("three hundred fifteen", "315"),
        ("ninety-five over sixty", "95 over 60"),
        ("It took 2 over one", "It took 2 over one"),
        ("one and a half liters", "1.5 liters"),
        ("twelve and a half", "12.5"),
        ("a hundred questions and half of them", "a hundred questions and half of them"),
        ("one of a hundred", "one of a hundred"),
    ],
)
def test_long_numbers_in_words_become_figures(text: str, figures: str) -> None:
    assert in_figures(text) == figures


def test_they_have_to_stand_in_the_record_as_others_do() -> None:
    stay = rich_bundle()
    wrong = line(1, "Your blood pressure was one hundred and ninety over one hundred.")
    right = line(2, "Then it was one hundred fifty-two over eighty-four.", 60)
    found = claim_violations([wrong, right], summary(), stay, build_terms([stay]))
    assert [one.public for one in found if one.place != "summary"] == [
        "unsupported_claim (number): turn 1"
    ]
