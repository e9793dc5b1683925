"""Prefect tasks of question generation."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from prefect import task

from tasks.adapters.failures import guarded
from tasks.adapters.models import ModelSpec, open_model
from tasks.adapters.recipe import digest, domain_recipe, step_key
from tasks.adapters.retrying import RETRY_DELAYS_SECONDS, worth_retrying
from tasks.adapters.workspace import Workspace
from tasks.contracts.build import ArtifactRef, BundleRef
from tasks.contracts.dialogue import AdmissionDialogue
from tasks.contracts.questions import (
    AdmissionQuestionsInput,
    AdmissionQuestionsReply,
    ChartAdmission,
    CrossQuestionsInput,
    CrossQuestionsReply,
    Lexicon,
    PatientChart,
    QuestionSet,
)
from tasks.contracts.records import AdmissionRecord
from tasks.contracts.release import PatientQuestions, PatientSources
from tasks.qa.assembly import assemble_benchmark, total_substitutions
from tasks.qa.lexicon import build_lexicon
from tasks.qa.settling import Asked, settle
from tasks.qa.writing import RULES, ask_admission_questions, ask_cross_questions

ACROSS = "cross"
"""In place of a hadm_id: the questions across a patient's admissions."""

_CHARTS_IN_MEMORY = 4


def lexicon_key(patients: Sequence[PatientSources]) -> str:
    """Cache key: the cohort's records and dialogues and the recipe decide the lexicon."""
    contents = [ref.sha256 for one in patients for ref in (*one.bundles, *one.dialogues)]
    return step_key("lexicon", "cohort", [domain_recipe("qa"), *contents])


def questions_key(
    patient: PatientSources, about: str, lexicon: ArtifactRef, spec: ModelSpec
) -> str:
    """Cache key: the patient's records and dialogues, the lexicon and the recipe decide them."""
    recipe = digest([domain_recipe("qa"), spec.model_dump_json()])
    contents = [ref.sha256 for ref in (*patient.bundles, *patient.dialogues)]
    item = f"{patient.subject_id}-{about}"
    return step_key("questions", item, [recipe, lexicon.sha256, *contents])


def benchmark_key(
    patient: PatientSources, written: Sequence[ArtifactRef], lexicon: ArtifactRef, spec: ModelSpec
) -> str:
    """Cache key: the sets of questions, what they are drawn from and the recipe decide it."""
    recipe = digest([domain_recipe("audit", "qa"), spec.model_dump_json()])
    contents = [ref.sha256 for ref in (*written, *patient.bundles, *patient.dialogues)]
    return step_key("benchmark", patient.subject_id, [recipe, lexicon.sha256, *contents])


def _benchmark_cache_key(_context: Any, given: dict[str, Any]) -> str:
    names = ("patient", "written", "lexicon", "spec")
    return benchmark_key(*(given[name] for name in names))


def _lexicon_cache_key(_context: Any, given: dict[str, Any]) -> str:
    return lexicon_key(given["patients"])


def _questions_cache_key(_context: Any, given: dict[str, Any]) -> str:
    return questions_key(given["patient"], given["about"], given["lexicon"], given["spec"])


@task(
    name="draw-lexicon",
    task_run_name="lexicon of the cohort",
    tags=["questions"],
    cache_key_fn=_lexicon_cache_key,
    persist_result=True,
    result_serializer="json",
)
@guarded
def draw_lexicon(patients: tuple[PatientSources, ...], workspace: Workspace) -> ArtifactRef:
    """Count the targets of the whole cohort, for the draw of absent ones."""
    lexicon = build_lexicon(lambda: (_load_chart(patient, workspace) for patient in patients))
    return workspace.store(lexicon_key(patients), lexicon, subject_id="")


@task(
    name="write-questions",
    task_run_name="questions {patient.subject_id} {about}",
    tags=["questions"],
    cache_key_fn=_questions_cache_key,
    persist_result=True,
    result_serializer="json",
    retries=len(RETRY_DELAYS_SECONDS),
    retry_delay_seconds=RETRY_DELAYS_SECONDS,
    retry_condition_fn=worth_retrying,
)
@guarded
def write_questions(
    patient: PatientSources,
    about: str,
    lexicon: ArtifactRef,
    spec: ModelSpec,
    workspace: Workspace,
) -> ArtifactRef:
    """Write the questions about one admission (``about`` is its hadm_id) or ACROSS all of them."""
    model = open_model(spec, RULES)
    chart = _load_chart(patient, workspace)
    targets = _read_lexicon(lexicon.path, lexicon.sha256, workspace.out)
    reply = (
        ask_cross_questions(CrossQuestionsInput(chart=chart, lexicon=targets), model)
        if about == ACROSS
        else ask_admission_questions(
            AdmissionQuestionsInput(chart=chart, hadm_id=about, lexicon=targets), model
        )
    )
    return workspace.store(
        questions_key(patient, about, lexicon, spec),
        reply,
        subject_id=patient.subject_id,
        hadm_id=None if about == ACROSS else about,
    )


@task(
    name="assemble-questions",
    task_run_name="benchmark questions {patient.subject_id}",
    tags=["questions"],
    cache_key_fn=_benchmark_cache_key,
    persist_result=True,
    result_serializer="json",
)
@guarded
def assemble_questions(
    patient: PatientSources,
    written: tuple[ArtifactRef, ...],
    lexicon: ArtifactRef,
    spec: ModelSpec,
    workspace: Workspace,
) -> ArtifactRef:
    """Join a patient's questions, those across admissions first in ``written``, and shuffle.

    Questions that the audits doubt are asked otherwise first; raises ItemFailed where none passes.
    """
    across, *single = written
    asked = settle(
        Asked(
            single={
                str(ref.hadm_id): workspace.load(ref.path, ref.sha256, AdmissionQuestionsReply)
                for ref in single
            },
            cross=workspace.load(across.path, across.sha256, CrossQuestionsReply),
        ),
        _load_chart(patient, workspace),
        _read_lexicon(lexicon.path, lexicon.sha256, workspace.out),
        open_model(spec, RULES),
    )
    sets = {hadm_id: QuestionSet(qas=reply.qas) for hadm_id, reply in asked.single.items()}
    cross = QuestionSet(qas=asked.cross.qas)
    made = PatientQuestions(
        subject_id=patient.subject_id,
        admissions=sets,
        cross=cross,
        benchmark=assemble_benchmark(patient.subject_id, list(sets.values()), cross),
        substitutions=total_substitutions((*asked.single.values(), asked.cross)),
    )
    key = benchmark_key(patient, written, lexicon, spec)
    return workspace.store(key, made, subject_id=patient.subject_id)


def _load_chart(patient: PatientSources, workspace: Workspace) -> PatientChart:
    return _read_chart(patient.model_dump_json(), workspace.out)


@lru_cache(maxsize=_CHARTS_IN_MEMORY)
def _read_chart(sources: str, out: str) -> PatientChart:
    """A patient's chart; kept for the patient's other tasks, which need the same one."""
    patient, workspace = PatientSources.model_validate_json(sources), Workspace(out=out)
    return PatientChart(
        subject_id=patient.subject_id,
        admissions=tuple(
            _load_admission(bundle, dialogue, workspace)
            for bundle, dialogue in zip(patient.bundles, patient.dialogues, strict=True)
        ),
    )


@lru_cache(maxsize=1)
def _read_lexicon(path: str, sha256: str, out: str) -> Lexicon:
    return Workspace(out=out).load(path, sha256, Lexicon)


def _load_admission(
    bundle: BundleRef, dialogue: ArtifactRef, workspace: Workspace
) -> ChartAdmission:
    record = workspace.load(bundle.path, bundle.sha256, AdmissionRecord)
    spoken = workspace.load(dialogue.path, dialogue.sha256, AdmissionDialogue)
    return ChartAdmission(bundle=spoken.bundle, facts=record.facts, lines=spoken.lines)
