from typing import Any

from tasks.contracts.questions import (
    AdmissionQuestionsInput,
    CrossQuestionsInput,
    Lexicon,
    QuestionType,
)
from tasks.qa.admission_questions import write_admission_questions
from tasks.qa.cross_questions import write_cross_questions
from tasks.qa.tallies import admission_set_violations, cross_set_violations
from tests.factories.charts import make_admission, make_chart

CHART = make_chart(
    make_admission("80000001", "2150-06-01 10:00:00", "2150-06-04 15:00:00"),
    make_admission("80000002", "2150-07-01 10:00:00", "2150-07-02 15:00:00"),
)
LEXICON = Lexicon(admissions=0, targets=())
SINGLE = write_admission_questions(
    AdmissionQuestionsInput(chart=CHART, hadm_id="80000001", lexicon=LEXICON)
).qas
CROSS = write_cross_questions(CrossQuestionsInput(chart=CHART, lexicon=LEXICON)).qas


def with_first(questions: Any, **update: Any) -> Any:
    return (questions[0].model_copy(update=update), *questions[1:])


def test_sound_sets_break_no_rule():
    assert admission_set_violations(SINGLE, CHART, "80000001") == ()
    assert cross_set_violations(CROSS, CHART, {}) == ()


def test_a_missing_type_and_one_too_many_are_named():
    changed = with_first(SINGLE, question_type=QuestionType.ADVERSARIAL)
    assert admission_set_violations(changed, CHART, "80000001") == (
        "set: 0 questions of type medical_reasoning, expected 1",
        "set: 2 questions of type adversarial, expected 1",
    )


def test_ids_must_number_the_set():
    changed = with_first(SINGLE, qa_id="90000001_80000001_q09")
    assert admission_set_violations(changed, CHART, "80000001") == (
        "90000001_80000001_q09: expected the id 90000001_80000001_q01",
    )


def test_a_repeated_question_is_named_with_the_first_one():
    changed = with_first(CROSS, question=CROSS[1].question.upper())
    assert cross_set_violations(changed, CHART, {}) == (
        "90000001_cross_q02: repeats the question of 90000001_cross_q01",
    )


def test_too_few_questions_are_named():
    assert "set: 5 questions, expected 6" in cross_set_violations(CROSS[:5], CHART, {})


def test_a_stated_substitution_may_fall_short_by_its_count_only():
    frequency = QuestionType.FREQUENCY_PATTERN
    at = [one.question_type for one in CROSS].index(frequency)
    changed = list(CROSS)
    changed[at] = changed[at].model_copy(
        update={"question_type": QuestionType.LONGITUDINAL_PROGRESSION}
    )
    assert cross_set_violations(changed, CHART, {"frequency_pattern": 1}) == ()
    assert cross_set_violations(changed, CHART, {"cross_admission_comparison": 1}) == (
        "set: 0 questions of type frequency_pattern, expected 1 or more",
    )
