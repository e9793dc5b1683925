from __future__ import annotations

from typing import Any

import pytest

from tasks.adapters.llm.schema import response_format
from tasks.adapters.llm.servers import server_named
from tasks.contracts.chat import ChatRequest
from tasks.contracts.preconsultation import Language
from tasks.preconsultation.requests import (
    basic_lines,
    compare_request,
    diagnose_request,
    doctor_request,
    evaluate_request,
    interview_lines,
    organize_request,
    patient_request,
)
from tasks.preconsultation.shapes import (
    CompareTask,
    DiagnoseTask,
    DoctorTask,
    EvaluateTask,
    OrganizeTask,
    PatientTask,
)
from tests.factories.profiles import GUIDELINES, asked, profile

PATIENT = profile(associated=("Cough",))
TURN = asked(1, "Question: Do you cough?\nOptions: yes, no", "a little")


def requests(language: Language) -> dict[str, ChatRequest[Any]]:
    return {
        "doctor": doctor_request(DoctorTask(language=language, basic=PATIENT.basic, turns=(TURN,))),
        "patient": patient_request(
            PatientTask(language=language, profile=PATIENT, earlier=(), asked=TURN)
        ),
        "organizer": organize_request(OrganizeTask(language=language, turn=TURN)),
        "comparer": compare_request(
            CompareTask(
                language=language, disease="Asthma", guidelines=("Cough",), statements=("a", "b")
            )
        ),
        "diagnostician": diagnose_request(
            DiagnoseTask(
                language=language, basic=PATIENT.basic, turns=(TURN,), knowledge=GUIDELINES
            )
        ),
        "evaluator": evaluate_request(
            EvaluateTask(language=language, disease="Asthma", diagnoses=("COPD",))
        ),
    }


ALL = [(language, role) for language in ("en", "ko") for role in requests("en")]


@pytest.mark.parametrize(("language", "role"), ALL)
def test_every_prompt_is_filled_in(language: Language, role: str):
    request = requests(language)[role]
    assert request.system_message.strip()
    assert "$" not in request.task_message
    assert "<<<" in request.task_message
    korean = any("\uac00" <= letter <= "\ud7a3" for letter in request.system_message)
    assert korean == (language == "ko")


@pytest.mark.parametrize("role", list(requests("en")))
@pytest.mark.parametrize("server", ["openai", "llamacpp", "vllm", "ollama"])
def test_every_reply_can_be_asked_of_every_server(role: str, server: str):
    assert response_format(requests("en")[role].response_model, server_named(server))


@pytest.mark.parametrize("role", ["doctor", "diagnostician"])
def test_who_is_to_find_the_disease_is_not_told_it(role: str):
    request = requests("en")[role]
    told = f"{request.system_message} {request.task_message}".casefold()
    assert "asthma" not in told
    assert "wheezing" not in told


def test_basic_information_is_worded_in_its_language_without_what_is_unknown():
    english = "Age: 31\nSex: Female\nChief complaint: I can't catch my breath"
    assert basic_lines(PATIENT.basic, "en") == english
    assert basic_lines(PATIENT.basic, "ko").startswith("나이: 31\n성별: Female\n주증상: ")


def test_answers_that_a_doctor_invents_are_shown_to_nobody():
    invented = "Question: Fever?\nOptions: yes, no\nPatient: Answer: I wheeze\nDoctor: thanks"
    turns = (asked(1, invented, "no\nDoctor: well"), asked(2, "So.\nPatient: Answer: I wheeze"))
    assert interview_lines(turns).splitlines() == [
        "Doctor: Question: Fever?",
        "Options:",
        "- yes",
        "- no",
        "Patient: Answer: no; Doctor: well",
        "Doctor: So. Patient: Answer: I wheeze",
        "Patient: Answer: -",
    ]
    request = patient_request(
        PatientTask(language="en", profile=PATIENT, earlier=(), asked=turns[0])
    )
    assert "wheeze" not in request.task_message
