"""Diagnoses an interview and has the diagnoses judged (spec section 2, step 6)."""

from __future__ import annotations

from collections.abc import Sequence

from tasks.contracts.chat import ChatModel
from tasks.contracts.errors import ModelFailed
from tasks.contracts.preconsultation import Diagnosis, Guideline, Interview, Language
from tasks.preconsultation.form import cut_turns, form_status
from tasks.preconsultation.requests import diagnose_request, evaluate_request
from tasks.preconsultation.shapes import DiagnoseTask, EvaluateTask

MOST_DISEASES = 5
"""Diagnoses that count: one that names every disease would always be right."""

NOT_CLEAN = "not diagnosed: the dialogue isn't clean"


def diagnose(
    interview: Interview,
    language: Language,
    turns: int,
    knowledge: Sequence[Guideline],
    diagnostician: ChatModel,
    evaluator: ChatModel,
) -> Diagnosis:
    """The ranked diseases after the first turns of a clean interview, each judged right or not.

    A disease that is named again and what goes beyond the first five are left out.
    """
    first = cut_turns(interview, turns)
    if first.failed or form_status(first.turns, turns) != "clean":
        return Diagnosis(pid=interview.pid, failed=NOT_CLEAN)
    task = DiagnoseTask(
        language=language, basic=first.basic, turns=first.turns, knowledge=tuple(knowledge)
    )
    try:
        named = diagnostician.complete(diagnose_request(task)).parsed.diseases
        diseases = _distinct(named)[:MOST_DISEASES]
        if not diseases:
            return Diagnosis(pid=interview.pid)
        asked = EvaluateTask(language=language, disease=interview.disease, diagnoses=diseases)
        right = evaluator.complete(evaluate_request(asked)).parsed.right
    except ModelFailed as failure:
        return Diagnosis(pid=interview.pid, failed=f"not answered: {failure.outcome}")
    if len(right) != len(diseases):
        return Diagnosis(
            pid=interview.pid, diseases=diseases, failed="not one verdict for each diagnosis"
        )
    return Diagnosis(pid=interview.pid, diseases=diseases, right=right)


def _distinct(named: Sequence[str]) -> tuple[str, ...]:
    """Names in order, each once whatever its case."""
    found: dict[str, str] = {}
    for name in named:
        found.setdefault(name.strip().casefold(), name.strip())
    return tuple(name for name in found.values() if name)
