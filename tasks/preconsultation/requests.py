"""The requests to every role, worded by the prompts of a language."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial
from string import Template
from typing import Any, TypeVar

from pydantic import BaseModel

from tasks.adapters.prompts import fenced
from tasks.adapters.resources import read_prompt
from tasks.contracts.chat import ChatRequest
from tasks.contracts.preconsultation import (
    BasicInformation,
    Language,
    Turn,
)
from tasks.preconsultation.form import asked_words
from tasks.preconsultation.shapes import (
    ComparedTurn,
    CompareTask,
    DiagnoseTask,
    DoctorTask,
    DoctorWords,
    EvaluatedDiseases,
    EvaluateTask,
    OrganizedTurn,
    OrganizeTask,
    PatientTask,
    PatientWords,
    RankedDiseases,
)

Answered = TypeVar("Answered", bound=BaseModel)

TASK_MARK = "<!-- task -->"
OUTPUT_TOKENS = 1_024

_LABELS = {
    "en": {
        "age": "Age",
        "sex": "Sex",
        "height": "Height",
        "weight": "Weight",
        "department": "Department",
        "chief_complaint": "Chief complaint",
        "duration": "Duration",
        "areas": "Areas",
    },
    "ko": {
        "age": "나이",
        "sex": "성별",
        "height": "키",
        "weight": "체중",
        "department": "분과",
        "chief_complaint": "주증상",
        "duration": "증상 기간",
        "areas": "증상 부위",
    },
}


def doctor_request(task: DoctorTask) -> ChatRequest[DoctorWords]:
    """Ask for the next question."""
    return _request(
        "doctor",
        task.language,
        task,
        DoctorWords,
        {
            "basic": basic_lines(task.basic, task.language),
            "interview": interview_lines(task.turns),
        },
    )


def patient_request(task: PatientTask) -> ChatRequest[PatientWords]:
    """Ask for an answer."""
    known = "\n".join(f"{one.section}: {one.text}" for one in task.profile.statements)
    return _request(
        "patient",
        task.language,
        task,
        PatientWords,
        {
            "profile": f"{basic_lines(task.profile.basic, task.language)}\n{known}",
            "disease": task.profile.disease,
            "interview": interview_lines(task.earlier),
            "question": asked_words(task.asked),
        },
    )


def organize_request(task: OrganizeTask) -> ChatRequest[OrganizedTurn]:
    """Ask for the facts of a turn."""
    turn = interview_lines((task.turn,))
    return _request("organizer", task.language, task, OrganizedTurn, {"turn": turn})


def compare_request(task: CompareTask) -> ChatRequest[ComparedTurn]:
    """Ask for the guideline of each fact."""
    return _request(
        "comparer",
        task.language,
        task,
        ComparedTurn,
        {
            "disease": task.disease,
            "guidelines": "\n".join(task.guidelines),
            "facts": numbered(task.statements),
        },
    )


def diagnose_request(task: DiagnoseTask) -> ChatRequest[RankedDiseases]:
    """Ask for a diagnosis."""
    return _request(
        "diagnostician",
        task.language,
        task,
        RankedDiseases,
        {
            "basic": basic_lines(task.basic, task.language),
            "interview": interview_lines(task.turns),
        },
    )


def evaluate_request(task: EvaluateTask) -> ChatRequest[EvaluatedDiseases]:
    """Ask which diagnoses are right."""
    return _request(
        "evaluator",
        task.language,
        task,
        EvaluatedDiseases,
        {"disease": task.disease, "diagnoses": numbered(task.diagnoses)},
    )


def basic_lines(basic: BasicInformation, language: Language) -> str:
    """Basic information, a line a field that is known."""
    labels = _LABELS[language]
    values: dict[str, str] = {**basic.model_dump(), "areas": ", ".join(basic.areas)}
    return "\n".join(f"{labels[name]}: {values[name]}" for name in labels if values[name])


def interview_lines(turns: tuple[Turn, ...]) -> str:
    """An interview: what was asked, and the answers in one line each."""
    lines: list[str] = []
    for turn in turns:
        answer = "; ".join(line.strip() for line in turn.answer.splitlines() if line.strip())
        lines += [f"Doctor: {asked_words(turn)}", f"Patient: Answer: {answer or '-'}"]
    return "\n".join(lines) or "-"


def numbered(texts: tuple[str, ...]) -> str:
    """Texts as a numbered list."""
    return "\n".join(f"{number}. {text}" for number, text in enumerate(texts, 1))


def _request(
    role: str,
    language: Language,
    task: BaseModel,
    reply: type[Answered],
    data: Mapping[str, str],
) -> ChatRequest[Answered]:
    render = partial(_render, role, language, dict(data))
    return ChatRequest(render, task, reply, maximum_output_tokens=OUTPUT_TOKENS)


def _render(role: str, language: Language, data: dict[str, Any]) -> tuple[str, str]:
    system, task = prompt_parts(role, language)
    return system, Template(task).substitute(
        {name: fenced(text, name) for name, text in data.items()}
    )


@cache
def prompt_parts(role: str, language: Language) -> tuple[str, str]:
    """System and task message of a role, from its prompt file."""
    text = read_prompt("preconsultation", f"{language}/{role}.md")
    system, _, task = text.partition(TASK_MARK)
    return system.strip() + "\n", task.strip() + "\n"
