"""What travels between the steps of a build, and what a run reports (design sections 2 and 8)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from tasks.contracts.base import Contract
from tasks.contracts.clock import Timestamp
from tasks.contracts.usage import Estimate, RunUsage

DataClass = Literal["synthetic", "open", "credentialed"]
"""Who may see the data; unknown data counts as credentialed."""

STAGES = ("source", "cohort", "bundles", "dialogues", "timelines", "questions", "audits", "release")


Outcome = Literal["running", "completed", "completed_with_failures", "failed", "interrupted"]
"""How a run ended."""


class CohortRequest(Contract):
    """Which patients to build."""

    patients: int = Field(default=100, ge=1, description="Most patients to take, by rank")
    minimum_admissions: int = Field(
        default=2, ge=2, description="Fewest eligible admissions a patient must have"
    )
    subject_ids: tuple[str, ...] = Field(
        default=(), description="Patients asked for by id; empty means by rank"
    )


class SourceFileInfo(Contract):
    """One input file as it was found."""

    table: str = Field(description="MIMIC table name")
    name: str = Field(description="File name below the given folder, for example hosp/patients.csv")
    bytes: int = Field(description="Size on disk")
    sha256: str = Field(
        description="Digest of the records in any order: the sum of their SHA-256 values mod 2^256"
    )
    rows: int | None = Field(
        default=None, description="Records read; null before the file was read"
    )
    extra_columns: tuple[str, ...] = Field(default=(), description="Columns beyond MIMIC's, unused")
    passed_over: str = Field(
        default="", description="Second copy of the table that isn't read, where there is one"
    )
    decimal_ids: int = Field(
        default=0, description="Ids written as 22595853.0 that were read as whole numbers"
    )


class SkipCount(Contract):
    """Rows, notes or admissions left out, by reason."""

    table: str = Field(description="MIMIC table")
    reason: str = Field(description="Reason code, explained in docs/reading-mimic.md")
    count: int = Field(ge=0, description="How many")


class OddityCount(Contract):
    """How often a record of the cohort was kept although it is odd."""

    table: str = Field(description="MIMIC table")
    oddity: str = Field(description="Code, explained in docs/record-oddities.md")
    count: int = Field(ge=1, description="How many records")


class SkippedItem(Contract):
    """One admission or patient left out or set aside."""

    id: str = Field(description="hadm_id or subject_id")
    subject_id: str = Field(description="The patient")
    stage: str = Field(description="Stage that left it out")
    outcome: Literal["skipped", "failed"] = Field(description="Left out by rule, or failed")
    reason: str = Field(description="Reason code or message; never patient text")
    eligible: bool = Field(
        default=True, description="False for an admission without a discharge note, whatever else"
    )


class BundleRef(Contract):
    """A staged admission record on disk."""

    subject_id: str = Field(description="MIMIC patient id")
    hadm_id: str = Field(description="MIMIC admission id")
    admission_start: Timestamp = Field(description="Orders the patient's sessions")
    path: str = Field(description="File, relative to the cache folder")
    sha256: str = Field(description="Digest of the file")


class PatientPlan(Contract):
    """A patient of the cohort with its admissions in time order."""

    subject_id: str = Field(description="MIMIC patient id")
    eligible_admissions: int = Field(description="Admissions with a discharge note")
    bundles: tuple[BundleRef, ...] = Field(description="Admissions that can have a session")


class CohortBuild(Contract):
    """The bundles stage's result: who is built, and everything that was left out."""

    patients: tuple[PatientPlan, ...] = Field(description="In cohort order")
    skipped: tuple[SkippedItem, ...] = Field(description="Admissions and patients left out")
    skip_counts: tuple[SkipCount, ...] = Field(description="Rows and notes left out, by reason")
    oddities: tuple[OddityCount, ...] = Field(
        default=(), description="Odd records that were kept, by table and code"
    )
    files: tuple[SourceFileInfo, ...] = Field(description="Inputs with their row counts")
    eligible_patients: int = Field(description="Patients of the source with enough admissions")
    eligible_admissions: int = Field(description="Admissions of the source with a discharge note")


class ArtifactRef(Contract):
    """A staged file on disk."""

    subject_id: str = Field(description="MIMIC patient id")
    hadm_id: str | None = Field(default=None, description="MIMIC admission id; null for a patient")
    path: str = Field(description="File, relative to the cache folder")
    sha256: str = Field(description="Digest of the file")


class StageCount(Contract):
    """What one stage did."""

    computed: int = Field(default=0, description="Items made in this run")
    cached: int = Field(default=0, description="Items taken from the cache")
    failed: int = Field(default=0, description="Items that failed")
    skipped: int = Field(default=0, description="Items left out, with a reason")
    seconds: float = Field(default=0.0, description="Wall time")


class ExpectationResult(Contract):
    """One expectation's verdict; failing rows are named by id only."""

    expectation: str = Field(description="Expectation type and its column, in words")
    table: str = Field(default="", description="Table that was judged")
    column: str = Field(default="", description="Column it is about; empty for a whole table")
    notes: str = Field(default="", description="What it guards, as the suite's file says")
    success: bool = Field(description="Whether the table met it")
    failed_rows: int = Field(default=0, description="Rows that broke it")
    first_ids: tuple[str, ...] = Field(default=(), description="Ids of the first failing rows")
    error: str = Field(default="", description="Why it could not be evaluated; empty otherwise")


class GateResult(Contract):
    """A gate's verdict on one stage's table."""

    stage: str = Field(description="Name of the gate")
    success: bool = Field(description="All expectations met and none failed to evaluate")
    rows: int = Field(description="Rows of the table")
    results: tuple[ExpectationResult, ...] = Field(description="By expectation")


class RunReport(Contract):
    """``report/run.json``: what one run did, beside the release (times and ids live here)."""

    flow_run_id: str | None = Field(default=None, description="Prefect's id of the flow run")
    flow_run_name: str | None = Field(default=None, description="Prefect's name of the flow run")
    outcome: Outcome = Field(
        description="How the run ended; running where it has not, or was killed"
    )
    started: str = Field(description="UTC time the run began")
    seconds: float = Field(description="Wall time of the run")
    stages: dict[str, StageCount] = Field(description="By stage")
    items: tuple[SkippedItem, ...] = Field(description="Every skipped and failed item")
    skip_counts: tuple[SkipCount, ...] = Field(description="Rows left out, by table and reason")
    oddities: tuple[OddityCount, ...] = Field(
        default=(), description="Odd records that were kept, by table and code"
    )
    gates: tuple[GateResult, ...] = Field(description="In the order they ran")
    usage: RunUsage = Field(description="What the language model was asked, and what that took")
    estimate: Estimate | None = Field(
        default=None, description="What a model would be asked; null unless that was asked for"
    )
    message: str = Field(default="", description="Why the run failed; empty otherwise")


class CodeQuestions(Contract):
    """Questions of a language model's release in which code did more than check.

    Those across admissions are always worked out by code, whoever words them.
    """

    worked_out: int = Field(
        default=0, description="About one admission, worked out by code where the model's failed"
    )
    in_words_of_code: int = Field(
        default=0, description="Left in the words of code where no wording of the model held"
    )


class ManifestFile(Contract):
    """One file of a release."""

    sha256: str = Field(description="Digest of the file")
    bytes: int = Field(description="Size")


class Manifest(Contract):
    """``manifest.json``: what a release is, where it came from and every file it holds."""

    name: str = Field(description="Name of the benchmark")
    generator: str = Field(description="Provider that wrote the text: programmatic or openai")
    model: str = Field(description="Model that wrote the text")
    data_class: DataClass = Field(description="Who may see the data")
    recipe: str = Field(description="Digest of prompts, schemas, SQL, suites, model and parameters")
    inputs: dict[str, SourceFileInfo] = Field(description="Input files by table")
    counts: dict[str, int] = Field(description="Patients, admissions, turns, questions, tokens …")
    skipped: tuple[SkippedItem, ...] = Field(description="Left out or set aside, with the reason")
    skip_counts: tuple[SkipCount, ...] = Field(description="Rows left out, by table and reason")
    oddities: tuple[OddityCount, ...] = Field(
        default=(), description="Odd records that were kept, by table and code"
    )
    gates: dict[str, str] = Field(description="Verdict of every gate that ran before publication")
    substitutions: dict[str, dict[str, int]] = Field(
        default_factory=dict,
        description="By patient: cross-admission questions of a type filled from another type",
    )
    turn_range: tuple[int, int] | None = Field(
        default=None,
        description="Fewest and most turns asked of every dialogue; null where the length of the "
        "stay decides",
    )
    code_questions: CodeQuestions = Field(
        default=CodeQuestions(), description="What code had to do beside a language model"
    )
    files: dict[str, ManifestFile] = Field(description="Every other file of the release, by path")
