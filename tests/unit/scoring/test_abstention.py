import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.scoring.abstention import PUBLISHED_PHRASES, abstains
from tests.unit.scoring.abstention_figures import LABELLED, mistaken, overlooked


@pytest.mark.parametrize(
    "answer",
    [
        "the question is not answerable",
        "The question is NOT answerable!",
        "not answerable",
        "Not answerable from record.",
        "not answerable from the provided context",
        "Cannot be determined",
        "cannot be determined from the record",
        "cannot be determined from the provided context",
        "No information available.",
        "not mentioned",
        "not mentioned in the record",
        "Not mentioned in provided context",
    ],
)
def test_the_published_recipe_takes_its_phrases_and_no_other(answer: str):
    assert abstains("medlocomo", answer)
    assert abstains("clinical", answer)


@pytest.mark.parametrize(
    ("answer", "clinical"),
    [
        ("The question is not answerable because warfarin is not mentioned.", True),
        ("I cannot tell from the record.", True),
        ("Not documented", True),
        ("No evidence of pneumonia", False),
        ("not on aspirin", False),
        ("unanswerable to antibiotics", False),
        ("Not mentioned in the record, but probably 40 mg", False),
        ("Furosemide; the dose is not mentioned in the record.", False),
        ("I don't know, 40 mg", False),
        ("The question is not answerable; 40 mg", False),
        ("The dose is not stated, it was 40 mg.", False),
        ("Cannot be determined. Answer: 2150-06-01", False),
        ("The question is not answerable. The stay of 2150 is the only one.", True),
        ("The question is not answerable: no dose is given on 2150-06-01.", True),
        ("The question is not answerable\n\nThe record says nothing of dialysis.", True),
        ("The question is not answerable\r\nExplanation: no dialysis.", True),
        ("the question is not\nanswerable, as dialysis is not mentioned", True),
        ("The question\u2019s not answerable here.", True),
        ("", False),
        ("...", False),
    ],
)
def test_an_abstention_in_other_words_counts_in_the_clinical_recipe_only(
    answer: str, clinical: bool
):
    assert not abstains("medlocomo", answer)
    assert abstains("clinical", answer) is clinical


def test_the_published_phrases():
    assert len(PUBLISHED_PHRASES) == 11
    assert PUBLISHED_PHRASES[0] == "the question is not answerable"


def test_neither_error_occurs_on_the_answers_the_rules_were_written_for():
    assert len(LABELLED["abstains"]) == 247
    assert len(LABELLED["answers"]) == 246
    assert overlooked("clinical") == mistaken("clinical") == []


def test_errors_on_answers_that_the_rules_were_not_written_for():
    assert len(LABELLED["abstains_held_out"]) == len(LABELLED["answers_held_out"]) == 25
    assert len(overlooked("clinical", "abstains_held_out")) <= 7
    assert len(mistaken("clinical", "answers_held_out")) <= 1


def test_the_published_recipe_overlooks_other_words_but_mistakes_no_answer():
    assert len(overlooked("medlocomo")) == 238
    assert mistaken("medlocomo") == mistaken("medlocomo", "answers_held_out") == []


@given(st.text(max_size=60))
def test_what_abstains_by_the_published_recipe_does_by_the_clinical_one(answer: str):
    assert abstains("clinical", answer) or not abstains("medlocomo", answer)


def test_a_long_answer_is_read_at_once():
    assert not abstains("clinical", "the patient's dose was not " * 4000)
