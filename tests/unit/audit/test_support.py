"""Answers that follow from their cited turns, and answers that don't."""

from __future__ import annotations

import pytest

from tasks.audit.support.questions import audit_questions
from tasks.contracts.audit import QuestionAudit
from tests.unit.audit.patients import (
    FIRST_STAY,
    SECOND_STAY,
    THIRD_STAY,
    patient,
    question,
    session,
)

THREE = ("1:5", "2:3", "3:4")
FOLLOWING = [
    (THIRD_STAY + "besides nausea, what else was denied?", "vomiting and chest pain", ("3:2",)),
    ("How did hemoglobin on admission move over the stays?", "it rose, then fell", THREE),
    ("What was hemoglobin on admission in each stay?", "9.8, 11.2, 10.4", THREE),
    (FIRST_STAY + "what dose of furosemide did the patient take at home?", "20 mg", ("1:4",)),
    (FIRST_STAY + "what dose of furosemide was prescribed at discharge?", "40 mg", ("1:9",)),
    (FIRST_STAY + "why was ibuprofen stopped?", "because of the kidneys", ("1:6",)),
    (FIRST_STAY + "what did the echocardiogram show?", "an ejection fraction of 35%", ("1:7",)),
    (FIRST_STAY + "on which date was the echocardiogram done?", "2150-03-03", ("1:7",)),
    (FIRST_STAY + "on which weekday was the echocardiogram done?", "Tuesday", ("1:7",)),
    (FIRST_STAY + "what was the primary diagnosis?", "acute heart failure", ("1:9",)),
    (FIRST_STAY + "was gout a primary or a secondary diagnosis?", "secondary", ("1:9",)),
    (
        FIRST_STAY + "by how many mg was furosemide raised between home and discharge?",
        "20",
        ("1:4", "1:9"),
    ),
    (
        FIRST_STAY + "by how many mg was furosemide raised between home and discharge?",
        "20 mg",
        ("1:4", "1:9"),
    ),
    (
        FIRST_STAY + "how did the dose of furosemide change from home to discharge?",
        "20 mg to 40 mg",
        ("1:4", "1:9"),
    ),
    (FIRST_STAY + "how many secondary diagnoses were named?", "two", ("1:9",)),
    (FIRST_STAY + "did the patient leave on sertraline?", "yes", ("1:9",)),
    (FIRST_STAY + "how soon was follow-up with cardiology planned?", "within one week", ("1:10",)),
    (FIRST_STAY + "when was the patient to be seen in cardiology?", "in 1 week", ("1:10",)),
    (THIRD_STAY + "was chest pain reported or denied?", "denied", ("3:2",)),
    (THIRD_STAY + "was nausea reported or denied?", "denied", ("3:2",)),
    (THIRD_STAY + "did the patient have chest pain?", "no", ("3:1",)),
    (THIRD_STAY + "how did Escherichia coli respond to ciprofloxacin?", "resistant", ("3:3",)),
    (THIRD_STAY + "which organism grew in the blood culture?", "E. coli", ("3:3",)),
    (THIRD_STAY + "how long was the stay?", "5 days", ("3:6",)),
    (
        "How did hemoglobin on admission change from the stay of 2150-03-01 to that of 2150-06-10?",
        "9.8 to 11.2",
        ("1:5", "2:3"),
    ),
    (
        "How did hemoglobin on admission change from the stay of 2150-03-01 to that of 2150-06-10?",
        "it rose",
        ("1:5", "2:3"),
    ),
    (
        "Did hemoglobin on admission rise from the stay of 2150-03-01 to that of 2150-06-10?",
        "Yes",
        ("1:5", "2:3"),
    ),
    (
        "By how much did hemoglobin on admission differ between the stays of 2150-03-01 and "
        "2150-06-10?",
        "1.4",
        ("1:5", "2:3"),
    ),
    (
        "What was hemoglobin on admission in the stay of 2150-06-10 versus that of 2150-03-01?",
        "11.2 versus 9.8",
        ("1:5", "2:3"),
    ),
    (
        "In which of the stays of 2150-03-01 and 2150-06-10 was hemoglobin on admission higher?",
        "2150-06-10",
        ("1:5", "2:3"),
    ),
    (
        "In which of the stays of 2150-03-01 and 2150-06-10 was hemoglobin on admission higher?",
        "the second one",
        ("1:5", "2:3"),
    ),
    (
        "What was the highest hemoglobin on admission across all stays?",
        "11.2",
        ("1:5", "2:3", "3:4"),
    ),
    ("In how many hospitalizations was hemoglobin on admission below 11?", "2", ("1:5", "3:4")),
    ("In how many hospitalizations was an echocardiogram done?", "twice", ("1:7", "2:3")),
    (
        "In how many hospitalizations was an echocardiogram done?",
        "2 hospitalizations",
        ("1:7", "2:3"),
    ),
    (
        "How many different doses of furosemide were prescribed at discharge?",
        "2 different doses",
        ("1:9", "2:4", "3:5"),
    ),
    (
        "How many days lay between the echocardiogram in the stay of 2150-03-01 and the one in "
        "that of 2150-06-10?",
        "100 days",
        ("1:7", "2:3"),
    ),
    (
        "When was the echocardiogram first and last done?",
        "2150-03-03 and 2150-06-11",
        ("1:7", "2:3"),
    ),
    ("At which stay was warfarin first started?", "2151-01-20", ("3:5",)),
    (
        "Which came first, the echocardiogram or the blood culture?",
        "the echocardiogram",
        ("1:7", "3:3"),
    ),
    (
        "Which drug was started in the stay of 2151-01-20 but not in that of 2150-06-10?",
        "warfarin",
        ("2:4", "3:5"),
    ),
    (
        "What was the primary diagnosis in the stay of 2150-03-01 and in that of 2150-06-10?",
        "acute heart failure and orthostatic hypotension",
        ("1:9", "2:5"),
    ),
    (
        "Was acute heart failure primary in the stay of 2150-03-01 and what in that of 2150-06-10?",
        "primary versus secondary",
        ("1:9", "2:5"),
    ),
]
NOT_FOLLOWING = [
    (THIRD_STAY + "besides nausea, what else was denied?", "nausea and chest pain", ("3:2",)),
    ("How did hemoglobin on admission move over the stays?", "it fell, then rose", THREE),
    ("What was hemoglobin on admission in each stay?", "9.8, 10.4, 11.2", THREE),
    (FIRST_STAY + "how many days was furosemide given?", "2150-03-03", ("1:6",)),
    (FIRST_STAY + "what dose of furosemide did the patient take at home?", "10 mg", ("1:4",)),
    (FIRST_STAY + "what dose of furosemide was prescribed at discharge?", "50 mg", ("1:9",)),
    (FIRST_STAY + "what dose of furosemide was prescribed at discharge?", "40 mg", ("1:10",)),
    (FIRST_STAY + "why was ibuprofen stopped?", "the fluid", ("1:6",)),
    (FIRST_STAY + "how often was furosemide to be taken at discharge?", "gout", ("1:9",)),
    (FIRST_STAY + "at what interval was furosemide prescribed?", "ibuprofen", ("1:6", "1:9")),
    (FIRST_STAY + "on which date was the echocardiogram done?", "2150-03-04", ("1:7",)),
    (FIRST_STAY + "on which weekday was the echocardiogram done?", "Monday", ("1:7",)),
    (FIRST_STAY + "what was the primary diagnosis?", "gout", ("1:9",)),
    (FIRST_STAY + "was gout a primary or a secondary diagnosis?", "primary", ("1:9",)),
    (
        FIRST_STAY + "by how many mg was furosemide raised between home and discharge?",
        "30",
        ("1:4", "1:9"),
    ),
    (
        FIRST_STAY + "how did the dose of furosemide change from home to discharge?",
        "40 mg to 20 mg",
        ("1:4", "1:9"),
    ),
    (THIRD_STAY + "was cough reported or denied?", "denied", ("3:2",)),
    (THIRD_STAY + "did the patient have chest pain?", "yes", ("3:1",)),
    (THIRD_STAY + "how did Escherichia coli respond to ceftriaxone?", "resistant", ("3:3",)),
    (THIRD_STAY + "how long was the stay?", "6 days", ("3:6",)),
    (
        "How did hemoglobin on admission change from the stay of 2150-03-01 to that of 2150-06-10?",
        "11.2 to 9.8",
        ("1:5", "2:3"),
    ),
    (
        "How did hemoglobin on admission change from the stay of 2150-03-01 to that of 2150-06-10?",
        "it fell",
        ("1:5", "2:3"),
    ),
    (
        "Did hemoglobin on admission fall from the stay of 2150-03-01 to that of 2150-06-10?",
        "Yes",
        ("1:5", "2:3"),
    ),
    (
        "By how much did hemoglobin on admission differ between the stays of 2150-03-01 and "
        "2150-06-10?",
        "1.5",
        ("1:5", "2:3"),
    ),
    (
        "What was hemoglobin on admission in the stay of 2150-06-10 versus that of 2150-03-01?",
        "9.8 versus 11.2",
        ("1:5", "2:3"),
    ),
    (
        "In which of the stays of 2150-03-01 and 2150-06-10 was hemoglobin on admission higher?",
        "2150-03-01",
        ("1:5", "2:3"),
    ),
    (
        "What was the highest hemoglobin on admission across all stays?",
        "10.4",
        ("1:5", "2:3", "3:4"),
    ),
    (
        "In how many hospitalizations was hemoglobin on admission below 11?",
        "3 hospitalizations",
        ("1:5", "2:3", "3:4"),
    ),
    (
        "In how many hospitalizations was an echocardiogram done?",
        "3 hospitalizations",
        ("1:7", "2:3"),
    ),
    (
        "How many different doses of furosemide were prescribed at discharge?",
        "three",
        ("1:9", "2:4", "3:5"),
    ),
    (
        "How many days lay between the echocardiogram in the stay of 2150-03-01 and the one in "
        "that of 2150-06-10?",
        "101 days",
        ("1:7", "2:3"),
    ),
    (
        "When was the echocardiogram first and last done?",
        "2150-06-11 and 2150-03-03",
        ("1:7", "2:3"),
    ),
    (
        "Which came first, the echocardiogram or the blood culture?",
        "the blood culture",
        ("1:7", "3:3"),
    ),
    (
        "What was the primary diagnosis in the stay of 2150-03-01 and in that of 2150-06-10?",
        "orthostatic hypotension and acute heart failure",
        ("1:9", "2:5"),
    ),
    (SECOND_STAY + "at what dose was furosemide to be taken?", "60 mg", ("2:6",)),
    (FIRST_STAY + "what dose of bumetanide was prescribed at discharge?", "40 mg", ("1:9",)),
    ("How did the dose of gabapentin change between the stays?", "40 mg to 60 mg", ("1:9", "2:4")),
]


def audit(text: str, answer: str, *cites: str) -> QuestionAudit:
    return audit_questions(patient(question(text, answer, *cites)))[0]


@pytest.mark.parametrize(("text", "answer", "cites"), FOLLOWING)
def test_an_answer_follows_from_its_turns(text: str, answer: str, cites: tuple[str, ...]) -> None:
    assert audit(text, answer, *cites).supported is True


@pytest.mark.parametrize(("text", "answer", "cites"), NOT_FOLLOWING)
def test_another_answer_does_not(text: str, answer: str, cites: tuple[str, ...]) -> None:
    assert audit(text, answer, *cites).supported is False


@pytest.mark.parametrize(
    ("text", "answer", "cites", "dispensable"),
    [
        (FIRST_STAY + "what did the echocardiogram show?", "35%", ("1:7",), 0),
        (FIRST_STAY + "what did the echocardiogram show?", "35%", ("1:7", "1:8"), 1),
        (FIRST_STAY + "what did the echocardiogram show?", "35%", ("1:2", "1:7", "1:10"), 2),
        ("In how many stays was an echocardiogram done?", "2 stays", ("1:7", "2:3"), 0),
        (
            "How did the discharge dose of furosemide change from the stay of 2150-03-01 to that "
            "of 2150-06-10?",
            "40 mg to 60 mg",
            ("1:9", "2:4", "3:4"),
            1,
        ),
        ("Which dose of furosemide at discharge was the highest?", "60 mg", ("1:9", "2:4"), 0),
    ],
)
def test_turns_without_which_the_answer_follows_are_dispensable(
    text: str, answer: str, cites: tuple[str, ...], dispensable: int
) -> None:
    found = audit(text, answer, *cites)

    assert (found.supported, found.dispensable_turns) == (True, dispensable)


def test_a_citation_of_most_turns_cites_nothing_in_particular() -> None:
    text = FIRST_STAY + "what did the echocardiogram show?"

    assert audit(text, "35%", *(f"1:{n}" for n in range(1, 7))).whole_dialogue is True
    assert audit(text, "35%", *(f"1:{n}" for n in range(5, 10))).whole_dialogue is False
    assert audit(text, "35%", "1:7").whole_dialogue is False


def test_turns_that_do_not_exist_are_counted() -> None:
    found = audit(FIRST_STAY + "what did the echocardiogram show?", "35%", "1:7", "1:99")

    assert (found.cited_turns, found.missing_turns, found.supported) == (2, 1, True)


def test_where_only_admissions_are_cited_all_their_turns_count() -> None:
    cited = question("What did the echocardiogram of the year 2150 show?", "35%", "1:7")
    bare = cited.model_copy(update={"evidence": cited.evidence.model_copy(update={"turns": ()})})
    wrong = bare.model_copy(update={"answer": "55%"})

    right_audit, wrong_audit = audit_questions(patient(bare, wrong))

    assert (right_audit.cited_turns, right_audit.supported) == (0, True)
    assert (right_audit.dispensable_turns, right_audit.contradicting_turns) == (0, ())
    assert wrong_audit.supported is False


def test_a_word_that_only_answerable_questions_use_is_wording() -> None:
    asked = [
        question(FIRST_STAY + f"pray tell, which {thing} obtained?", answer, cite)
        for thing, answer, cite in (
            ("echocardiogram result", "35%", "1:7"),
            ("hemoglobin value", "9.8", "1:5"),
        )
    ]

    assert [one.supported for one in audit_questions(patient(*asked))] == [True, True]


def test_a_turn_of_another_stay_does_not_support() -> None:
    sessions = (session(0), session(1), session(2))
    one = question(SECOND_STAY + "what dose of furosemide was taken at home?", "20 mg", "1:4")

    assert audit_questions(patient(one, sessions=sessions))[0].supported is False
