"""Stages source, cohort and bundles: MIMIC's files → admission records (spec sections 2 to 4)."""

# Prefect leaves some of its overloads untyped.
# pyright: reportUnknownMemberType=false

from __future__ import annotations

from collections.abc import Iterator

from flows.build_run import BuildRun
from flows.cache_cleaning import key_of
from flows.cohort_summary import summarise_cohort, write_cohort
from tasks.contracts.build import CohortBuild, CohortRequest, SourceFileInfo
from tasks.contracts.records import AdmissionBundle, AdmissionRecord
from tasks.ehr.steps import build_bundles, bundles_key
from tasks.ehr.steps import read_inputs as read_input_files
from tasks.gates.tables.bundles import bundle_tables
from tasks.gates.tables.cohort import cohort_tables
from tasks.gates.tables.source import source_tables


def read_inputs(run: BuildRun) -> tuple[SourceFileInfo, ...]:
    """Find MIMIC's files, check their headers, take their digests."""
    paths = run.settings.build_paths()
    with run.stage("source"):
        inputs = read_input_files(str(paths.mimic), str(paths.note))
        run.count("source", "computed", len(inputs))
    return inputs


def bundle_admissions(run: BuildRun, inputs: tuple[SourceFileInfo, ...]) -> CohortBuild:
    """Rank the eligible patients and bundle the cohort's admissions, in one pass."""
    cohort = _read_cohort(run, inputs)
    run.set_aside(cohort.skipped)
    run.skip_counts = cohort.skip_counts
    run.oddities = cohort.oddities
    run.gate("source", source_tables(cohort.files))
    with run.stage("cohort"):
        run.count("cohort", "computed", len(cohort.patients))
    run.gate("cohort", cohort_tables(cohort))
    died_in: set[str] = set()
    run.gate("bundles", bundle_tables(_bundles(run, cohort, died_in), died_in))
    write_cohort(run.workspace.report, summarise_cohort(cohort, run.workspace.cache))
    return cohort


def _read_cohort(run: BuildRun, inputs: tuple[SourceFileInfo, ...]) -> CohortBuild:
    paths, settings = run.settings.build_paths(), run.settings
    request = CohortRequest(patients=settings.patients, subject_ids=settings.subject_id)
    key = bundles_key(inputs, request)
    run.take_up(key)

    def stage() -> tuple[CohortBuild, str | None]:
        state = run.cached(build_bundles)(
            str(paths.mimic), str(paths.note), inputs, request, run.workspace, return_state=True
        )
        ref = state.result()
        return run.workspace.load(ref.path, ref.sha256, CohortBuild), state.name

    with run.stage("bundles"):
        cohort, state = stage()
        if not all(run.workspace.holds(one) for plan in cohort.patients for one in plan.bundles):
            # The list of the records was kept, but a record is gone or was changed.
            run.workspace.forget(key)
            cohort, state = stage()
        run.used.update(key_of(one.path) for plan in cohort.patients for one in plan.bundles)
        made = sum(len(plan.bundles) for plan in cohort.patients)
        run.count("bundles", "cached" if state == "Cached" else "computed", made)
        run.count("bundles", "skipped", sum(one.id != one.subject_id for one in cohort.skipped))
    return cohort


def _bundles(
    run: BuildRun, cohort: CohortBuild, died_in: set[str]
) -> Iterator[list[AdmissionBundle]]:
    """Each patient's bundles; notes in ``died_in`` the stays that ended with death on the way."""
    # A patient at a time: the notes of a whole cohort need not fit into memory.
    for plan in cohort.patients:
        records = [
            run.workspace.load(ref.path, ref.sha256, AdmissionRecord) for ref in plan.bundles
        ]
        died_in.update(one.bundle.hadm_id for one in records if one.patient.died_in_hospital)
        yield [one.bundle for one in records]
