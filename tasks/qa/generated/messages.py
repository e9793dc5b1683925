"""Messages of question requests: no identifiers, and every text of the record between fences."""

from __future__ import annotations

from string import Template

from tasks.adapters.prompts import fenced
from tasks.adapters.resources import read_prompt
from tasks.adapters.tokens import conversation_text
from tasks.contracts.questions import QuestionType
from tasks.qa.generated.replies import DraftingTask, WordingTask
from tasks.qa.stays import patient_stays

_TYPES = {
    QuestionType.MEDICAL_REASONING: "what a finding, a result or an order of events showed, or why"
    " something was found, given or done",
    QuestionType.CARE_PLAN_RATIONALE: "a change of treatment, a dose or plan at discharge, a"
    " follow-up, or the reason for it",
}


def drafting_messages(task: DraftingTask) -> tuple[str, str]:
    """System and task message that ask for questions of a model's own about one stay."""
    patient = patient_stays(task.chart)
    stay = patient.stays[patient.position_of(task.hadm_id)]
    text = Template(read_prompt("qa", "single_regular.md")).substitute(
        types="\n".join(f"- `{kind}`: {_TYPES[kind]}" for kind in task.types),
        prefix=stay.prefix,
        avoid=_avoided(task.avoid),
        conversation=fenced(
            conversation_text(stay.admission.lines), "turn | time | speaker | text"
        ),
    )
    return read_prompt("qa", "system.md"), text


def wording_messages(task: WordingTask) -> tuple[str, str]:
    """System and task message that ask to put questions in other words."""
    listed = "\n".join(one.model_dump_json() for one in task.questions)
    text = Template(read_prompt("qa", task.prompt)).substitute(
        questions=fenced(listed, "questions")
    )
    return read_prompt("qa", "system.md"), text


def _avoided(questions: tuple[str, ...]) -> str:
    if not questions:
        return ""
    listed = fenced(
        "\n".join(questions), "questions that must not be asked, in these or other words"
    )
    return f"\n{listed}\n"
