"""Prefect tasks of question generation."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from prefect import task

from tasks.adapters.models import ModelSpec, open_model
from tasks.adapters.recipe import digest, domain_recipe, step_key
from tasks.adapters.retrying import RETRY_DELAYS_SECONDS, worth_retrying
from tasks.adapters.workspace import Workspace
from tasks.contracts.base import Contract
from tasks.contracts.build import ArtifactRef, BundleRef
from tasks.contracts.dialogue import AdmissionDialogue
from tasks.contracts.questions import (
    AdmissionQuestionsInput,
    ChartAdmission,
    CrossQuestionsInput,
    Lexicon,
    PatientChart,
)
from tasks.contracts.records import AdmissionRecord
from tasks.qa.lexicon import build_lexicon
from tasks.qa.writing import RULES, ask_admission_questions, ask_cross_questions

_CHARTS_IN_MEMORY = 4


class ChartRef(Contract):
    """A patient's admissions that have a dialogue, as staged files in time order."""

    subject_id: str
    bundles: tuple[BundleRef, ...]
    dialogues: tuple[ArtifactRef, ...]


def lexicon_key(bundles: Sequence[BundleRef]) -> str:
    """Cache key: the cohort's records and the recipe decide the lexicon."""
    return step_key(
        "lexicon", "cohort", [domain_recipe("qa"), *(bundle.sha256 for bundle in bundles)]
    )


def questions_key(
    chart: ChartRef, hadm_id: str | None, lexicon: ArtifactRef, spec: ModelSpec
) -> str:
    """Cache key: the patient's records and dialogues, the lexicon and the recipe decide them."""
    recipe = digest([domain_recipe("qa"), spec.model_dump_json()])
    contents = [ref.sha256 for ref in (*chart.bundles, *chart.dialogues)]
    item = f"{chart.subject_id}-{hadm_id or 'cross'}"
    return step_key("questions", item, [recipe, lexicon.sha256, *contents])


def _lexicon_cache_key(_context: Any, given: dict[str, Any]) -> str:
    return lexicon_key(given["bundles"])


def _questions_cache_key(_context: Any, given: dict[str, Any]) -> str:
    return questions_key(given["chart"], given["hadm_id"], given["lexicon"], given["spec"])


@task(
    name="draw-lexicon",
    task_run_name="lexicon of the cohort",
    tags=["questions"],
    cache_key_fn=_lexicon_cache_key,
    persist_result=True,
    result_serializer="json",
)
def draw_lexicon(bundles: tuple[BundleRef, ...], workspace: Workspace) -> ArtifactRef:
    """Count the targets of the whole cohort, for the draw of absent ones."""
    lexicon = build_lexicon(
        workspace.load(ref.path, ref.sha256, AdmissionRecord).facts for ref in bundles
    )
    return workspace.store(lexicon_key(bundles), lexicon, subject_id="")


@task(
    name="write-questions",
    task_run_name="questions {chart.subject_id} {hadm_id}",
    tags=["questions"],
    cache_key_fn=_questions_cache_key,
    persist_result=True,
    result_serializer="json",
    retries=len(RETRY_DELAYS_SECONDS),
    retry_delay_seconds=RETRY_DELAYS_SECONDS,
    retry_condition_fn=worth_retrying,
)
def write_questions(
    chart: ChartRef,
    hadm_id: str | None,
    lexicon: ArtifactRef,
    spec: ModelSpec,
    workspace: Workspace,
) -> ArtifactRef:
    """Write one admission's questions, or those across all of them where ``hadm_id`` is None."""
    model = open_model(spec, RULES)
    patient = _load_chart(chart, workspace)
    targets = workspace.load(lexicon.path, lexicon.sha256, Lexicon)
    reply = (
        ask_cross_questions(CrossQuestionsInput(chart=patient, lexicon=targets), model)
        if hadm_id is None
        else ask_admission_questions(
            AdmissionQuestionsInput(chart=patient, hadm_id=hadm_id, lexicon=targets), model
        )
    )
    return workspace.store(
        questions_key(chart, hadm_id, lexicon, spec),
        reply,
        subject_id=chart.subject_id,
        hadm_id=hadm_id,
    )


@lru_cache(maxsize=_CHARTS_IN_MEMORY)
def _load_chart(chart: ChartRef, workspace: Workspace) -> PatientChart:
    return PatientChart(
        subject_id=chart.subject_id,
        admissions=tuple(
            _load_admission(bundle, dialogue, workspace)
            for bundle, dialogue in zip(chart.bundles, chart.dialogues, strict=True)
        ),
    )


def _load_admission(
    bundle: BundleRef, dialogue: ArtifactRef, workspace: Workspace
) -> ChartAdmission:
    record = workspace.load(bundle.path, bundle.sha256, AdmissionRecord)
    spoken = workspace.load(dialogue.path, dialogue.sha256, AdmissionDialogue)
    return ChartAdmission(bundle=spoken.bundle, facts=record.facts, lines=spoken.lines)
