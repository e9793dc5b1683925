import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.preconsultation.form import (
    cut_turns,
    form_status,
    read_answer,
    read_reply,
    write_question,
)
from tests.factories.profiles import interview


@pytest.mark.parametrize(
    ("reply", "questions", "question", "options"),
    [
        ("Question: Cough?\nOptions:\n- yes\n- no", 1, "Cough?", ("yes", "no")),
        ("Question: Cough?\nOptions: 1) dry 2) wet", 1, "Cough?", ("dry", "wet")),
        ("Question: Cough? Options: a. dry; b. wet", 1, "Cough?", ("dry", "wet")),
        ("Question: Cough? Options: - dry - wet", 1, "Cough?", ("dry", "wet")),
        ("Question: Cough? Options: - dry, - wet", 1, "Cough?", ("dry", "wet")),
        ("Question: Cough? Options: half-dry, wet", 1, "Cough?", ("half-dry", "wet")),
        ("Question: Cough? Options: dry, wet", 1, "Cough?", ("dry", "wet")),
        ("**Question:** Cough?\n**Options:**\n* dry\n* wet\n", 1, "Cough?", ("dry", "wet")),
        ("질문: 기침이 있나요?\n선택지:\n1. 예\n2. 아니요", 1, "기침이 있나요?", ("예", "아니요")),
        ("Question： Cough?\nOption： yes\n", 1, "Cough?", ("yes",)),
        ("Hello.\nQuestion: Cough?", 1, "Cough?", ()),
        ("Question: A?\nOptions: x, y\nQuestion: B?\nOptions: z", 2, "A?", ("x", "y")),
        ("Do you cough?", 0, "", ()),
        ("", 0, "", ()),
        ("Question: A?\nOptions:\n- x\n- y\nAnswer: x\n- z", 1, "A?", ("x", "y")),
        ("Question: A?\n**Patient**: x\nOptions: y", 1, "A?", ()),
        ("질문: 열?\n선택지: 예, 아니요\n환자: 예", 1, "열?", ("예", "아니요")),
        ("Question:", 0, "", ()),
        ("Question:\nOptions:\n- dry", 0, "", ()),
        ("Question:\nQuestion: Cough?\nOptions: dry, wet", 1, "Cough?", ("dry", "wet")),
        ("**Question**: Cough?\n**Options**: dry, wet", 1, "Cough?", ("dry", "wet")),
        ("[Question 2]: Cough?\n[Options]: dry, wet", 1, "Cough?", ("dry", "wet")),
        ("Question #2: Cough?\nOptions: dry, wet", 1, "Cough?", ("dry", "wet")),
        ("Question (2): Cough?\nOptions: dry, wet", 1, "Cough?", ("dry", "wet")),
        ("Question: Cough?\nOptions (choose any):\n- dry\n- wet", 1, "Cough?", ("dry", "wet")),
        ("**Question**: Cough?\n**Options (one)**: dry, wet", 1, "Cough?", ("dry", "wet")),
        ("질문: 기침?\n선택지 (복수 선택 가능): 예, 아니요", 1, "기침?", ("예", "아니요")),
        ("Question: Cough?\n**Answer options:**\n- dry\n- wet", 1, "Cough?", ("dry", "wet")),
        ("Question: Is (was) it so?\nOptions: yes, no", 1, "Is (was) it so?", ("yes", "no")),
    ],
)
def test_a_reply_is_read(reply: str, questions: int, question: str, options: tuple[str, ...]):
    read = read_reply(reply)
    assert (read.questions, read.question, read.options) == (questions, question, options)


WORDS = st.text(st.characters(categories=("Ll", "Lo")), min_size=1, max_size=8)


@given(WORDS, st.lists(WORDS, min_size=2, max_size=6, unique=True))
def test_a_written_question_is_read_as_it_was(question: str, options: list[str]):
    read = read_reply(write_question(question, options))
    assert (read.questions, read.question, read.options) == (1, question, tuple(options))


@pytest.mark.parametrize(
    ("typed", "read_as"),
    [
        ("One more question: do you smoke?", "One more question, do you smoke?"),
        ("Of these options: which fits?", "Of these options, which fits?"),
        ("Answer: yes or no, do you smoke?", "Answer, yes or no, do you smoke?"),
        ("질문 2: 흡연하시나요?", "질문 2, 흡연하시나요?"),
        ("At 8:00 or later?", "At 8:00 or later?"),
    ],
)
def test_labels_within_what_a_person_typed_are_none(typed: str, read_as: str):
    read = read_reply(write_question(typed, ["option: a", "patient: b"]))
    assert (read.questions, read.question) == (1, read_as)
    assert read.options == ("option, a", "patient, b")


@given(st.text(max_size=200))
def test_any_reply_can_be_read(text: str):
    assert read_reply(text).questions >= 0


@pytest.mark.parametrize("text", ["Answer: dry", "  answer : dry", "**Answer:** dry", "답변: dry"])
def test_an_answer_loses_its_label(text: str):
    assert read_answer(text).strip("* ") == "dry"


ASK = ("Question: Cough?\nOptions: yes, no", "yes")
LOST = ("Tell me about it.", "")
TWICE = ("Question: A?\nOptions: x, y\nQuestion: B?\nOptions: z, w", "x")


@pytest.mark.parametrize(
    ("turns", "planned", "status"),
    [
        ((ASK, ASK), 2, "clean"),
        ((ASK,), 2, "early_stop"),
        ((), 2, "early_stop"),
        ((ASK, LOST), 2, "early_stop"),
        ((ASK, TWICE), 2, "qa_format_error"),
        ((TWICE, LOST), 2, "clean"),
        ((ASK, TWICE), 1, "clean"),
    ],
)
def test_the_form_counts_questions_against_turns(
    turns: tuple[tuple[str, str], ...], planned: int, status: str
):
    assert form_status(interview(*turns).turns, planned) == status


def test_a_cut_interview_is_the_one_of_fewer_turns():
    whole = interview(ASK, ASK, ended="empty reply")
    assert cut_turns(whole, 3) == whole
    assert cut_turns(whole, 2) == interview(ASK, ASK)
    assert cut_turns(whole, 1) == interview(ASK)


def test_a_turn_is_well_formed_with_one_question_and_options():
    turns = interview(ASK, TWICE, LOST, ("Question: Cough?", "yes")).turns
    assert [turn.is_well_formed for turn in turns] == [True, False, False, False]
