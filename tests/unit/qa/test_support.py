"""Sound questions break no rule; each corruption is named by its rule."""

from typing import Any

import pytest

from tasks.contracts.questions import (
    ABSTENTION,
    CitedTurn,
    Evidence,
    Question,
    QuestionType,
    Scope,
)
from tasks.qa.support import violations
from tests.factories.charts import make_admission, make_chart, make_fact

# Turn 1 admits, turn 2 + i states the i-th fact, the last one says when the patient leaves.
CHART = make_chart(
    make_admission(
        "80000001",
        "2150-06-01 10:00:00",
        "2150-06-04 15:00:00",
        [
            make_fact("lab", 1, "admission lactate", "2.1", point="admission", test="lactate"),
            make_fact("culture", 1, "urine culture", "no growth", date="2150-06-01"),
            make_fact("procedure", 1, "colonoscopy", "2150-06-03", date="2150-06-03"),
            make_fact("treatment", 1, "furosemide", "low blood pressure", action="held"),
        ],
    ),
    make_admission(
        "80000002",
        "2150-07-01 10:00:00",
        "2150-07-02 15:00:00",
        [make_fact("lab", 1, "admission lactate", "3.45", point="admission", test="lactate")],
    ),
    make_admission(
        "80000003",
        "2150-09-01 10:00:00",
        "2150-09-09 15:00:00",
        [make_fact("lab", 1, "admission lactate", "1.0", point="admission", test="lactate")],
    ),
)
PREFIX = "During the hospitalization from 2150-06-01 to 2150-06-04, "


def single(
    question: str, answer: str, *turns: int, kind: QuestionType = QuestionType.MEDICAL_REASONING
) -> Question:
    return make("single_admission", kind, PREFIX + question, answer, [(1, turn) for turn in turns])


def cross(
    question: str,
    answer: str,
    *turns: tuple[int, int],
    kind: QuestionType = QuestionType.LONGITUDINAL_PROGRESSION,
) -> Question:
    return make("cross_admission", kind, question, answer, turns)


def make(scope: Scope, kind: QuestionType, question: str, answer: str, turns: Any) -> Question:
    cited = tuple(CitedTurn(hadm_id=f"8000000{stay}", turn_number=turn) for stay, turn in turns)
    return Question(
        qa_id="q",
        scope=scope,
        question_type=kind,
        question=question,
        answer=answer,
        evidence=Evidence(
            admissions=tuple(dict.fromkeys(turn.hadm_id for turn in cited)),
            turn_ids=tuple(turn for _, turn in turns) if scope == "single_admission" else None,
            turns=cited,
        ),
    )


LACTATE = single("what was the patient's lactate on admission?", "2.1", 2)
TREND = cross(
    "How did lactate on admission change from the stay that began on 2150-06-01 to the one that"
    " began on 2150-07-01?",
    "2.1 to 3.45",
    (1, 2),
    (2, 2),
)
HIGHER = cross(
    "In which of the hospitalizations that began on 2150-06-01 and 2150-07-01 was admission"
    " lactate higher?",
    "2150-07-01",
    (1, 2),
    (2, 2),
    kind=QuestionType.CROSS_ADMISSION_COMPARISON,
)
COUNT = cross(
    "How many hospitalizations began from 2150-06-01 through 2150-09-01?",
    "3 hospitalizations",
    (1, 1),
    (2, 1),
    (3, 1),
    kind=QuestionType.FREQUENCY_PATTERN,
)
ORDER = single("which came first, urine culture or colonoscopy?", "urine culture", 3, 4)
ABSENT = single(
    "what was the patient's troponin on admission?", ABSTENTION, 2, kind=QuestionType.ADVERSARIAL
)


@pytest.mark.parametrize(
    "question",
    [
        LACTATE,
        TREND,
        HIGHER,
        COUNT,
        ORDER,
        ABSENT,
        single("why was furosemide held?", "low blood pressure", 5),
        single("on which date was colonoscopy done?", "2150-06-03", 4),
        single("how many days after admission was colonoscopy done?", "2 days", 1, 4),
        single("how many days apart were urine culture and colonoscopy?", "2 days", 3, 4),
        single("on which weekday did the stay begin?", "Monday", 1),
        cross("By how much did lactate differ?", "1.35", (1, 2), (2, 2)),
        cross("On which weekdays did the stays begin?", "Monday and Wednesday", (1, 1), (2, 1)),
        cross("How many days lay between the two beginnings?", "30 days", (1, 1), (2, 1)),
        cross("When did the stays begin?", "2150-06-01 and 2150-07-01", (1, 1), (2, 1)),
        cross("How did the length of stay change?", "3 days to 1 day", (1, 6), (2, 3)),
        cross("What was the highest lactate?", "3.45", (1, 2), (2, 2), (3, 2)),
        cross("What was the lowest lactate?", "1.0", (1, 2), (2, 2), (3, 2)),
        cross("How did lactate run?", "2.1, 3.45, 1.0", (1, 2), (2, 2), (3, 2)),
        cross("In which direction did lactate move?", "rose, then fell", (1, 2), (2, 2), (3, 2)),
        cross(
            "Which of the stays of 2150-06-01, 2150-07-01 and 2150-09-01 had the lowest lactate?",
            "2150-09-01",
            (1, 2),
            (2, 2),
            (3, 2),
        ),
        cross(
            "By how many days was the stay with colonoscopy longer than the one of 2150-07-01?",
            "2 days",
            (1, 4),
            (1, 6),
            (2, 3),
        ),
        cross(
            "From the stay with colonoscopy to that of 2150-07-01, how did lactate change?",
            "2.1 to 3.45",
            (1, 2),
            (1, 4),
            (2, 2),
        ),
        single("what came next after the urine culture?", "colonoscopy", 3, 4),
    ],
)
def test_a_sound_question_breaks_no_rule(question: Question):
    assert violations(question, CHART) == ()


def changed(original: Question, **update: Any) -> Question:
    return original.model_copy(update=update)


def evidence(question: Question, **update: Any) -> Question:
    return changed(question, evidence=question.evidence.model_copy(update=update))


def turns(*cited: tuple[int, int]) -> tuple[CitedTurn, ...]:
    return tuple(CitedTurn(hadm_id=f"8000000{stay}", turn_number=turn) for stay, turn in cited)


@pytest.mark.parametrize(
    ("question", "rule"),
    [
        (changed(LACTATE, question="What was lactate?"), "does not open with"),
        (
            changed(LACTATE, question=LACTATE.question.replace("06-04", "06-05")),
            "does not open with",
        ),
        (changed(LACTATE, question_type=QuestionType.FREQUENCY_PATTERN), "does not belong to"),
        (changed(TREND, question_type=QuestionType.MEDICAL_REASONING), "does not belong to"),
        (evidence(LACTATE, turns=turns((1, 99)), turn_ids=(99,)), "1 cited turns do not exist"),
        (evidence(LACTATE, turns=(), turn_ids=()), "no turn is cited"),
        (evidence(LACTATE, turn_ids=(3,)), "turn_ids differ"),
        (evidence(LACTATE, turn_ids=None), "turn_ids differ"),
        (evidence(LACTATE, turns=turns((1, 2), (1, 2)), turn_ids=(2, 2)), "repeated or not in"),
        (evidence(TREND, turns=turns((2, 2), (1, 2))), "cited turns are repeated or not in time"),
        (evidence(TREND, admissions=("80000002", "80000001")), "admissions of the evidence are"),
        (evidence(TREND, admissions=("80000001", "80000009")), "an admission of the evidence is"),
        (evidence(TREND, admissions=("80000001",)), "fewer than 2"),
        (
            evidence(TREND, admissions=("80000001", "80000002", "80000003")),
            "do not cover exactly",
        ),
        (evidence(LACTATE, admissions=("80000001", "80000002")), "names 2 admissions, not 1"),
        (single("how many days after admission was colonoscopy done?", "2 days", 4),
         "does not follow"),
        (changed(LACTATE, answer="2.2"), "does not follow"),
        (changed(LACTATE, answer="2"), "does not follow"),
        (evidence(LACTATE, turns=turns((1, 3)), turn_ids=(3,)), "does not follow"),
        (evidence(LACTATE, turns=turns((1, 2), (1, 3)), turn_ids=(2, 3)), "1 cited turns could be"),
        (changed(TREND, answer="3.45 to 2.1"), "does not follow"),
        (changed(HIGHER, answer="2150-06-01"), "does not follow"),
        (changed(COUNT, answer="2 hospitalizations"), "does not follow"),
        (evidence(COUNT, admissions=("80000001", "80000002"), turns=turns((1, 1), (2, 1))),
         "does not follow"),
        (changed(ORDER, answer="colonoscopy"), "does not follow"),
        (cross("What was the highest lactate?", "2.1", (1, 2), (2, 2), (3, 2)), "2 cited turns"),
        (cross("What was the highest lactate?", "9.9", (1, 2), (2, 2), (3, 2)), "does not follow"),
        (cross("How did lactate run?", "3.45, 2.1, 1.0", (1, 2), (2, 2), (3, 2)),
         "does not follow"),
        (cross("In which direction did lactate move?", "fell, then rose", (1, 2), (2, 2), (3, 2)),
         "does not follow"),
        (cross("Which of the stays of 2150-06-01, 2150-07-01 and 2150-09-01 had the lowest"
               " lactate?", "2150-07-01", (1, 2), (2, 2), (3, 2)), "does not follow"),
        (cross("By how many days was the stay with colonoscopy longer than the one of 2150-07-01?",
               "4 days", (1, 4), (1, 6), (2, 3)), "does not follow"),
        (single("what came next after the colonoscopy?", "urine culture", 3, 4),
         "does not follow"),
        (evidence(ORDER, turns=turns((1, 3)), turn_ids=(3,)), "does not follow"),
        (changed(LACTATE, answer="one two three four five six seven eight nine ten eleven"),
         "11 words"),
        (changed(LACTATE, answer=ABSTENTION), "answered by the abstention"),
        (changed(ABSENT, answer="not answerable"), "canonical abstention"),
        (changed(ABSENT, question=ABSENT.question.replace("troponin", "lactate")),
         "the record mentions what an adversarial"),
        (changed(LACTATE, question=LACTATE.question + " ___"), "mark of removed text"),
        (changed(LACTATE, question=LACTATE.question + " (80000001)"), "an identifier"),
        (changed(LACTATE, question=LACTATE.question + " 90000001-DS-1"), "an identifier"),
        (changed(LACTATE, question=LACTATE.question + " per diagnoses_icd"), "names a table"),
        (changed(LACTATE, question=LACTATE.question + " per the discharge note"), "names a table"),
        (changed(LACTATE, question=LACTATE.question.replace("the patient's", "your")),
         "third person"),
    ],
)  # fmt: skip
def test_a_corrupted_question_is_named_by_its_rule(question: Question, rule: str):
    found = violations(question, CHART)
    assert any(rule in message for message in found), found


def test_more_than_four_turns_of_an_admission_are_too_many():
    broken = violations(evidence(LACTATE, turns=turns(*((1, at) for at in range(1, 6))),
                                 turn_ids=(1, 2, 3, 4, 5)), CHART)  # fmt: skip
    assert any("more than 4 turns" in message for message in broken)


def test_messages_name_the_question_and_never_quote_it():
    marker = "Zebrafish"
    broken = violations(changed(LACTATE, question=marker, answer=f"{marker} ___"), CHART)
    assert broken
    assert all(message.startswith("q: ") for message in broken)
    assert not any(marker in message for message in broken)


def test_a_single_admission_question_may_ask_about_what_another_stay_alone_mentions():
    absent = single(
        "what was the patient's sodium on admission?",
        ABSTENTION,
        2,
        kind=QuestionType.ADVERSARIAL,
    )
    sodium = make_fact("lab", 2, "admission sodium", "140", point="admission", test="sodium")
    third = CHART.admissions[2]
    elsewhere = make_admission(
        third.bundle.hadm_id, "2150-09-01 10:00:00", "2150-09-09 15:00:00", [sodium]
    )
    chart = CHART.model_copy(update={"admissions": (*CHART.admissions[:2], elsewhere)})
    assert violations(absent, chart) == ()
    across = cross(
        "How did sodium on admission change from the stay that began on 2150-06-01 to the one that"
        " began on 2150-07-01?",
        ABSTENTION,
        (1, 2),
        (2, 2),
        kind=QuestionType.ADVERSARIAL,
    )
    assert violations(across, chart) == (
        "q: the record mentions what an adversarial question asks about",
    )
