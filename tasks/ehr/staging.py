"""Writes the cohort's admission records as staged files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from tasks.adapters.files import sha256_bytes
from tasks.adapters.mimic_files import MimicFile, locate_source
from tasks.adapters.mimic_inspection import InspectedFile, stamp
from tasks.adapters.workspace import Workspace
from tasks.contracts.build import (
    BundleRef,
    CohortBuild,
    CohortRequest,
    PatientPlan,
    SourceFileInfo,
)
from tasks.contracts.errors import SourceError
from tasks.contracts.records import AdmissionRecord
from tasks.ehr.bundles import CohortPatient
from tasks.ehr.cohort import Cohort, open_cohort
from tasks.ehr.facts import extract_facts
from tasks.ehr.oddities import Oddity, bundle_oddities, oddity_counts


def stage_cohort(
    mimic: Path,
    note: Path,
    inputs: Sequence[SourceFileInfo],
    request: CohortRequest,
    workspace: Workspace,
) -> CohortBuild:
    """Choose the cohort and stage a record for every usable admission (spec sections 3 and 4).

    ``inputs`` are the files as ``inspect_files`` found them; reading them through twice would
    double the time. Raises SourceError and SettingError as ``open_cohort`` does.
    """
    found = {file.table: file for file in inputs}
    files = tuple(_inspected(file, found[file.table]) for file in locate_source(mimic, note))
    with open_cohort(files, request, workspace.scratch) as cohort:
        tally = Counter(cohort.oddities)
        plans = tuple(_plan(cohort, patient, workspace, tally) for patient in cohort.patients)
        return CohortBuild(
            patients=plans,
            skipped=cohort.skipped,
            skip_counts=cohort.skip_counts,
            oddities=oddity_counts(tally),
            files=cohort.files,
            eligible_patients=cohort.eligible_patients,
            eligible_admissions=cohort.eligible_admissions,
        )


def _inspected(file: MimicFile, found: SourceFileInfo) -> InspectedFile:
    now = stamp(file)
    if now.bytes != found.bytes or file.name != found.name or found.rows is None:
        raise SourceError(f"{file.name}: changed while it was being read; run again")
    return InspectedFile(file, found.bytes, found.sha256, found.rows, now)


def _plan(
    cohort: Cohort, patient: CohortPatient, workspace: Workspace, tally: Counter[Oddity]
) -> PatientPlan:
    refs: list[BundleRef] = []
    for bundle, context in cohort.bundles(patient):
        tally.update(bundle_oddities(bundle, context))
        facts = extract_facts(bundle, context)
        refs.append(_stage(AdmissionRecord(bundle=bundle, patient=context, facts=facts), workspace))
    return PatientPlan(
        subject_id=patient.subject_id,
        eligible_admissions=patient.eligible_admissions,
        bundles=tuple(refs),
    )


def _stage(record: AdmissionRecord, workspace: Workspace) -> BundleRef:
    bundle = record.bundle
    # Named by content, so that a record that did not change keeps its file and its digest.
    key = f"bundles.{bundle.hadm_id}.{sha256_bytes(record.model_dump_json().encode())[:32]}"
    ref = workspace.store(key, record, subject_id=bundle.subject_id, hadm_id=bundle.hadm_id)
    return BundleRef(
        subject_id=bundle.subject_id,
        hadm_id=bundle.hadm_id,
        admission_start=bundle.admission_start,
        path=ref.path,
        sha256=ref.sha256,
    )
