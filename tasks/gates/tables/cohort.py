"""The cohort gate's table: a row a patient."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise

import polars as pl

from tasks.contracts.build import CohortBuild, PatientPlan
from tasks.gates.tables.rows import table


@dataclass(frozen=True, slots=True)
class CohortRow:
    """One patient; ``id`` is the subject_id."""

    id: str
    eligible_admissions: int
    usable_admissions: int
    unaccounted_admissions: int
    repeated_admissions: int
    admissions_out_of_order: int
    foreign_admissions: int
    ranked_out_of_order: bool


def cohort_tables(build: CohortBuild) -> dict[str, pl.DataFrame]:
    """The table ``cohort`` of the patients that are to be built."""
    left_out = Counter(
        item.subject_id for item in build.skipped if item.id != item.subject_id and item.eligible
    )
    before = (None, *build.patients[:-1])
    rows = [
        _row(patient, previous, left_out[patient.subject_id])
        for patient, previous in zip(build.patients, before, strict=False)
    ]
    return {"cohort": table(rows, CohortRow)}


def _row(patient: PatientPlan, previous: PatientPlan | None, left_out: int) -> CohortRow:
    bundles = patient.bundles
    keys = [(bundle.admission_start, bundle.hadm_id) for bundle in bundles]
    return CohortRow(
        id=patient.subject_id,
        eligible_admissions=patient.eligible_admissions,
        usable_admissions=len(bundles),
        unaccounted_admissions=patient.eligible_admissions - len(bundles) - left_out,
        repeated_admissions=len(bundles) - len({bundle.hadm_id for bundle in bundles}),
        admissions_out_of_order=sum(a > b for a, b in pairwise(keys)),
        foreign_admissions=sum(bundle.subject_id != patient.subject_id for bundle in bundles),
        ranked_out_of_order=previous is not None and _rank(previous) > _rank(patient),
    )


def _rank(patient: PatientPlan) -> tuple[int, int, str]:
    """Cohort order: eligible admissions descending, then subject_id as a number."""
    return (-patient.eligible_admissions, len(patient.subject_id), patient.subject_id)
