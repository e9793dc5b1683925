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
        ("I had two strokes", "Stroke", True),
        ("heart-failure", "Heart failure", True),
        ("They spoke of colo-rectal cancers", "Colorectal Cancer", True),
        ("I wear a hearing aid", "HIV Infection", False),
        ("AIDS", "HIV Infection", True),
        ("I was treated for pancreatitis", "Acute pancreatitis", True),
        ("a fatty liver", "Nonalcoholic Fatty Liver Disease", True),
        ("기관지천식이라고 들었어요", "Asthma", True),
        ("급성신손상이래요", "급성 신손상 (Acute Kidney Injury)", True),
        ("유방 암", "유방암 (Breast Cancer)", True),
        ("집 주위 암벽", "위암 (Gastric Cancer)", False),
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
