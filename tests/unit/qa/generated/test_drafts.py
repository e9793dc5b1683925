"""From a draft to a question: opening, citation and answer are put right by code."""

from __future__ import annotations

import pytest

from tasks.contracts.questions import CitedTurn, Question, QuestionType
from tasks.qa.generated.drafts import Asked, opened, read_draft
from tasks.qa.generated.judging import QuestionJudge
from tasks.qa.generated.replies import QuestionDraft
from tasks.qa.stays import patient_stays
from tests.factories.charts import make_admission, make_chart, make_fact
from tests.factories.question_replies import FIRST, two_stays

PREFIX = "During the hospitalization from 2150-06-01 to 2150-06-05, "
ASKED = Asked("90000001_80000001_q02", QuestionType.CARE_PLAN_RATIONALE)


def read(question: str, answer: str, *cited: int) -> tuple[Question | None, tuple[str, ...]]:
    draft = QuestionDraft(
        question_type="care_plan_rationale", question=question, answer=answer, cited_turns=cited
    )
    stay = patient_stays(two_stays()).stays[0]
    return read_draft(draft, ASKED, stay, QuestionJudge(two_stays()))


def sound(question: str, answer: str, *cited: int) -> Question:
    found, faults = read(question, answer, *cited)
    assert faults == ()
    assert found is not None
    return found


@pytest.mark.parametrize(
    "question",
    [
        f"{PREFIX}what was the discharge dose of furosemide?",
        "What was the discharge dose of furosemide?",
        "During the stay from 2150-06-01 to 2150-06-05, what was the discharge dose of furosemide?",
        f"{PREFIX} what was the  discharge dose of furosemide?",
    ],
)
def test_the_opening_dates_are_put_in_by_code(question: str):
    found = sound(question, "40 mg", 2)
    assert found.question == f"{PREFIX}what was the discharge dose of furosemide?"
    assert found.qa_id == "90000001_80000001_q02"
    assert found.evidence.turns == (CitedTurn(hadm_id=FIRST, turn_number=2),)


def test_names_keep_their_case_behind_the_opening():
    assert (
        opened("Klebsiella grew in which culture?", PREFIX)
        == f"{PREFIX}Klebsiella grew in which culture?"
    )


def test_a_cited_turn_that_can_be_spared_is_left_out():
    assert sound("What was the discharge dose of furosemide?", "40 mg", 4, 2).evidence.turn_ids == (
        2,
    )


def test_the_turn_that_says_the_answer_is_found_where_another_is_cited():
    assert sound("What was the discharge dose of furosemide?", "40 mg.", 3).evidence.turn_ids == (
        2,
    )


@pytest.mark.parametrize("claimed", ["5 days", "two days", "0.3 weeks"])
def test_a_wrong_count_of_days_gives_way_to_the_right_one(claimed: str):
    chart = make_chart(
        make_admission(
            FIRST,
            "2150-06-01 09:00:00",
            "2150-06-05 09:00:00",
            [
                make_fact("imaging", 1, "chest film", "clear lungs", date="2150-06-02"),
                make_fact("procedure", 1, "bronchoscopy", "no bleeding", date="2150-06-04"),
            ],
        )
    )
    draft = QuestionDraft(
        question_type="medical_reasoning",
        question="How many days after the chest film was the bronchoscopy done?",
        answer=claimed,
        cited_turns=(2, 3),
    )
    found, _ = read_draft(draft, ASKED, patient_stays(chart).stays[0], QuestionJudge(chart))
    assert found is not None
    assert found.answer == "2 days"


@pytest.mark.parametrize(
    ("question", "answer", "cited", "fault"),
    [
        ("What was the discharge dose of furosemide?", "80 mg", (2,), "the record does not tell"),
        ("What was the discharge dose of furosemide?", "rash", (2, 3), "dose or a number"),
        ("What followed furosemide?", "rash", (2, 3), "the record does not tell"),
        ("Which penicillin reaction beside latex was it?", "rash", (3,), "does not follow"),
        ("What was the discharge dose of furosemide?", "is", (2,), "a piece of talk"),
        ("When was furosemide prescribed?", "40 mg", (2,), "the answer to when is no time"),
        ("What was 40 mg the dose of at discharge?", "40 mg", (2,), "gives its answer away"),
        ("What was the discharge dose of furosemide?", "40 mg", (2, 77), "there is no turn 77"),
        ("What was the discharge dose of furosemide?", "40 mg", (), "no turn is cited"),
        ("Was furosemide prescribed at discharge?", "40 mg", (2,), "yes or no"),
        ("What dose of furosemide, if mentioned, was given?", "40 mg", (2,), "being mentioned"),
        ("What is the dose of furosemide in turn 2?", "40 mg", (2,), "speaks of a conversation"),
        ("What dose of your furosemide was it?", "40 mg", (2,), "third person"),
        ("What did the discharge_notes.csv say of furosemide?", "40 mg", (2,), "names a table"),
    ],
)
def test_what_is_wrong_is_said_without_a_word_of_the_text(
    question: str, answer: str, cited: tuple[int, ...], fault: str
):
    found, faults = read(question, answer, *cited)
    assert found is None
    assert any(fault in one for one in faults)
    assert not any("furosemide" in one or "mg" in one for one in faults)
