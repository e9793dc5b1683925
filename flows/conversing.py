"""Stages dialogues and timelines: admission records → sessions in time order (sections 5, 6)."""

# Prefect leaves some of its overloads untyped.
# pyright: reportUnknownMemberType=false

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from prefect.futures import PrefectFuture

from flows.asking import FEWEST_SESSIONS, AskingEarly
from flows.build_run import BuildRun
from flows.parameters import opaque
from flows.scheduling import remaining_weights
from tasks.contracts.build import ArtifactRef, BundleRef, CohortBuild, PatientPlan, SkippedItem
from tasks.contracts.dialogue import SkippedAdmission
from tasks.contracts.release import PatientSources
from tasks.dialogue.steps import (
    collect_record_terms,
    dialogue_key,
    record_terms_key,
    synthesise_dialogue,
)
from tasks.gates.tables.dialogues import dialogue_tables
from tasks.gates.tables.timelines import timeline_tables
from tasks.release.sources import load_dialogues, load_sessions
from tasks.release.steps import assemble_timeline, timeline_key


@dataclass(frozen=True)
class Sessions:
    """A patient, the sessions that were written and the admissions that have none."""

    plan: PatientPlan
    sources: PatientSources
    skipped: tuple[SkippedAdmission, ...]


def synthesise_dialogues(run: BuildRun, cohort: CohortBuild) -> tuple[Sessions, ...]:
    """Write each admission's dialogue, after the patient's previous one."""
    step = run.cached(synthesise_dialogue)
    early = _asking_early(run, cohort)
    terms = _record_terms(run, cohort)
    waiting = _waiting_work(run, cohort)

    def submit(bundle: BundleRef, previous: ArtifactRef | None) -> PrefectFuture[ArtifactRef]:
        run.take_up(dialogue_key(bundle, previous, run.spec, terms))
        urgency = waiting[bundle.hadm_id]
        return step.submit(bundle, previous, run.spec, run.workspace, terms, urgency)

    outcome = run.fan_out(
        "dialogues",
        [plan.bundles for plan in cohort.patients],
        submit,
        identify=lambda bundle: (bundle.hadm_id, bundle.subject_id),
        weight=partial(_size, run),
        follow=early.follow if early else None,
    )
    run.early = early
    patients = [
        Sessions(
            plan=plan,
            sources=PatientSources(
                subject_id=plan.subject_id,
                bundles=tuple(one.item for one in chain if one.result),
                dialogues=tuple(one.result for one in chain if one.result),
            ),
            skipped=_left_out(run, plan.subject_id),
        )
        for plan, chain in zip(cohort.patients, outcome.chains, strict=True)
    ]
    kept = tuple(one for one in patients if len(one.sources.dialogues) >= FEWEST_SESSIONS)
    run.set_aside(_set_aside(one) for one in patients if one not in kept)
    run.stop_if_too_many_failed()
    run.gate(
        "dialogues",
        dialogue_tables(
            (load_dialogues(one.sources, run.workspace) for one in kept), run.spec.turns
        ),
    )
    return kept


def _size(run: BuildRun, bundle: BundleRef) -> float:
    return float((run.workspace.cache / bundle.path).stat().st_size)


def _waiting_work(run: BuildRun, cohort: CohortBuild) -> dict[str, float]:
    """By hadm_id, the work from an admission to the end of its patient's chain."""
    return {
        bundle.hadm_id: left
        for plan in cohort.patients
        for bundle, left in zip(
            plan.bundles,
            remaining_weights(plan.bundles, partial(_size, run)),
            strict=True,
        )
    }


def _asking_early(run: BuildRun, cohort: CohortBuild) -> AskingEarly | None:
    """Where a model asks, questions begin with the first dialogue; rules need all of them."""
    if run.spec.provider == "programmatic" or run.settings.until == "dialogues":
        return None
    return AskingEarly(run, cohort)


def _record_terms(run: BuildRun, cohort: CohortBuild) -> ArtifactRef | None:
    """What the audit of the release will count as a name; rules say only what a record holds."""
    if run.spec.provider == "programmatic":
        return None
    bundles = tuple(bundle for plan in cohort.patients for bundle in plan.bundles)
    run.take_up(record_terms_key(bundles))
    return run.cached(collect_record_terms)(opaque(bundles), run.workspace)


def assemble_timelines(run: BuildRun, patients: Sequence[Sessions]) -> tuple[PatientSources, ...]:
    """Join each patient's sessions in time order and count their turns and tokens."""
    step = run.cached(assemble_timeline)

    def submit(patient: Sessions, _before: ArtifactRef | None) -> PrefectFuture[ArtifactRef]:
        eligible = patient.plan.eligible_admissions
        run.take_up(timeline_key(patient.sources, eligible, patient.skipped))
        return step.submit(opaque(patient.sources), eligible, patient.skipped, run.workspace)

    outcome = run.fan_out(
        "timelines",
        [[patient] for patient in patients],
        submit,
        identify=lambda patient: (patient.plan.subject_id, patient.plan.subject_id),
    )
    made = tuple(
        one.item.sources.model_copy(update={"timeline": one.result}) for one in outcome.of("done")
    )
    run.gate("timelines", timeline_tables(load_sessions(one, run.workspace) for one in made))
    return made


def _left_out(run: BuildRun, subject_id: str) -> tuple[SkippedAdmission, ...]:
    """The patient's eligible admissions without a session; one without a note never counted."""
    return tuple(
        SkippedAdmission(hadm_id=item.id, reason=item.reason)
        for item in run.items
        if item.subject_id == subject_id and item.id != subject_id and item.eligible
    )


def _set_aside(patient: Sessions) -> SkippedItem:
    return SkippedItem(
        id=patient.plan.subject_id,
        subject_id=patient.plan.subject_id,
        stage="dialogues",
        outcome="failed",
        reason="fewer_than_two_sessions",
    )
