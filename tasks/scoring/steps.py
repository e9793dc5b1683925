"""Prefect task of scoring. Without tags, as there are thousands of it."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from prefect import task

from tasks.adapters.failures import guarded
from tasks.adapters.recipe import domain_recipe, step_key
from tasks.adapters.retrying import CACHED, RETRIED
from tasks.adapters.workspace import Workspace
from tasks.contracts.build import ArtifactRef
from tasks.contracts.evaluation import BenchmarkPatient, JudgmentSet, PredictionSet
from tasks.scoring.items import ItemScores, SystemIdentity, score_timeline
from tasks.scoring.timeline import TimelineIndex

_TIMELINES_KEPT = 8


def scores_key(
    patient: ArtifactRef,
    predictions: ArtifactRef,
    judgments: ArtifactRef | None,
    identity: SystemIdentity,
) -> str:
    """Cache key: questions, answers, verdicts, whose they are, and the recipe decide the scores."""
    verdicts = judgments.sha256 if judgments else ""
    parts = [patient.sha256, predictions.sha256, verdicts, identity.model_dump_json()]
    return step_key("scores", patient.subject_id, [*parts, domain_recipe("scoring")])


def _cache_key(_context: Any, given: dict[str, Any]) -> str:
    return scores_key(given["patient"], given["predictions"], given["judgments"], given["identity"])


@task(
    name="score-answers",
    task_run_name="scores {patient.subject_id} {identity.system}",
    cache_key_fn=_cache_key,
    **CACHED,
    **RETRIED,
)
@guarded
def score_answers(
    patient: ArtifactRef,
    predictions: ArtifactRef,
    judgments: ArtifactRef | None,
    identity: SystemIdentity,
    workspace: Workspace,
) -> ArtifactRef:
    """Score one system's answers to one patient's questions, with or without verdicts."""
    timeline = _timeline(patient.path, patient.sha256, workspace.out)
    answered = workspace.load(predictions.path, predictions.sha256, PredictionSet)
    verdicts = workspace.load(judgments.path, judgments.sha256, JudgmentSet) if judgments else None
    scores = score_timeline(timeline, answered, verdicts, identity)
    return workspace.store(
        scores_key(patient, predictions, judgments, identity),
        ItemScores(scores=scores),
        subject_id=patient.subject_id,
    )


@lru_cache(maxsize=_TIMELINES_KEPT)
def _timeline(path: str, sha256: str, out: str) -> TimelineIndex:
    return TimelineIndex(Workspace(out=out).load(path, sha256, BenchmarkPatient))
