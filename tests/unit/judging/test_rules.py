import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.judging.request import VerdictTask
from tasks.judging.rules import judge_by_rules


def verdict(gold: str, candidate: str, question: str = "What was the dose of furosemide?") -> bool:
    task = VerdictTask(question=question, gold=gold, candidate=candidate)
    return judge_by_rules(task).correct


@pytest.mark.parametrize(
    ("gold", "candidate"),
    [
        ("80 mg", "80mg"),
        ("80 mg", "The dose of furosemide was 80 mg."),
        ("1,000 mL", "1000 mL"),
        ("volume overload", "Because of volume overload"),
        ("aspirin, warfarin", "warfarin and aspirin"),
        ("aspirin and warfarin", "Warfarin, aspirin"),
        ("no growth", "There was no growth."),
        ("pulmonary edema", "acute pulmonary edema"),
    ],
)
def test_an_answer_that_carries_the_gold_is_right(gold: str, candidate: str):
    assert verdict(gold, candidate)


@pytest.mark.parametrize(
    ("gold", "candidate"),
    [
        ("80 mg", "40 mg"),
        ("80 mg", "80 g"),
        ("80 mg", "180 mg"),
        ("2.5 mg", "25 mg"),
        ("80 mg", "It rose from 40 to 80 mg."),
        ("80 mg", "80 mg or 120 mg"),
        ("80 mg", "not 80 mg"),
        ("no growth", "growth"),
        ("growth", "no growth"),
        ("pain", "without pain"),
        ("left leg", "left leg, right arm"),
        ("increased", "it increased, then decreased"),
        ("aspirin, warfarin", "aspirin"),
        ("aspirin 81 mg, lisinopril 10 mg", "aspirin 10 mg, lisinopril 81 mg"),
        ("heart failure", "failure of the kidneys, heart transplant"),
        ("yes", "no"),
        ("80 mg", ""),
        ("sepsis", "either sepsis or pancreatitis"),
        ("pneumonia", "pneumonia " + "this that these those them they there then thus " * 2),
    ],
)
def test_an_answer_that_is_in_doubt_is_wrong(gold: str, candidate: str):
    assert not verdict(gold, candidate)


def test_numbers_of_the_question_may_be_repeated():
    question = "What was the dose of furosemide on 2150-06-01?"
    assert verdict("80 mg", "On 2150-06-01 it was 80 mg.", question)
    assert not verdict("80 mg", "On 2150-06-02 it was 80 mg.", question)


@given(st.text(min_size=1, max_size=40).filter(str.strip))
def test_the_gold_answer_itself_is_right(gold: str):
    assert verdict(gold, gold)
