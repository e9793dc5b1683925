"""Whatever a model replies, what is taken is sound and the counts are exact."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.contracts.questions import AdmissionQuestionsInput, CrossQuestionsInput
from tasks.qa.generated.across import ask_across_admissions
from tasks.qa.generated.admission import ask_about_admission
from tasks.qa.generated.judging import QuestionJudge
from tasks.qa.generated.replies import (
    DraftingTask,
    QuestionDraft,
    QuestionDrafts,
    WordedQuestion,
    WordedQuestions,
    WordingTask,
)
from tasks.qa.tallies import admission_set_violations, cross_set_violations
from tests.factories.question_replies import FIRST, lexicon, two_stays, word
from tests.factories.scripted import ScriptedModel

PHRASES = st.sampled_from(
    [
        "What dose of furosemide was prescribed at discharge?",
        "What was the creatinine on admission?",
        "What reaction followed latex?",
        "What did warfarin do?",
        "Did it rain?",
        "Who is 90000001?",
        "",
        "?",
    ]
)
ANSWERS = st.sampled_from(
    ["40 mg", "60 mg", "1.9", "rash", "the question is not answerable", "", "."]
)
DRAFTS = st.builds(
    QuestionDraft,
    question_type=st.sampled_from(
        ["medical_reasoning", "care_plan_rationale", "Care Plan Rationale", "adversarial", "x"]
    ),
    question=PHRASES | st.text(max_size=40),
    answer=ANSWERS | st.text(max_size=20),
    cited_turns=st.lists(st.integers(-1, 9), max_size=7).map(tuple),
)
CHANGES = st.sampled_from(
    [
        lambda text: text,
        lambda text: text.replace("2150", "2149"),
        lambda text: text.replace("furosemide", "warfarin"),
        lambda text: text.replace("discharge", "home"),
        lambda text: text[::-1],
        lambda text: "",
        lambda text: f"If mentioned, {text}",
        lambda text: text + " 40 mg?",
    ]
)


@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_what_is_taken_is_sound(data: st.DataObject):
    def draft(_: DraftingTask) -> QuestionDrafts:
        return QuestionDrafts(questions=tuple(data.draw(st.lists(DRAFTS, max_size=4))))

    def reword(task: WordingTask) -> WordedQuestions:
        return WordedQuestions(
            questions=tuple(
                WordedQuestion(number=one.number, question=data.draw(CHANGES)(one.question))
                for one in word(task).questions
            )
        )

    model = ScriptedModel({QuestionDrafts: draft, WordedQuestions: reword}, [])
    chart = two_stays()
    single = ask_about_admission(
        AdmissionQuestionsInput(chart=chart, hadm_id=FIRST, lexicon=lexicon()), model
    )
    across = ask_across_admissions(CrossQuestionsInput(chart=chart, lexicon=lexicon()), model)
    judge = QuestionJudge(chart, (*single.qas, *across.qas))
    assert [judge.faults(question) for question in (*single.qas, *across.qas)] == [()] * 9
    assert admission_set_violations(single.qas, chart, FIRST) == ()
    assert cross_set_violations(across.qas, chart, across.substitutions) == ()
