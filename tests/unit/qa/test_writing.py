import pytest

from tasks.contracts.errors import ReplyInvalid
from tasks.contracts.questions import (
    AdmissionQuestionsInput,
    AdmissionQuestionsReply,
    CrossQuestionsInput,
    CrossQuestionsReply,
    PatientChart,
)
from tasks.qa.lexicon import build_lexicon
from tasks.qa.writing import MAXIMUM_REPAIRS, RULES, ask_admission_questions, ask_cross_questions
from tests.factories.charts import make_admission, make_chart, make_fact
from tests.factories.scripted import ScriptedModel


@pytest.fixture
def chart() -> PatientChart:
    return make_chart(
        *(
            make_admission(
                f"8000010{stay}",
                f"215{stay}-06-01 09:00:00",
                f"215{stay}-06-05 16:30:00",
                [
                    make_fact("chief_complaint", 1, "chief complaint", "cough"),
                    make_fact("discharge_medication", 1, "furosemide", f"{stay}0 mg by mouth daily",
                              dose=f"{stay}0 mg", route="by mouth", frequency="daily"),
                ],
            )
            for stay in (1, 2)
        )
    )  # fmt: skip


def first_only(reply: AdmissionQuestionsReply) -> AdmissionQuestionsReply:
    return reply.model_copy(update={"qas": reply.qas[:1]})


def without_an_answer(reply: CrossQuestionsReply) -> CrossQuestionsReply:
    spoilt = reply.qas[0].model_copy(update={"answer": "something that no turn says"})
    return reply.model_copy(update={"qas": (spoilt, *reply.qas[1:])})


def test_a_missing_question_is_asked_for_again(chart: PatientChart) -> None:
    model = ScriptedModel(RULES, [first_only])
    given = AdmissionQuestionsInput(
        chart=chart, hadm_id="80000101", lexicon=build_lexicon(lambda: [chart])
    )
    assert len(ask_admission_questions(given, model).qas) == 3
    assert "set: 0 questions of type care_plan_rationale, expected 1" in model.messages[1]


def test_an_unsupported_answer_is_sent_back_by_its_id(chart: PatientChart) -> None:
    model = ScriptedModel(RULES, [without_an_answer])
    given = CrossQuestionsInput(chart=chart, lexicon=build_lexicon(lambda: [chart]))
    assert len(ask_cross_questions(given, model).qas) == 6
    assert "90000001_cross_q01" in model.messages[1]


def test_repairs_end_after_three(chart: PatientChart) -> None:
    model = ScriptedModel(RULES, [without_an_answer] * 10)
    given = CrossQuestionsInput(chart=chart, lexicon=build_lexicon(lambda: [chart]))
    with pytest.raises(ReplyInvalid, match="the questions break"):
        ask_cross_questions(given, model)
    assert len(model.messages) == 1 + MAXIMUM_REPAIRS
