"""An answer, its gold rubric and who judges it, for the tests of the evaluation of rubrics."""

from __future__ import annotations

from tasks.adapters.programmatic import ProgrammaticModel
from tasks.contracts.rubrics import Axis, Criterion, Rubric
from tasks.rubrics.evaluation.rules import RULES
from tests.unit.rubrics.building import ScriptedRoles

ANSWER = (
    "Gout is caused by uric acid. Drink enough water. Do not take aspirin in high doses. "
    "See a doctor immediately for a hot joint with fever."
)


def rules() -> ProgrammaticModel:
    return ProgrammaticModel(RULES, "1")


def scripted(script: object) -> ScriptedRoles:
    return ScriptedRoles(script, RULES)  # pyright: ignore[reportArgumentType]


def criterion(text: str, points: int = 5, axis: Axis = "accuracy") -> Criterion:
    return Criterion(criterion=text, axis=axis, points=points)


def rubric(*criteria: Criterion) -> Rubric:
    return Rubric(query_id="7", criteria=criteria)


WATER = criterion("Advises to drink enough water", 6, "completeness")
CAUSE = criterion("States that uric acid causes gout", 5)
HERBS = criterion("Recommends unproven herbal remedies", -7)
GOLD = rubric(WATER, CAUSE, HERBS)
