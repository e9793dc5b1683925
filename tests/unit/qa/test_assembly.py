import pytest

from tasks.contracts.errors import ItemFailed
from tasks.contracts.questions import (
    AdmissionQuestionsReply,
    CrossQuestionsReply,
    Evidence,
    Question,
    QuestionSet,
    QuestionType,
)
from tasks.qa.assembly import assemble_benchmark, questions_of, total_substitutions
from tasks.qa.doubts import Asked


def question(qa_id: str, text: str) -> Question:
    return Question(
        qa_id=qa_id,
        scope="single_admission",
        question_type=QuestionType.MEDICAL_REASONING,
        question=text,
        answer="9.1",
        evidence=Evidence(admissions=("1",), turn_ids=(), turns=()),
    )


ADMISSIONS = [
    QuestionSet(qas=(question("a", "What was A?"), question("b", "What was B?"))),
    QuestionSet(qas=(question("c", "What was C?"),)),
]
CROSS = QuestionSet(qas=(question("d", "What was D?"), question("e", "What was E?")))


def test_the_order_is_the_shuffle_seeded_with_the_subject_id():
    # random.Random("90000001").shuffle(list("abcde"))
    assembled = assemble_benchmark("90000001", ADMISSIONS, CROSS)
    assert "".join(one.qa_id for one in assembled.qas) == "edbac"


def test_the_same_wording_twice_is_refused():
    again = QuestionSet(qas=(question("f", "what was a"),))
    with pytest.raises(ItemFailed, match="patient 90000001: f repeats a"):
        assemble_benchmark("90000001", ADMISSIONS, again)


def test_the_same_id_twice_is_refused():
    again = QuestionSet(qas=(question("a", "What was F?"),))
    with pytest.raises(ItemFailed, match="a repeats a"):
        assemble_benchmark("90000001", ADMISSIONS, again)


def test_a_patients_substitutions_are_the_sum_of_all_replies():
    replies = (
        AdmissionQuestionsReply(qas=(), substitutions={"care_plan_rationale": 1}),
        AdmissionQuestionsReply(qas=(), substitutions={}),
        AdmissionQuestionsReply(qas=(), substitutions={"care_plan_rationale": 1}),
        CrossQuestionsReply(qas=(), substitutions={"frequency_pattern": 2}),
    )
    assert total_substitutions(replies) == {"care_plan_rationale": 2, "frequency_pattern": 2}


def test_questions_that_rules_worked_out_or_worded_are_listed():
    def asked(number: int) -> AdmissionQuestionsReply:
        one = question(f"90000001_8000000{number}_q01", f"What of stay {number}?")
        return AdmissionQuestionsReply(qas=(one,), planned=(one.qa_id,), as_planned=(one.qa_id,))

    across = question("90000001_cross_q01", "What of both?")
    made = questions_of(
        "90000001",
        Asked(
            {f"8000000{number}": asked(number) for number in (1, 2)},
            CrossQuestionsReply(qas=(across,), as_planned=(across.qa_id,)),
        ),
    )
    assert made.planned == ("90000001_80000001_q01", "90000001_80000002_q01")
    assert made.as_planned == (*made.planned, "90000001_cross_q01")
    assert len(made.benchmark.qas) == 3
