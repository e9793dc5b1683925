"""Stage release: staged, gated and put in place as a whole (spec section 8)."""

# Prefect leaves some of its overloads untyped.
# pyright: reportUnknownMemberType=false

from __future__ import annotations

import stat
from collections.abc import Sequence
from pathlib import Path

from prefect.futures import PrefectFuture

from flows.build_run import BuildRun
from flows.parameters import opaque
from tasks.adapters.files import recover_directory, remove, replace_directory, sync_tree
from tasks.adapters.models import model_name, model_recipe
from tasks.adapters.recipe import digest, domain_recipe, suites_recipe
from tasks.contracts.build import CodeQuestions, CohortBuild, DataClass
from tasks.contracts.errors import RunFailed, TooManyFailed
from tasks.contracts.release import PatientSources, ReleaseFacts
from tasks.contracts.statistics import PatientFigures
from tasks.gates.tables.release import release_tables
from tasks.release.counts import compare_counts
from tasks.release.inventory import take_inventory
from tasks.release.sources import load_questions
from tasks.release.statistics import summarise_release
from tasks.release.steps import finish_staged_release, stage_release_patient

_DOMAINS = ("ehr", "dialogue", "qa", "audit", "release")


def publish_release(run: BuildRun, cohort: CohortBuild, patients: Sequence[PatientSources]) -> Path:
    """Stage the release, pass its gate and put it in the place of the old one.

    Raises TooManyFailed where a patient can't be written: a release lacks nobody in silence.
    """
    staged, release = run.workspace.staging, run.workspace.release
    remove(staged)
    recover_directory(release)

    def submit(
        patient: PatientSources, _before: PatientFigures | None
    ) -> PrefectFuture[PatientFigures]:
        return stage_release_patient.submit(opaque(patient), str(staged), run.workspace)

    outcome = run.fan_out(
        "release",
        [[patient] for patient in patients],
        submit,
        identify=lambda patient: (patient.subject_id, patient.subject_id),
    )
    figures = [one.result for one in outcome.of("done") if one.result is not None]
    if len(figures) < len(patients):
        raise TooManyFailed(
            f"{len(patients) - len(figures)} patients could not be written to "
            f"{staged}; the old release stands. First: {outcome.of('failed')[0].item.subject_id}"
        )
    manifest = finish_staged_release(
        str(staged),
        opaque(_facts(run, cohort, patients)),
        opaque(figures),
        tuple(run.gates),
    )
    counts = compare_counts(manifest, summarise_release(figures))
    run.gate("release", release_tables(take_inventory(staged, manifest), counts))
    sync_tree(staged)
    staged.chmod(_folder_mode(staged, release, manifest.data_class))
    try:
        replace_directory(staged, release)
    except OSError as error:
        raise RunFailed(
            f"the new release can't take the place of {release} ({error.strerror}): the old one "
            "stands and finished work is kept; the same command tries again"
        ) from None
    return release


def _folder_mode(staged: Path, release: Path, data_class: DataClass) -> int:
    """A release of credentialed data is its owner's alone until they open it to others."""
    if release.is_dir():
        return stat.S_IMODE(release.stat().st_mode)
    mode = stat.S_IMODE(staged.stat().st_mode)
    return mode & 0o700 if data_class == "credentialed" else mode


def _facts(run: BuildRun, cohort: CohortBuild, patients: Sequence[PatientSources]) -> ReleaseFacts:
    asked = [load_questions(patient, run.workspace) for patient in patients]
    return ReleaseFacts(
        generator=run.spec.provider,
        model=model_name(run.spec),
        data_class=run.data_class,
        recipe=digest([domain_recipe(*_DOMAINS), suites_recipe(), model_recipe(run.spec)]),
        inputs=cohort.files,
        skipped=run.items_in_order(),
        skip_counts=run.skip_counts,
        oddities=run.oddities,
        substitutions={one.subject_id: one.substitutions for one in asked if one.substitutions},
        code_questions=CodeQuestions(
            worked_out=sum(len(one.planned) for one in asked),
            in_words_of_code=sum(len(one.as_planned) for one in asked),
        ),
        turn_range=run.spec.turns,
    )
