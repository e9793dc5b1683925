"""Prefect task of judging. Without tags, as there are thousands of it."""

from __future__ import annotations

from typing import Any

from prefect import task

from tasks.adapters.failures import guarded
from tasks.adapters.models import ModelSpec, WorkItem, model_recipe, open_model
from tasks.adapters.recipe import digest, domain_recipe, step_key
from tasks.adapters.retrying import CACHED, RETRIED
from tasks.adapters.workspace import Workspace
from tasks.contracts.build import ArtifactRef
from tasks.contracts.evaluation import BenchmarkPatient, PredictionSet
from tasks.judging.asking import judge_predictions
from tasks.judging.judges import RULES, judge_name


def judgments_key(
    patient: ArtifactRef, predictions: ArtifactRef, judge: ModelSpec, repeats: int
) -> str:
    """Cache key: questions, answers, the judge and how often it is asked decide the verdicts."""
    recipe = digest([domain_recipe("judging", "scoring"), model_recipe(judge)])
    parts = [patient.sha256, predictions.sha256, recipe, str(repeats)]
    return step_key("judgments", patient.subject_id, parts)


def _cache_key(_context: Any, given: dict[str, Any]) -> str:
    return judgments_key(given["patient"], given["predictions"], given["judge"], given["repeats"])


@task(
    name="judge-answers",
    task_run_name="judgments {patient.subject_id}",
    cache_key_fn=_cache_key,
    **CACHED,
    **RETRIED,
)
@guarded
def judge_answers(
    patient: ArtifactRef,
    predictions: ArtifactRef,
    judge: ModelSpec,
    repeats: int,
    workspace: Workspace,
) -> ArtifactRef:
    """Judge one system's answers to one patient's answerable questions."""
    asked = workspace.load(patient.path, patient.sha256, BenchmarkPatient)
    answered = workspace.load(predictions.path, predictions.sha256, PredictionSet)
    work = WorkItem(stage="judgments", subject_id=asked.subject_id, item=answered.system)
    judgments = judge_predictions(
        asked, answered, open_model(judge, RULES, work), judge_name(judge), repeats
    )
    return workspace.store(
        judgments_key(patient, predictions, judge, repeats),
        judgments,
        subject_id=asked.subject_id,
    )
