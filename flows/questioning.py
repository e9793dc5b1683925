"""Stage questions: sessions → questions with cited evidence (spec section 7)."""

# Prefect leaves some of its overloads untyped.
# pyright: reportUnknownMemberType=false

from __future__ import annotations

from collections.abc import Iterator, Sequence

from prefect.futures import PrefectFuture

from flows.build_run import BuildRun
from flows.parameters import opaque
from tasks.contracts.build import ArtifactRef, SkippedItem
from tasks.contracts.dialogue import AdmissionDialogue
from tasks.contracts.errors import ItemFailed
from tasks.contracts.release import PatientQuestions, PatientSources
from tasks.gates.tables.questions import question_tables
from tasks.qa.steps import (
    ACROSS,
    assemble_questions,
    benchmark_key,
    draw_lexicon,
    lexicon_key,
    questions_key,
    write_questions,
)
from tasks.release.sources import load_dialogues, load_questions

Asked = tuple[PatientSources, str]
"""A patient and the admission asked about, or ACROSS."""


def generate_questions(
    run: BuildRun, patients: Sequence[PatientSources]
) -> tuple[PatientSources, ...]:
    """Ask about each admission and across each patient's admissions."""
    lexicon = _draw_lexicon(run, patients)
    step = run.cached(write_questions)

    def submit(asked: Asked, _before: ArtifactRef | None) -> PrefectFuture[ArtifactRef]:
        patient, about = asked
        run.take_up(questions_key(patient, about, lexicon, run.spec))
        return step.submit(opaque(patient), about, lexicon, run.spec, run.workspace)

    outcome = run.fan_out(
        "questions",
        # Patient by patient, because their tasks share what was read from the chart; the largest
        # first, and of each the questions across admissions, which take as long as all others.
        [[asked] for patient in _largest_first(patients) for asked in _to_ask(patient)],
        submit,
        identify=_identify,
    )
    written: dict[str, list[ArtifactRef]] = {one.subject_id: [] for one in patients}
    for done in outcome.of("done"):
        if done.result is not None:
            written[done.item[0].subject_id].append(done.result)
    whole = [one for one in patients if len(written[one.subject_id]) == len(_to_ask(one))]
    run.set_aside(_failed(one, "questions_failed") for one in patients if one not in whole)
    assembled = [_assemble(run, one, written[one.subject_id], lexicon) for one in whole]
    asked = tuple(one for one in assembled if one is not None)
    run.stop_if_too_many_failed()
    run.gate("questions", question_tables(_load_questions(run, asked)))
    return asked


def _to_ask(patient: PatientSources) -> list[Asked]:
    return [(patient, ACROSS), *((patient, bundle.hadm_id) for bundle in patient.bundles)]


def _largest_first(patients: Sequence[PatientSources]) -> list[PatientSources]:
    return sorted(patients, key=lambda one: -len(one.bundles))


def _identify(asked: Asked) -> tuple[str, str]:
    patient, about = asked
    return (f"{patient.subject_id}_cross" if about == ACROSS else about), patient.subject_id


def _draw_lexicon(run: BuildRun, patients: Sequence[PatientSources]) -> ArtifactRef:
    run.take_up(lexicon_key(patients))
    return run.cached(draw_lexicon)(opaque(tuple(patients)), run.workspace)


def _assemble(
    run: BuildRun, patient: PatientSources, written: Sequence[ArtifactRef], lexicon: ArtifactRef
) -> PatientSources | None:
    """The patient with questions that the audits don't doubt; None where there are no such."""
    run.take_up(benchmark_key(patient, written, lexicon, run.spec))
    step = run.cached(assemble_questions)
    try:
        questions = step(opaque(patient), tuple(written), lexicon, run.spec, run.workspace)
    except ItemFailed as error:
        run.set_aside([_failed(patient, str(error))])
        return None
    return patient.model_copy(update={"questions": questions})


def _failed(patient: PatientSources, reason: str) -> SkippedItem:
    return SkippedItem(
        id=patient.subject_id,
        subject_id=patient.subject_id,
        stage="questions",
        outcome="failed",
        reason=reason,
    )


def _load_questions(
    run: BuildRun, patients: Sequence[PatientSources]
) -> Iterator[tuple[tuple[AdmissionDialogue, ...], PatientQuestions]]:
    for patient in patients:
        yield load_dialogues(patient, run.workspace), load_questions(patient, run.workspace)
