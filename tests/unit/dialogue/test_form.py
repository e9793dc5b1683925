import pytest

from tasks.dialogue.form import endless_violations, form_violations
from tests.factories.dialogues import line


@pytest.mark.parametrize(
    "text",
    [
        "See https://example.org/x for it.",
        "**Assessment:** volume overload.",
        "- rest and fluids",
        "Here <script>alert(1)</script> it is.",
        '{"turn_number": 1}',
        "Fine. 12 | 2150-06-03 10:00:00 | Doctor | Take more.",
    ],
)
def test_turns_are_plain_text(text: str) -> None:
    assert [one.public for one in form_violations([line(1, text)])] == ["markup: turn 1"]


def test_signs_of_results_are_no_markup() -> None:
    turns = [line(1, "It showed <10,000 organisms/ml, that is > 90% less - good.")]
    assert not list(form_violations(turns))


def test_a_turn_ends() -> None:
    (found,) = endless_violations([line(1, "more and more of it " * 200)])
    assert found.told == "turn 1 has 4000 characters: expected at most 3000"
