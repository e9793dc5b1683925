"""Prefect tasks of rubrics. Without tags, as there are thousands of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from prefect import Task, task

from tasks.adapters.failures import guarded
from tasks.adapters.models import ModelSpec, WorkItem, open_model
from tasks.adapters.retrying import CACHED, RETRIED
from tasks.adapters.workspace import Workspace
from tasks.contracts.build import ArtifactRef
from tasks.contracts.chat import ChatModel
from tasks.contracts.rubric_results import AtomSet, BaseAnswer, NearMiss
from tasks.contracts.rubric_trace import RoleOutput
from tasks.contracts.rubrics import Query, Role, Rubric, Variant
from tasks.rubrics.asking import name_of
from tasks.rubrics.evaluation import covering, judging, refining, spoiling
from tasks.rubrics.evaluation.rules import RULES as EVALUATION_RULES
from tasks.rubrics.keys import (
    Given,
    answer_key,
    atoms_key,
    coverage_key,
    near_miss_key,
    pair_key,
    refinement_key,
    role_key,
    score_key,
)
from tasks.rubrics.pipeline.rules import RULES as PIPELINE_RULES
from tasks.rubrics.pipeline.running import run_role
from tasks.rubrics.retrieval.searching import SearchSpec, open_search

P = ParamSpec("P")
R = TypeVar("R")

_RULES = {**PIPELINE_RULES, **EVALUATION_RULES}


def _step(
    name: str, run_name: str, key: Callable[..., str]
) -> Callable[[Callable[P, R]], Task[P, R]]:
    """A cached task with retries; ``key`` gets the step's arguments but the workspace."""

    def cache_key(_context: Any, given: dict[str, Any]) -> str:
        return key(**{one: value for one, value in given.items() if one != "workspace"})

    return task(
        name=name,
        task_run_name=run_name,
        cache_key_fn=cache_key,
        **CACHED,
        **RETRIED,
    )


def _model(spec: ModelSpec, stage: str, query: str, item: str = "") -> ChatModel:
    return open_model(spec, _RULES, WorkItem(stage=stage, subject_id=query, item=item or query))


@_step("run-rubric-step", "{role} {query.subject_id}", role_key)
@guarded
def run_step(
    role: Role,
    query: ArtifactRef,
    variant: Variant,
    given: Given,
    spec: ModelSpec,
    search: SearchSpec,
    workspace: Workspace,
) -> ArtifactRef:
    """Run one step of the pipeline for one query."""
    asked = workspace.load(query.path, query.sha256, Query)
    outputs: dict[Role, RoleOutput] = {
        one: workspace.load(ref.path, ref.sha256, RoleOutput) for one, ref in given.items()
    }
    searches = role in ("search", "extraction")
    made = run_role(
        role,
        asked,
        variant,
        outputs,
        _model(spec, role, asked.query_id),
        open_search(search) if searches else None,
    )
    key = role_key(role, query, variant, given, spec, search)
    return workspace.store(key, made, subject_id=asked.query_id)


@_step("split-rubric", "constraints {name} {rubric.subject_id}", atoms_key)
@guarded
def split_rubric(
    rubric: ArtifactRef, name: str, spec: ModelSpec, workspace: Workspace
) -> ArtifactRef:
    """Split a rubric into atomic constraints."""
    given = workspace.load(rubric.path, rubric.sha256, Rubric)
    model = _model(spec, "atomizer", given.query_id, name)
    made = covering.atomize(given, name, model)
    return workspace.store(atoms_key(rubric, name, spec), made, subject_id=given.query_id)


@_step("judge-coverage", "coverage {rubric.subject_id}", coverage_key)
@guarded
def judge_coverage(
    gold_atoms: ArtifactRef,
    own_atoms: ArtifactRef,
    gold: ArtifactRef,
    rubric: ArtifactRef,
    spec: ModelSpec,
    workspace: Workspace,
) -> ArtifactRef:
    """Judge every constraint of a rubric and of the gold one by the other."""
    own = workspace.load(own_atoms.path, own_atoms.sha256, AtomSet)
    made = covering.cover(
        workspace.load(gold_atoms.path, gold_atoms.sha256, AtomSet),
        own,
        workspace.load(gold.path, gold.sha256, Rubric),
        workspace.load(rubric.path, rubric.sha256, Rubric),
        _model(spec, "coverage", own.query_id, own.name),
    )
    key = coverage_key(gold_atoms, own_atoms, gold, rubric, spec)
    return workspace.store(key, made, subject_id=own.query_id)


@_step("make-near-miss", "near-miss {query.subject_id}", near_miss_key)
@guarded
def make_near_miss(
    query: ArtifactRef, answer: ArtifactRef, turn: int, spec: ModelSpec, workspace: Workspace
) -> ArtifactRef:
    """Spoil a reference answer in exactly one place."""
    asked = workspace.load(query.path, query.sha256, Query)
    given = workspace.load(answer.path, answer.sha256, BaseAnswer)
    model = _model(spec, "perturber", asked.query_id)
    made = spoiling.spoil(asked, given.answer, turn, model)
    key = near_miss_key(query, answer, turn, spec)
    return workspace.store(key, made, subject_id=asked.query_id)


@_step("judge-pair", "pair {name} {query.subject_id}", pair_key)
@guarded
def judge_pair(
    query: ArtifactRef,
    pair: ArtifactRef,
    rubric: ArtifactRef | None,
    name: str,
    judge: ModelSpec,
    workspace: Workspace,
) -> ArtifactRef:
    """Judge a pair in three trials and both orders; what a model replied to each is kept."""
    asked = workspace.load(query.path, query.sha256, Query)
    made = judging.judge_pair(
        asked,
        workspace.load(pair.path, pair.sha256, NearMiss),
        workspace.load(rubric.path, rubric.sha256, Rubric) if rubric else None,
        name,
        name_of(judge),
        _model(judge, "judge", asked.query_id, name),
    )
    return workspace.store(
        pair_key(query, pair, rubric, name, judge), made, subject_id=asked.query_id
    )


@_step("answer-query", "base answer {query.subject_id}", answer_key)
@guarded
def answer_query(query: ArtifactRef, spec: ModelSpec, workspace: Workspace) -> ArtifactRef:
    """Write the base answer that refinement starts from."""
    asked = workspace.load(query.path, query.sha256, Query)
    made = refining.answer(asked, _model(spec, "base", asked.query_id))
    return workspace.store(answer_key(query, spec), made, subject_id=asked.query_id)


@_step("score-answer", "score {query.subject_id}", score_key)
@guarded
def score_answer(
    query: ArtifactRef,
    gold: ArtifactRef,
    answer: ArtifactRef,
    judge: ModelSpec,
    workspace: Workspace,
) -> ArtifactRef:
    """Judge a base answer by the gold rubric."""
    asked = workspace.load(query.path, query.sha256, Query)
    made = judging.score(
        asked,
        workspace.load(gold.path, gold.sha256, Rubric),
        workspace.load(answer.path, answer.sha256, BaseAnswer).answer,
        _model(judge, "judge", asked.query_id, "base"),
    )
    return workspace.store(score_key(query, gold, answer, judge), made, subject_id=asked.query_id)


@_step("refine-answer", "refine {name} {query.subject_id}", refinement_key)
@guarded
def refine_answer(
    query: ArtifactRef,
    base: ArtifactRef,
    rubric: ArtifactRef | None,
    name: str,
    gold: ArtifactRef,
    critic: ModelSpec,
    editor: ModelSpec,
    judge: ModelSpec,
    workspace: Workspace,
) -> ArtifactRef:
    """Criticise, edit and judge a base answer."""
    asked = workspace.load(query.path, query.sha256, Query)
    made = refining.refine(
        asked,
        workspace.load(base.path, base.sha256, BaseAnswer),
        workspace.load(rubric.path, rubric.sha256, Rubric) if rubric else None,
        name,
        workspace.load(gold.path, gold.sha256, Rubric),
        _model(critic, "critic", asked.query_id, name),
        _model(editor, "editor", asked.query_id, name),
        _model(judge, "judge", asked.query_id, f"refined {name}"),
    )
    key = refinement_key(query, base, rubric, name, gold, critic, editor, judge)
    return workspace.store(key, made, subject_id=asked.query_id)
