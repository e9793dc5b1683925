"""Prefect tasks of question generation."""

from __future__ import annotations

from typing import Any

from prefect import task

from tasks.adapters.failures import guarded
from tasks.adapters.models import ModelSpec, WorkItem, open_model
from tasks.adapters.retrying import CACHED, RETRIED
from tasks.adapters.workspace import Workspace
from tasks.contracts.build import ArtifactRef, BundleRef
from tasks.contracts.questions import (
    AdmissionQuestionsInput,
    AdmissionQuestionsReply,
    CrossQuestionsInput,
    CrossQuestionsReply,
)
from tasks.contracts.release import PatientSources
from tasks.qa.assembly import questions_of
from tasks.qa.charts import load_chart, load_lexicon, load_record_chart, load_stay_chart
from tasks.qa.doubts import Asked
from tasks.qa.keys import (
    ACROSS,
    across_key,
    admission_key,
    benchmark_key,
    lexicon_key,
    questions_key,
    record_lexicon_key,
)
from tasks.qa.lexicon import build_lexicon
from tasks.qa.settling import settle
from tasks.qa.writing import RULES, ask_admission_questions, ask_cross_questions


def _benchmark_cache_key(_context: Any, given: dict[str, Any]) -> str:
    names = ("patient", "written", "lexicon", "spec")
    return benchmark_key(*(given[name] for name in names))


def _lexicon_cache_key(_context: Any, given: dict[str, Any]) -> str:
    return lexicon_key(given["patients"])


def _record_lexicon_cache_key(_context: Any, given: dict[str, Any]) -> str:
    return record_lexicon_key(given["patients"])


def _admission_cache_key(_context: Any, given: dict[str, Any]) -> str:
    names = ("records", "dialogue", "lexicon", "spec")
    return admission_key(*(given[name] for name in names))


def _across_cache_key(_context: Any, given: dict[str, Any]) -> str:
    return across_key(given["patient"], given["lexicon"], given["spec"])


def _questions_cache_key(_context: Any, given: dict[str, Any]) -> str:
    return questions_key(given["patient"], given["about"], given["lexicon"], given["spec"])


@task(
    name="draw-lexicon",
    task_run_name="lexicon of the cohort",
    cache_key_fn=_lexicon_cache_key,
    **CACHED,
)
@guarded
def draw_lexicon(patients: tuple[PatientSources, ...], workspace: Workspace) -> ArtifactRef:
    """Count the targets of the whole cohort, for the draw of absent ones."""
    lexicon = build_lexicon(lambda: (load_chart(patient, workspace) for patient in patients))
    return workspace.store(lexicon_key(patients), lexicon, subject_id="")


@task(
    name="draw-record-lexicon",
    task_run_name="lexicon of the cohort's records",
    cache_key_fn=_record_lexicon_cache_key,
    **CACHED,
)
@guarded
def draw_record_lexicon(
    patients: tuple[tuple[BundleRef, ...], ...], workspace: Workspace
) -> ArtifactRef:
    """Count the targets of the whole cohort before there are dialogues, for a language model."""
    lexicon = build_lexicon(lambda: (load_record_chart(bundles, workspace) for bundles in patients))
    return workspace.store(record_lexicon_key(patients), lexicon, subject_id="")


@task(
    name="ask-admission",
    task_run_name="questions {dialogue.subject_id} {dialogue.hadm_id}",
    cache_key_fn=_admission_cache_key,
    **CACHED,
    **RETRIED,
)
@guarded
def ask_admission(
    records: tuple[BundleRef, ...],
    dialogue: ArtifactRef,
    lexicon: ArtifactRef,
    spec: ModelSpec,
    workspace: Workspace,
) -> ArtifactRef:
    """Ask a language model about one admission as soon as its own dialogue is accepted.

    ``records`` are all of the patient's: other stays can have the same dates.
    """
    hadm_id = str(dialogue.hadm_id)
    given = AdmissionQuestionsInput(
        chart=load_stay_chart(records, dialogue, workspace),
        hadm_id=hadm_id,
        lexicon=load_lexicon(lexicon, workspace),
    )
    model = open_model(spec, RULES, _work(dialogue.subject_id, hadm_id))
    return workspace.store(
        admission_key(records, dialogue, lexicon, spec),
        ask_admission_questions(given, model),
        subject_id=dialogue.subject_id,
        hadm_id=hadm_id,
    )


@task(
    name="ask-across",
    task_run_name="questions {patient.subject_id} across",
    cache_key_fn=_across_cache_key,
    **CACHED,
    **RETRIED,
)
@guarded
def ask_across(
    patient: PatientSources, lexicon: ArtifactRef, spec: ModelSpec, workspace: Workspace
) -> ArtifactRef:
    """Ask a language model across a patient's admissions, once all dialogues are accepted."""
    given = CrossQuestionsInput(
        chart=load_chart(patient, workspace), lexicon=load_lexicon(lexicon, workspace)
    )
    model = open_model(spec, RULES, _work(patient.subject_id, f"{patient.subject_id}_cross"))
    return workspace.store(
        across_key(patient, lexicon, spec),
        ask_cross_questions(given, model),
        subject_id=patient.subject_id,
    )


def _work(subject_id: str, item: str) -> WorkItem:
    return WorkItem(stage="questions", subject_id=subject_id, item=item)


@task(
    name="write-questions",
    task_run_name="questions {patient.subject_id} {about}",
    cache_key_fn=_questions_cache_key,
    **CACHED,
    **RETRIED,
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
    chart = load_chart(patient, workspace)
    targets = load_lexicon(lexicon, workspace)
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
    cache_key_fn=_benchmark_cache_key,
    **CACHED,
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
        load_chart(patient, workspace),
        load_lexicon(lexicon, workspace),
        open_model(spec, RULES, _work(patient.subject_id, f"{patient.subject_id}_cross")),
    )
    key = benchmark_key(patient, written, lexicon, spec)
    made = questions_of(patient.subject_id, asked)
    return workspace.store(key, made, subject_id=patient.subject_id)
