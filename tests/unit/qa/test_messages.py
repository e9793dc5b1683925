import pytest

from tasks.adapters.resources import read_prompt
from tasks.contracts.questions import (
    AdmissionQuestionsInput,
    AdmissionQuestionsReply,
    CitedTurn,
    CrossQuestionsInput,
    CrossQuestionsReply,
    Evidence,
    Lexicon,
    Question,
    QuestionType,
)
from tasks.qa.messages import (
    render_admission_messages,
    render_cross_messages,
    restore_identifiers,
)
from tests.factories.charts import make_admission, make_chart, make_fact

CHART = make_chart(
    make_admission(
        "80000001",
        "2150-06-01 10:00:00",
        "2150-06-04 15:00:00",
        [make_fact("allergy", 1, "latex", "hives")],
        note="Written about 90000001.",
    ),
    make_admission("80000002", "2150-07-01 10:00:00", "2150-07-02 15:00:00"),
)
LEXICON = Lexicon(admissions=0, targets=())


def test_the_admission_message_shows_the_stay_and_its_prefix_only():
    _, task = render_admission_messages(
        AdmissionQuestionsInput(chart=CHART, hadm_id="80000001", lexicon=LEXICON)
    )
    assert "`During the hospitalization from 2150-06-01 to 2150-06-04, `" in task
    assert "Regarding latex, it is hives." in task
    assert "`stay-1_q01`" in task
    assert "2150-07-01" not in task


def test_the_cross_message_shows_every_stay_and_the_counts():
    _, task = render_cross_messages(CrossQuestionsInput(chart=CHART, lexicon=LEXICON))
    assert "The patient has 2 stays. Write 6 questions" in task
    assert "- 2 of type `longitudinal_progression`" in task
    assert "- 1 of type `cross_admission_comparison`" in task
    assert "- 1 of type `frequency_pattern`" in task
    assert "stay-2, the hospitalization that began on 2150-07-01:" in task


def test_no_message_holds_an_identifier_or_an_open_slot():
    messages = (
        *render_admission_messages(
            AdmissionQuestionsInput(chart=CHART, hadm_id="80000001", lexicon=LEXICON)
        ),
        *render_cross_messages(CrossQuestionsInput(chart=CHART, lexicon=LEXICON)),
    )
    for message in messages:
        assert not any(one in message for one in ("90000001", "80000001", "80000002", "$"))


def test_the_repair_prompt_takes_reply_and_violations():
    text = read_prompt("qa", "repair.md")
    assert "$reply" in text
    assert "$violations" in text


def question(stay: str) -> Question:
    return Question(
        qa_id="stay-2_q01",
        scope="single_admission",
        question_type=QuestionType.MEDICAL_REASONING,
        question="What?",
        answer="hives",
        evidence=Evidence(
            admissions=(stay,), turn_ids=(2,), turns=(CitedTurn(hadm_id=stay, turn_number=2),)
        ),
    )


@pytest.mark.parametrize("stay", ["stay-2", "80000002"])
def test_names_of_stays_become_ids_and_ids_are_kept(stay: str):
    reply = AdmissionQuestionsReply(qas=(question(stay),))
    restored = restore_identifiers(reply, CHART, "80000002").qas[0]
    assert restored.qa_id == "90000001_80000002_q01"
    assert restored.evidence.admissions == ("80000002",)
    assert restored.evidence.turns == (CitedTurn(hadm_id="80000002", turn_number=2),)


def test_cross_questions_are_numbered_for_the_patient():
    reply = CrossQuestionsReply(qas=(question("stay-1"), question("stay-9")))
    restored = restore_identifiers(reply, CHART, None).qas
    assert [one.qa_id for one in restored] == ["90000001_cross_q01", "90000001_cross_q02"]
    assert restored[1].evidence.admissions == ("stay-9",)
