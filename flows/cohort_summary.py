"""What a build would make: the cohort as a table (``report/cohort.json``)."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field

from tasks.adapters.files import read_model, write_json
from tasks.contracts.base import Contract
from tasks.contracts.build import CohortBuild, OddityCount, PatientPlan, SkipCount, SkippedItem
from tasks.contracts.clock import Day
from tasks.contracts.records import AdmissionRecord
from tasks.dialogue.rules import turn_range

FILE = "cohort.json"


class CohortRow(Contract):
    """One patient of the cohort."""

    subject_id: str = Field(description="MIMIC patient id")
    eligible_admissions: int = Field(description="Admissions with a discharge note")
    usable_admissions: int = Field(description="Admissions that get a session")
    discharge_notes: int = Field(description="Discharge notes of the usable admissions")
    radiology_notes: int = Field(description="Radiology notes of the usable admissions")
    first_day: Day | None = Field(description="First admission; null where none is usable")
    last_day: Day | None = Field(description="Last discharge; null where none is usable")
    fewest_turns: int = Field(description="Fewest turns that the stays' lengths ask for")
    most_turns: int = Field(description="Most turns that the stays' lengths ask for")


class CohortSummary(Contract):
    """The cohort, and what was left out of it."""

    eligible_patients: int = Field(description="Patients of the source with enough admissions")
    patients: tuple[CohortRow, ...] = Field(description="In cohort order")
    skipped: tuple[SkippedItem, ...] = Field(description="Admissions and patients left out")
    skip_counts: tuple[SkipCount, ...] = Field(description="Rows and notes left out, by reason")
    oddities: tuple[OddityCount, ...] = Field(
        default=(), description="Odd records that were kept, by table and code"
    )


def summarise_cohort(cohort: CohortBuild, cache: Path) -> CohortSummary:
    """The cohort's table, from the staged bundles below ``cache``."""
    return CohortSummary(
        eligible_patients=cohort.eligible_patients,
        patients=tuple(_row(plan, cache) for plan in cohort.patients),
        skipped=cohort.skipped,
        skip_counts=cohort.skip_counts,
        oddities=cohort.oddities,
    )


def write_cohort(report: Path, summary: CohortSummary) -> None:
    """Write ``report/cohort.json``."""
    write_json(report / FILE, summary)


def read_cohort(report: Path) -> CohortSummary:
    """Read what ``write_cohort`` wrote; raises OSError or pydantic.ValidationError."""
    return read_model(report / FILE, CohortSummary)


def _row(plan: PatientPlan, cache: Path) -> CohortRow:
    bundles = [read_model(cache / ref.path, AdmissionRecord).bundle for ref in plan.bundles]
    turns = [turn_range(bundle.admission_start, bundle.admission_end) for bundle in bundles]
    return CohortRow(
        subject_id=plan.subject_id,
        eligible_admissions=plan.eligible_admissions,
        usable_admissions=len(bundles),
        discharge_notes=sum(len(bundle.discharge_notes) for bundle in bundles),
        radiology_notes=sum(len(bundle.radiology_notes) for bundle in bundles),
        first_day=min((bundle.admission_start.date() for bundle in bundles), default=None),
        last_day=max((bundle.admission_end.date() for bundle in bundles), default=None),
        fewest_turns=sum(fewest for fewest, _ in turns),
        most_turns=sum(most for _, most in turns),
    )
