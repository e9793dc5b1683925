from typing import Any

import pytest

from tasks.contracts.chat import ChatRequest
from tasks.contracts.errors import BudgetSpent, ModelFailed, ProviderUnavailable
from tasks.preconsultation.form import cut_turns
from tasks.preconsultation.interviewing import EMPTY_REPLY, shown_basic, simulate
from tasks.preconsultation.requests import prompt_parts
from tests.factories.dictated import DictatedModel, Said, dictated
from tests.factories.profiles import profile

QUESTION = "Question: Cough?\nOptions:\n- yes\n- no"
PATIENT = profile(associated=("Cough",), additional=("Mother has asthma",))


def ask(text: str = QUESTION) -> Said:
    return {"reply": text}


def yes() -> DictatedModel:
    return DictatedModel(lambda _request, _number: {"reply": "Answer: yes"})


def numbered_doctor() -> DictatedModel:
    def says(_request: ChatRequest[Any], number: int) -> Said:
        return ask(f"Question: Number {number + 1}?\nOptions: yes, no")

    return DictatedModel(says)


def test_doctor_and_patient_take_turns():
    held = simulate(PATIENT, "en", numbered_doctor(), yes(), 3)
    assert [(turn.number, turn.question, turn.answer) for turn in held.turns] == [
        (1, "Number 1?", "yes"),
        (2, "Number 2?", "yes"),
        (3, "Number 3?", "yes"),
    ]
    assert (held.ended, held.failed) == ("", "")


def test_the_doctor_sees_basic_information_and_the_interview_and_no_more():
    doctor = numbered_doctor()
    simulate(PATIENT, "en", doctor, yes(), 2)
    told = doctor.requests[1].system_message + doctor.requests[1].task_message
    assert "I can't catch my breath" in told
    assert "Number 1?" in told
    assert "Mother" not in told
    assert "asthma" not in told.casefold()


def test_requests_do_not_depend_on_the_number_of_turns():
    few, many = numbered_doctor(), numbered_doctor()
    short = simulate(PATIENT, "en", few, yes(), 2)
    long = simulate(PATIENT, "en", many, yes(), 5)
    assert cut_turns(long, 2) == short
    for one, other in zip(few.requests, many.requests, strict=False):
        assert (one.task_message, one.attempt) == (other.task_message, other.attempt)


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("role", ["doctor", "patient"])
def test_no_prompt_states_a_number_of_turns(role: str, language: Any):
    system, task = prompt_parts(role, language)
    words = f"{system} {task}".casefold()
    assert not any(word in words for word in ("turns", "remaining", "last question", "턴", "남은"))


def test_an_empty_reply_ends_the_interview():
    doctor = dictated(ask(), ask("  "))
    held = simulate(PATIENT, "en", doctor, yes(), 5)
    assert (len(held.turns), held.ended, len(doctor.requests)) == (1, EMPTY_REPLY, 2)


def test_a_reply_without_a_question_is_a_lost_turn_that_nobody_answers():
    patient = yes()
    held = simulate(PATIENT, "en", dictated(ask("Hm."), ask()), patient, 2)
    assert [(turn.questions, turn.answer) for turn in held.turns] == [(0, ""), (1, "yes")]
    assert len(patient.requests) == 1


def test_a_reply_in_plain_words_is_read_as_it_is():
    held = simulate(PATIENT, "en", dictated(QUESTION), dictated("Answer: no"), 1)
    assert (held.turns[0].question, held.turns[0].answer) == ("Cough?", "no")


@pytest.mark.parametrize("outcome", ["refused", "filtered", "truncated"])
def test_a_doctor_that_gives_no_reply_has_stopped(outcome: Any):
    held = simulate(PATIENT, "en", dictated(ask(), ModelFailed("no", outcome)), yes(), 3)
    assert (len(held.turns), held.ended, held.failed) == (1, outcome, "")


def test_a_server_that_fails_the_doctor_says_nothing_of_it():
    held = simulate(PATIENT, "en", dictated(ModelFailed("no", "transient")), yes(), 3)
    assert (held.ended, held.failed) == ("", "not answered: transient")


def test_a_patient_that_fails_makes_the_interview_fail():
    patient = dictated(ModelFailed("no", "refused"))
    held = simulate(PATIENT, "en", numbered_doctor(), patient, 3)
    assert (held.turns, held.failed) == ((), "not answered: refused")


def test_a_patient_that_says_nothing_makes_the_interview_fail():
    held = simulate(PATIENT, "en", numbered_doctor(), dictated(ask("Answer: ")), 3)
    assert (held.turns, held.failed) == ((), "not answered: invalid")


@pytest.mark.parametrize("error", [ProviderUnavailable("away"), BudgetSpent("spent")])
def test_what_every_interview_would_fail_of_ends_the_run(error: ProviderUnavailable):
    with pytest.raises(type(error)):
        simulate(PATIENT, "en", dictated(error), yes(), 3)


def test_basic_information_that_names_the_disease_is_withheld_from_the_doctor():
    named = profile(complaint="My asthma is back")
    assert shown_basic(named, "en").chief_complaint == "(withheld)"
    partly = profile(complaint="I cough at night; my asthma is back")
    assert shown_basic(partly, "en").chief_complaint == "I cough at night"
    assert shown_basic(PATIENT, "en").chief_complaint == "I can't catch my breath"


def test_no_field_of_the_basic_information_names_the_disease():
    basic = PATIENT.basic.model_copy(
        update={
            "department": "Asthma clinic",
            "duration": "two weeks; asthma since long",
            "areas": ("Chest", "Lungs (asthma)"),
        }
    )
    shown = shown_basic(PATIENT.model_copy(update={"basic": basic}), "en")
    assert (shown.department, shown.duration, shown.areas) == ("", "two weeks", ("Chest",))
