"""Answers of a model: what the record tells of what the question names, not a piece of talk."""

from __future__ import annotations

import pytest

from tasks.contracts.questions import (
    AdmissionQuestionsInput,
    CitedTurn,
    Evidence,
    PatientChart,
    Question,
    QuestionType,
)
from tasks.qa.admission_questions import write_admission_questions
from tasks.qa.generated.answers import AnswerCheck
from tasks.qa.generated.judging import QuestionJudge
from tasks.qa.stays import patient_stays
from tests.factories.charts import make_admission, make_chart, make_fact
from tests.factories.question_replies import FIRST, NO_LEXICON, two_stays

CHART = make_chart(
    make_admission(
        FIRST,
        "2150-06-01 09:00:00",
        "2150-06-05 09:00:00",
        [
            make_fact(
                "treatment", 1, "furosemide", "volume overload", action="started", dose="40 mg"
            ),
            make_fact(
                "discharge_medication", 1, "furosemide", "20 mg by mouth daily", dose="20 mg"
            ),
            make_fact("allergy", 1, "latex", "rash"),
        ],
        note="Brief Hospital Course:\nHer pneumonia improved on ceftriaxone.\n",
    )
)


def faults(chart: PatientChart, question: str, answer: str) -> list[str]:
    judge = QuestionJudge(chart)
    asked = Question(
        qa_id="q",
        scope="single_admission",
        question_type=QuestionType.MEDICAL_REASONING,
        question=f"During the hospitalization from 2150-06-01 to 2150-06-05, {question}",
        answer=answer,
        evidence=Evidence(
            admissions=(FIRST,), turn_ids=(2,), turns=(CitedTurn(hadm_id=FIRST, turn_number=2),)
        ),
    )
    check = AnswerCheck(patient_stays(chart).stays[0], judge.record)
    return list(check.faults(answer, judge.read(asked)))


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("why was furosemide started?", "volume overload"),
        ("which drug was started because of volume overload?", "furosemide"),
        # The dose belongs to the drug, and the drug to the reason that the question names.
        ("what was the discharge dose of the drug started for volume overload?", "20 mg"),
        # Told by the note alone.
        ("on which antibiotic did the pneumonia improve?", "ceftriaxone"),
        ("when was furosemide started?", "2150-06-02"),
        ("which was it, latex or penicillin?", "latex"),
    ],
)
def test_what_the_record_tells_of_the_thing_is_an_answer(question: str, answer: str):
    assert faults(CHART, question, answer) == []


@pytest.mark.parametrize(
    ("question", "answer", "fault"),
    [
        ("why was furosemide started?", "because of the", "a piece of talk"),
        ("why was furosemide started?", "I'll explain", "a piece of talk"),
        ("why was furosemide started?", "that's volume overload", "a piece of talk"),
        ("why was furosemide started?", "Regarding", "does not tell"),
        ("what followed furosemide?", "rash", "does not tell"),
        ("why was furosemide started?", "improved", "does not tell"),
        ("when was furosemide started?", "volume overload", "no time"),
        ("how many mg of furosemide were given?", "volume overload", "holds none"),
        ("why was furosemide started?", "furosemide", "gives its answer away"),
    ],
)
def test_chance_finds_are_none(question: str, answer: str, fault: str):
    (found,) = faults(CHART, question, answer)
    assert fault in found


def test_what_the_rules_answer_is_an_answer():
    for chart in (two_stays(), CHART):
        given = AdmissionQuestionsInput(chart=chart, hadm_id=FIRST, lexicon=NO_LEXICON)
        for question in write_admission_questions(given).qas[:2]:
            body = question.question.split(", ", maxsplit=1)[1]
            assert faults(chart, body, question.answer) == []
