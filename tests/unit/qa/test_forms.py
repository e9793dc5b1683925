import re

import pytest
from pydantic import ValidationError

from tasks.qa.forms import FormFamily, forms_of, phrases, wordings


def test_alternatives_are_spelled_out_and_other_brackets_kept():
    family = FormFamily(
        slots=("target",), forms=("when (was|is) {target} (final|) due (in days)?",)
    )
    assert family.expanded() == (
        "when was {target} final due (in days)?",
        "when was {target} due (in days)?",
        "when is {target} final due (in days)?",
        "when is {target} due (in days)?",
    )


def test_a_form_that_lacks_a_slot_is_refused():
    with pytest.raises(ValidationError, match="must fill exactly the slots"):
        FormFamily(slots=("target", "point"), forms=("what was {target}?",))


def test_groups_within_groups_and_named_phrases_are_spelled_out():
    family = FormFamily(
        slots=("target", "a", "b"), forms=("(how (soon|late)|when) was {target} done <range>?",)
    )
    ranges = phrases()["range"]
    assert len(ranges) > 2
    assert set(family.expanded()) == {
        f"{opening} was {{target}} done {stays}?"
        for stays in ranges
        for opening in ("how soon", "when", "how late")
    }


def test_a_verb_that_agrees_with_the_target_is_no_slot_to_fill():
    family = FormFamily(slots=("target",), forms=("why {was} {target} held?",))
    assert family.expanded() == ("why {was} {target} held?",)


def test_the_forms_of_a_family_hold_its_wordings():
    forms = list(forms_of("discharge_dose_trend"))
    assert [number for number, _ in forms] == list(range(len(forms)))
    assert [wording for _, form in forms for wording in form] == list(
        wordings()["discharge_dose_trend"]
    )


def test_no_wording_opens_like_a_yes_or_no_question():
    auxiliaries = {"did", "was", "were", "is", "are", "does", "do", "has", "had", "could", "should"}
    openings = {wording.split()[0].lower() for known in wordings().values() for wording in known}
    assert openings & auxiliaries == set()


def test_no_wording_hints_at_a_missing_answer():
    hints = ("if any", "if mentioned", "if it is", "whether", "possibly", "if at all")
    found = [
        wording
        for known in wordings().values()
        for wording in known
        if any(hint in wording.lower() for hint in hints)
    ]
    assert found == []


def test_an_alternative_left_out_leaves_no_blank_before_a_mark():
    family = FormFamily(
        slots=("target",), forms=("{target}: how often (in all|)?", "(a, b,|c), {target}?")
    )
    assert family.expanded() == ("{target}: how often in all?", "{target}: how often?",
                                 "a, b, {target}?", "c, {target}?")  # fmt: skip


@pytest.mark.parametrize(
    "pattern",
    [
        r"\s[?,:;.]|,,",
        r"^following \{target\}|\bfollowing (the |\{)",
        r"\bstance\b",
        r"\bstrength\b",
        r"\b(grow|yield)\b",
        r"\bshare \{target\}|\bin the run of\b|hospitalizations over the hosp",
        r"\bwhat (approach|management|treatment)\b|\bwhich (measures|steps)\b",
    ],
)
def test_no_wording_reads_badly_with_some_target_or_answer(pattern: str):
    found = [
        wording
        for known in wordings().values()
        for wording in known
        if re.search(pattern, wording, re.IGNORECASE)
    ]
    assert found == []
