import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.dialogue.templates import choice_of, fill, parse_template


def test_alternatives_multiply() -> None:
    template = parse_template("[Hello|Good day], [you|dear {name}].")
    wordings = [template.wording(number) for number in range(template.wordings)]
    assert sorted(wordings) == [
        "Good day, dear {name}.",
        "Good day, you.",
        "Hello, dear {name}.",
        "Hello, you.",
    ]


def test_alternatives_nest_and_may_be_empty() -> None:
    template = parse_template("a[| b[1|2]]")
    assert sorted(template.wording(number) for number in range(3)) == ["a", "a b1", "a b2"]
    assert template.wordings == 3


@pytest.mark.parametrize("text", ["[a|b", "a]", "a|b", "[a|[b]"])
def test_brackets_must_match(text: str) -> None:
    with pytest.raises(ValueError, match="template"):
        parse_template(text)


def test_choice_counts_the_wordings_of_all_templates() -> None:
    choice = choice_of([parse_template("[a|b]"), parse_template("c")])
    assert [choice.wording(number) for number in range(choice.wordings)] == ["a", "b", "c"]


def test_slots_are_filled_once_and_sentences_begin_with_a_capital() -> None:
    assert (
        fill("{a}, yes. {b} it is", {"a": "{b} c", "b": "vitamin D"})
        == "{b} c, yes. Vitamin D it is"
    )


def test_abbreviations_do_not_begin_a_sentence() -> None:
    assert fill("it grew {a}", {"a": "E. coli"}) == "It grew E. coli"


@given(st.text(alphabet="ab[]|{} .", max_size=40))
def test_any_text_is_a_template_or_refused(text: str) -> None:
    try:
        template = parse_template(text)
    except ValueError:
        return
    assert template.wordings >= 1
    assert isinstance(template.wording(template.wordings - 1), str)
