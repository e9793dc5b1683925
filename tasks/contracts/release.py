"""What a release is made of, and what can be wrong with one (spec section 8)."""

from __future__ import annotations

from pydantic import Field

from tasks.contracts.base import Contract
from tasks.contracts.build import (
    ArtifactRef,
    BundleRef,
    CodeQuestions,
    DataClass,
    GateResult,
    OddityCount,
    SkipCount,
    SkippedItem,
    SourceFileInfo,
)
from tasks.contracts.dialogue import AdmissionDialogue, PatientSummary, Timeline
from tasks.contracts.questions import QuestionSet

MANIFEST = "manifest.json"
STATISTICS = "stats.json"
GATES = "gates.json"
CARD = "README.md"
RELEASE_FILES = (MANIFEST, STATISTICS, GATES, CARD)
PATIENT_FILES = (
    "combined_conversation.json",
    "patient_summary.json",
    "cross_admission_qa.json",
    "benchmark_qa.json",
)
ADMISSION_FILES = (
    "formed_packet.json",
    "prompt_record.json",
    "conversation.json",
    "summary.json",
    "evidence.json",
    "qa.json",
)


class PatientSessions(Contract):
    """A patient's accepted dialogues with the timeline and figures made of them."""

    dialogues: tuple[AdmissionDialogue, ...] = Field(description="By (admission_start, hadm_id)")
    timeline: Timeline = Field(description="combined_conversation.json")
    summary: PatientSummary = Field(description="patient_summary.json")


class PatientQuestions(Contract):
    """A patient's questions, file by file."""

    subject_id: str = Field(description="MIMIC patient id")
    admissions: dict[str, QuestionSet] = Field(description="qa.json by hadm_id, in time order")
    cross: QuestionSet = Field(description="cross_admission_qa.json")
    benchmark: QuestionSet = Field(description="benchmark_qa.json: all of them, shuffled")
    substitutions: dict[str, int] = Field(
        default_factory=dict,
        description="Cross-admission questions that their type lacks, filled from another type",
    )
    planned: tuple[str, ...] = Field(
        default=(),
        description="qa_ids about one stay worked out by rules, as the language model's own were "
        "no good",
    )
    as_planned: tuple[str, ...] = Field(
        default=(),
        description="qa_ids in the words of the rules, as those of the language model were no good",
    )


class ReleaseFacts(Contract):
    """What the run knows about a release beside its patients."""

    name: str = Field(default="anamnesis", description="Name of the benchmark")
    generator: str = Field(description="Provider that wrote the text: programmatic or openai")
    model: str = Field(description="Model that wrote the text")
    data_class: DataClass = Field(description="Who may see the data")
    recipe: str = Field(description="Digest of prompts, schemas, SQL, suites, model, parameters")
    inputs: tuple[SourceFileInfo, ...] = Field(description="Input files")
    skipped: tuple[SkippedItem, ...] = Field(description="Left out or set aside")
    skip_counts: tuple[SkipCount, ...] = Field(description="Rows left out, by table and reason")
    oddities: tuple[OddityCount, ...] = Field(
        default=(), description="Odd records that were kept, by table and code"
    )
    substitutions: dict[str, dict[str, int]] = Field(
        description="By patient: questions of a type filled from another; patients with any"
    )
    code_questions: CodeQuestions = Field(
        default=CodeQuestions(), description="What code had to do beside a language model"
    )
    turn_range: tuple[int, int] | None = Field(
        default=None, description="Fewest and most turns asked of every dialogue, if not by stay"
    )


class GateReport(Contract):
    """``gates.json``: the verdicts that a release was published on."""

    gates: tuple[GateResult, ...] = Field(description="In the order they ran")


class ReleaseFile(Contract):
    """One path of a release: where the layout, the folder and the manifest agree on it."""

    path: str = Field(description="Path below the release folder, with forward slashes")
    expected: bool = Field(description="The layout has a file of this name here")
    present: bool = Field(description="A regular file lies here")
    listed: bool = Field(description="The manifest lists it; always true of the manifest itself")
    bytes_equal: bool = Field(description="Its size is the listed one")
    digest_equal: bool = Field(description="Its sha256 is the listed one")


class ReleaseCount(Contract):
    """A figure that the manifest states and what the files give."""

    name: str = Field(description="Key in the manifest's counts")
    stated: int = Field(description="What the manifest says; -1 where it says nothing")
    found: int = Field(description="What the files give; -1 where nothing counts it")


class Problem(Contract):
    """One thing wrong with a release; never holds patient text."""

    path: str = Field(description="File below the release folder; empty for the whole release")
    where: str = Field(description="Place in the file, for example turn 3 or qas.0.answer")
    what: str = Field(description="What is wrong: expected and found")
    remedy: str = Field(description="What puts it right")


class PatientTimeline(Contract):
    """A staged timeline and its figures; the dialogues lie in their own files."""

    timeline: Timeline = Field(description="combined_conversation.json")
    summary: PatientSummary = Field(description="patient_summary.json")


class PatientSources(Contract):
    """The staged files that one patient's release folder is made of."""

    subject_id: str = Field(description="MIMIC patient id")
    bundles: tuple[BundleRef, ...] = Field(description="Records, in time order")
    dialogues: tuple[ArtifactRef, ...] = Field(description="AdmissionDialogue of each record")
    timeline: ArtifactRef | None = Field(default=None, description="PatientTimeline, once made")
    questions: ArtifactRef | None = Field(default=None, description="PatientQuestions, once made")
