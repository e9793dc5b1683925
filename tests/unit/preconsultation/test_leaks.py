import pytest

from tasks.preconsultation.leaks import names_disease, without_disease


@pytest.mark.parametrize(
    ("text", "disease", "named"),
    [
        ("I have asthma", "Asthma", True),
        ("ASTHMA!", "Asthma", True),
        ("My asthmatic cousin", "Asthma", False),
        ("They spoke of sugar diabetes", "Diabetes", True),
        ("type 2 diabetes mellitus", "Diabetes", True),
        ("I was told of C.O.P.D.", "COPD", True),
        ("지난달 당뇨병이라고 들었어요", "Diabetes", True),
        ("I had a stroke", "뇌졸중 (Stroke)", True),
        ("Strokes my cat", "Stroke", False),
        ("", "Asthma", False),
    ],
)
def test_a_name_is_found_word_for_word_in_either_language(text: str, disease: str, named: bool):
    assert names_disease(text, disease, disease) is named


def test_the_spelling_of_the_profile_counts_too():
    assert names_disease("the wheezing sickness", "Asthma", "Wheezing Sickness")


def test_clauses_that_name_the_disease_are_taken_away():
    text = "I cough at night; I have asthma, since long. No fever"
    assert without_disease(text, "Asthma", "Asthma") == "I cough at night since long. No fever"
    assert without_disease("I have asthma", "Asthma", "Asthma") == ""
    assert without_disease("I cough ; a lot", "Asthma", "Asthma") == "I cough ; a lot"
