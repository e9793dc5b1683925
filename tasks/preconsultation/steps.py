"""Prefect tasks of a pre-consultation, each for a chunk of profiles. Without tags: there are many.

Roles are asked one profile after another within a chunk; what a model replied is kept by request,
so a chunk that is taken up again asks only what is missing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from prefect import task

from tasks.adapters.failures import guarded
from tasks.adapters.models import ModelSpec, WorkItem, model_recipe, open_model
from tasks.adapters.recipe import domain_recipe, step_key
from tasks.adapters.retrying import CACHED, RETRIED
from tasks.adapters.workspace import Workspace
from tasks.contracts.build import ArtifactRef
from tasks.contracts.chat import ChatModel
from tasks.contracts.preconsultation import (
    ComparedSet,
    DiagnosisSet,
    InterviewSet,
    OrganizedSet,
    ProfileChunk,
    ScoreSet,
)
from tasks.preconsultation.comparing import compare
from tasks.preconsultation.diagnosing import diagnose
from tasks.preconsultation.interviewing import simulate
from tasks.preconsultation.organizing import organize
from tasks.preconsultation.roles import PATIENT, doctor_name
from tasks.preconsultation.rules import RULES
from tasks.preconsultation.scores import score_chunk

DOMAIN = "preconsultation"


def interviews_key(chunk: ArtifactRef, doctor: ModelSpec, patient: ModelSpec, turns: int) -> str:
    """Cache key: profiles, doctor, patient and the number of turns decide the interviews."""
    return _key(
        "interviews", chunk, [chunk.sha256, model_recipe(doctor), model_recipe(patient), str(turns)]
    )


def facts_key(chunk: ArtifactRef, interviews: ArtifactRef, organizer: ModelSpec) -> str:
    """Cache key: the interviews and the organizer decide the facts."""
    return _key("facts", chunk, [interviews.sha256, model_recipe(organizer)])


def matches_key(chunk: ArtifactRef, facts: ArtifactRef, comparer: ModelSpec) -> str:
    """Cache key: guidelines, facts and the comparer decide the matches."""
    return _key("matches", chunk, [chunk.sha256, facts.sha256, model_recipe(comparer)])


def diagnoses_key(
    chunk: ArtifactRef, interviews: ArtifactRef, turns: int, diagnostician: ModelSpec
) -> str:
    """Cache key: the interviews' first turns and the diagnostician decide the diagnoses."""
    parts = [chunk.sha256, interviews.sha256, str(turns), model_recipe(diagnostician)]
    return _key("diagnoses", chunk, parts)


def history_scores_key(
    chunk: ArtifactRef,
    interviews: ArtifactRef,
    matches: ArtifactRef,
    diagnoses: Mapping[int, ArtifactRef],
    roles: str,
) -> str:
    """Cache key: everything that came before decides the scores."""
    diagnosed = [f"{turns}:{ref.sha256}" for turns, ref in sorted(diagnoses.items())]
    parts = [chunk.sha256, interviews.sha256, matches.sha256, roles, *diagnosed]
    return _key("history-scores", chunk, parts)


@task(
    name="simulate-interviews",
    task_run_name="interviews from {chunk.subject_id}",
    cache_key_fn=lambda _context, given: interviews_key(
        given["chunk"], given["doctor"], given["patient"], given["turns"]
    ),
    **CACHED,
    **RETRIED,
)
@guarded
def simulate_interviews(
    chunk: ArtifactRef, doctor: ModelSpec, patient: ModelSpec, turns: int, workspace: Workspace
) -> ArtifactRef:
    """Let a doctor interview every patient of a chunk."""
    given = _chunk(chunk, workspace)
    held = InterviewSet(
        doctor=doctor_name(doctor),
        language=given.language,
        turns=turns,
        interviews=tuple(
            simulate(
                one,
                given.language,
                _open(doctor, "interviews", one.pid, "doctor"),
                _open(patient, "interviews", one.pid, PATIENT),
                turns,
            )
            for one in given.profiles
        ),
    )
    key = interviews_key(chunk, doctor, patient, turns)
    return workspace.store(key, held, subject_id=chunk.subject_id)


@task(
    name="organize-interviews",
    task_run_name="facts from {chunk.subject_id}",
    cache_key_fn=lambda _context, given: facts_key(
        given["chunk"], given["interviews"], given["organizer"]
    ),
    **CACHED,
    **RETRIED,
)
@guarded
def organize_interviews(
    chunk: ArtifactRef, interviews: ArtifactRef, organizer: ModelSpec, workspace: Workspace
) -> ArtifactRef:
    """Take every interview of a chunk apart into facts."""
    held = workspace.load(interviews.path, interviews.sha256, InterviewSet)
    facts = OrganizedSet(
        interviews=tuple(
            organize(one, held.language, _open(organizer, "facts", one.pid, "organizer"))
            for one in held.interviews
        )
    )
    key = facts_key(chunk, interviews, organizer)
    return workspace.store(key, facts, subject_id=chunk.subject_id)


@task(
    name="compare-facts",
    task_run_name="matches from {chunk.subject_id}",
    cache_key_fn=lambda _context, given: matches_key(
        given["chunk"], given["facts"], given["comparer"]
    ),
    **CACHED,
    **RETRIED,
)
@guarded
def compare_facts(
    chunk: ArtifactRef, facts: ArtifactRef, comparer: ModelSpec, workspace: Workspace
) -> ArtifactRef:
    """Hold the facts of every interview of a chunk against the guidelines."""
    given = _chunk(chunk, workspace)
    diseases = {one.pid: one.disease for one in given.profiles}
    organized = workspace.load(facts.path, facts.sha256, OrganizedSet)
    matches = ComparedSet(
        interviews=tuple(
            compare(
                one,
                diseases[one.pid],
                given.guidelines,
                given.language,
                _open(comparer, "matches", one.pid, "comparer"),
            )
            for one in organized.interviews
        )
    )
    key = matches_key(chunk, facts, comparer)
    return workspace.store(key, matches, subject_id=chunk.subject_id)


@task(
    name="diagnose-interviews",
    task_run_name="diagnoses after {turns} turns from {chunk.subject_id}",
    cache_key_fn=lambda _context, given: diagnoses_key(
        given["chunk"], given["interviews"], given["turns"], given["diagnostician"]
    ),
    **CACHED,
    **RETRIED,
)
@guarded
def diagnose_interviews(
    chunk: ArtifactRef,
    interviews: ArtifactRef,
    turns: int,
    diagnostician: ModelSpec,
    workspace: Workspace,
) -> ArtifactRef:
    """Diagnose every interview of a chunk after its first turns."""
    given = _chunk(chunk, workspace)
    held = workspace.load(interviews.path, interviews.sha256, InterviewSet)
    found = DiagnosisSet(
        turns=turns,
        diagnoses=tuple(
            diagnose(one, given.language, turns, given.guidelines, model, model)
            for one in held.interviews
            for model in (_open(diagnostician, "diagnoses", one.pid, "diagnostician"),)
        ),
    )
    key = diagnoses_key(chunk, interviews, turns, diagnostician)
    return workspace.store(key, found, subject_id=chunk.subject_id)


@task(
    name="score-interviews",
    task_run_name="scores from {chunk.subject_id}",
    cache_key_fn=lambda _context, given: history_scores_key(
        given["chunk"], given["interviews"], given["matches"], given["diagnoses"], given["roles"]
    ),
    **CACHED,
)
@guarded
def score_interviews(
    chunk: ArtifactRef,
    interviews: ArtifactRef,
    matches: ArtifactRef,
    diagnoses: Mapping[int, ArtifactRef],
    roles: str,
    workspace: Workspace,
) -> ArtifactRef:
    """Score every interview of a chunk after each number of turns that was diagnosed."""
    scores = ScoreSet(
        lines=tuple(
            score_chunk(
                _chunk(chunk, workspace),
                workspace.load(interviews.path, interviews.sha256, InterviewSet),
                workspace.load(matches.path, matches.sha256, ComparedSet),
                [workspace.load(ref.path, ref.sha256, DiagnosisSet) for ref in diagnoses.values()],
                roles,
            )
        )
    )
    key = history_scores_key(chunk, interviews, matches, diagnoses, roles)
    return workspace.store(key, scores, subject_id=chunk.subject_id)


def _key(stage: str, chunk: ArtifactRef, parts: Sequence[str]) -> str:
    return step_key(stage, chunk.subject_id, [domain_recipe(DOMAIN), *parts])


def _chunk(chunk: ArtifactRef, workspace: Workspace) -> ProfileChunk:
    return workspace.load(chunk.path, chunk.sha256, ProfileChunk)


def _open(spec: ModelSpec, stage: str, pid: str, item: str) -> ChatModel:
    """A role's model; no doctor is named, so that what two of them have alike is asked once."""
    return open_model(spec, RULES, WorkItem(stage=stage, subject_id=pid, item=item))
