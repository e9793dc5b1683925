"""Stage questions: sessions → questions with cited evidence (spec section 7)."""

# Prefect leaves some of its overloads untyped.
# pyright: reportUnknownMemberType=false

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from prefect.futures import PrefectFuture

from flows.asking import Asked, Asking, AskingAfterwards
from flows.build_run import BuildRun
from flows.parameters import opaque
from flows.scheduling import ItemOutcome
from tasks.contracts.build import ArtifactRef, SkippedItem
from tasks.contracts.dialogue import AdmissionDialogue
from tasks.contracts.release import PatientQuestions, PatientSources
from tasks.gates.tables.questions import question_tables
from tasks.qa.keys import ACROSS, benchmark_key
from tasks.qa.steps import assemble_questions
from tasks.release.sources import load_dialogues, load_questions


def generate_questions(
    run: BuildRun, patients: Sequence[PatientSources]
) -> tuple[PatientSources, ...]:
    """Ask about each admission and across each patient's admissions."""
    # Patient by patient, because their tasks share what was read from the chart; the largest
    # first, and of each the questions across admissions, which take as long as all others.
    to_ask = [[asked] for patient in _largest_first(patients) for asked in _to_ask(patient)]
    asking = run.early or AskingAfterwards(run, patients)
    with run.stage("questions", len(to_ask)):
        written = _write(run, asking, to_ask)
        asked = _assemble(run, asking, patients, written)
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


def _write(
    run: BuildRun, asking: Asking, to_ask: Sequence[Sequence[Asked]]
) -> dict[str, list[ArtifactRef]]:
    """The sets of questions of each patient, those across admissions first."""
    outcome = run.spread(
        to_ask,
        lambda asked, _before: asking.submit(asked),
        partial(run.record, "questions", _identify),
    )
    written: dict[str, list[ArtifactRef]] = {}
    for done in outcome.of("done"):
        if done.result is not None:
            written.setdefault(done.item[0].subject_id, []).append(done.result)
    return written


def _assemble(
    run: BuildRun,
    asking: Asking,
    patients: Sequence[PatientSources],
    written: dict[str, list[ArtifactRef]],
) -> tuple[PatientSources, ...]:
    """The patients with questions that the audits don't doubt; the others are set aside."""
    step = run.cached(assemble_questions)
    whole = [one for one in patients if len(written.get(one.subject_id, ())) == len(_to_ask(one))]
    run.set_aside(_failed(one) for one in patients if one not in whole)

    def submit(patient: PatientSources, _before: ArtifactRef | None) -> PrefectFuture[ArtifactRef]:
        sets = tuple(written[patient.subject_id])
        run.take_up(benchmark_key(patient, sets, asking.lexicon, run.spec))
        return step.submit(opaque(patient), sets, asking.lexicon, run.spec, run.workspace)

    def on_done(done: ItemOutcome[PatientSources, ArtifactRef]) -> None:
        run.record_failure("questions", done.item.subject_id, done.item.subject_id, done)

    outcome = run.spread([[patient] for patient in whole], submit, on_done)
    return tuple(
        one.item.model_copy(update={"questions": one.result}) for one in outcome.of("done")
    )


def _failed(patient: PatientSources) -> SkippedItem:
    return SkippedItem(
        id=patient.subject_id,
        subject_id=patient.subject_id,
        stage="questions",
        outcome="failed",
        reason="questions_failed",
    )


def _load_questions(
    run: BuildRun, patients: Sequence[PatientSources]
) -> Iterator[tuple[tuple[AdmissionDialogue, ...], PatientQuestions]]:
    for patient in patients:
        yield load_dialogues(patient, run.workspace), load_questions(patient, run.workspace)
