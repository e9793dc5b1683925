"""The extractive reader."""

import pytest

from tasks.answering.extracting import extract, extract_answers
from tasks.answering.replies import AnswersInput, NumberedAnswer
from tasks.answering.timeline import ContextLine
from tasks.contracts.clock import parse_time
from tasks.contracts.questions import ABSTENTION


def _line(time: str, text: str, speaker: str = "Doctor") -> ContextLine:
    return ContextLine(parse_time(time), speaker, text)


LINES = (
    _line("2150-01-10 10:00:00", "Your potassium is 5.9 today. We gave furosemide 40 mg daily."),
    _line("2150-01-11 10:00:00", "The chest film showed pulmonary edema."),
    _line("2150-03-05 10:00:00", "Furosemide goes up to 80 mg twice daily because of the edema."),
    _line("2150-06-20 10:00:00", "You go home on furosemide and lisinopril 5 mg at bedtime."),
)
FIRST = "During the hospitalization from 2150-01-10 to 2150-01-12, "
SECOND = "During the hospitalization from 2150-03-05 to 2150-03-07, "


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (FIRST + "at what dose was furosemide given?", "40 mg"),
        (SECOND + "at what dose was furosemide given?", "80 mg"),
        (SECOND + "at what interval was furosemide prescribed?", "twice daily"),
        (FIRST + "what value of potassium was found?", "5.9"),
        (FIRST + "what did the chest film show?", "pulmonary edema"),
        (FIRST + "on which date was the chest film done?", "2150-01-11"),
        ("In how many hospitalizations was furosemide given?", "3 hospitalizations"),
        (FIRST + "at what dose was warfarin given?", ABSTENTION),
        (SECOND + "what did the chest film show?", ABSTENTION),
        ("In how many hospitalizations was warfarin given?", ABSTENTION),
    ],
)
def test_a_value_is_taken_from_the_line_that_the_question_is_about(question: str, answer: str):
    assert extract(question, LINES) == answer


def test_the_value_nearest_to_what_was_asked_about_is_taken():
    lines = [_line("2150-01-10 10:00:00", "Take aspirin 81 mg, lisinopril 5 mg and iron 325 mg.")]
    assert extract("Which dose of lisinopril is it?", lines) == "5 mg"


@pytest.mark.parametrize(
    ("question", "said", "answer"),
    [
        ("What was creatinine on arrival?", "Your creatinine is 1.2 mg/dL.", "1.2 mg/dL"),
        ("Which dose of lorazepam is it?", "You take lorazepam 0.5 mg.", "0.5 mg"),
        ("How many units of heparin?", "You had 1,500 units of heparin.", "1,500"),
        ("What was the blood pressure?", "Your blood pressure is 120/80, fine.", "120/80"),
    ],
)
def test_a_number_is_taken_whole(question: str, said: str, answer: str):
    assert extract(question, [_line("2150-01-10 10:00:00", said)]) == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("why was telemetry continued?", "risk of arrhythmia"),
        ("what prompted heparin being held?", "active bleeding"),
        ("for what reason was oxygen given?", "hypoxia"),
        ("which finding explains the decision to have allopurinol started?", "gout"),
        ("what happened to insulin glargine?", "decreased from 18 units to 14.5 units"),
        ("why was warfarin started?", ABSTENTION),
    ],
)
def test_reasons_and_changes_are_told_by_their_wording(question: str, answer: str):
    lines = [
        _line("2150-01-10 10:00:00", "Telemetry was continued because of risk of arrhythmia. OK?"),
        _line("2150-01-10 11:00:00", "Heparin was held, and the reason was active bleeding."),
        _line("2150-01-10 12:00:00", "Due to hypoxia, we gave you oxygen."),
        _line("2150-01-10 13:00:00", "We started allopurinol for gout."),
        _line("2150-01-11 09:00:00", "Insulin glargine was decreased from 18 units to 14.5 units."),
    ]
    assert extract(FIRST + question, lines) == answer


def test_every_question_gets_an_answer_under_its_number():
    given = AnswersInput(lines=LINES, questions=("Which dose of warfarin?", FIRST + "why?"))
    assert extract_answers(given).answers == [
        NumberedAnswer(number=1, answer=ABSTENTION),
        NumberedAnswer(number=2, answer=ABSTENTION),
    ]


def test_without_lines_there_is_no_answer():
    assert extract("Which dose of furosemide?", ()) == ABSTENTION


def test_a_summary_is_read_where_no_line_helps():
    said = extract(
        "Which anticoagulant for fibrillation?", (), "Anticoagulant for fibrillation: apixaban"
    )
    assert said == "apixaban"
