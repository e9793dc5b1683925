"""Stage read: a release's folder → patients with their questions, in the cache."""

# Prefect leaves some of its overloads untyped.
# pyright: reportUnknownMemberType=false

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from prefect.futures import PrefectFuture

from flows.evaluation_run import EvaluationRun
from tasks.adapters.recipe import digest
from tasks.audit.published import QUESTIONS
from tasks.audit.reading import patient_folders
from tasks.benchmark.reading import cites_unknown_admission, refuse_repeated_patients
from tasks.benchmark.steps import patient_key, read_patient
from tasks.contracts.build import ArtifactRef, OddityCount
from tasks.contracts.errors import RunFailed, UserError
from tasks.contracts.evaluation import BenchmarkPatient
from tasks.contracts.questions import Question


@dataclass(frozen=True)
class ReadPatient:
    """A patient in the cache, and beside it what every stage needs: questions, not turns."""

    ref: ArtifactRef
    outline: BenchmarkPatient

    @property
    def subject_id(self) -> str:
        """MIMIC patient id."""
        return self.outline.subject_id

    @property
    def questions(self) -> tuple[Question, ...]:
        """The questions in their order."""
        return self.outline.questions


@dataclass(frozen=True)
class Benchmark:
    """A release as it is evaluated; ``digest`` stands for its questions and timelines."""

    digest: str
    patients: tuple[ReadPatient, ...]

    @property
    def outlines(self) -> tuple[BenchmarkPatient, ...]:
        """The patients without the turns of their sessions."""
        return tuple(one.outline for one in self.patients)

    @property
    def questions(self) -> int:
        """Questions of all patients."""
        return sum(len(one.questions) for one in self.patients)


def read_benchmark(run: EvaluationRun) -> Benchmark:
    """Read every patient's timeline and questions; raises ReleaseError naming file and place."""
    release = run.settings.evaluation_paths().release
    folders = [Path(one).absolute() for one in patient_folders(release)]
    step = run.cached(read_patient)

    def submit(folder: Path, _before: ArtifactRef | None) -> PrefectFuture[ArtifactRef]:
        run.take_up(patient_key(str(folder)))
        return step.submit(str(folder), run.workspace)

    outcome = run.fan_out(
        "read",
        [[folder] for folder in folders],
        submit,
        identify=lambda folder: (folder.name, folder.name),
    )
    for failed in outcome.of("failed"):
        # What can't be read is bad input, not one item among others.
        if isinstance(failed.error, UserError):
            raise failed.error
        raise RunFailed(f"{failed.item.name} could not be read: the same command tries again")
    refs = [one.result for one in outcome.of("done") if one.result is not None]
    patients = tuple(ReadPatient(ref, _outline(ref, run)) for ref in refs)
    refuse_repeated_patients((one.subject_id for one in patients), release)
    run.oddities = _oddities(patients)
    return Benchmark(digest([one.ref.sha256 for one in patients]), patients)


def _outline(ref: ArtifactRef, run: EvaluationRun) -> BenchmarkPatient:
    patient = run.workspace.load(ref.path, ref.sha256, BenchmarkPatient)
    sessions = tuple(one.model_copy(update={"lines": ()}) for one in patient.sessions)
    return patient.model_copy(update={"sessions": sessions})


def _oddities(patients: tuple[ReadPatient, ...]) -> tuple[OddityCount, ...]:
    unknown = sum(
        cites_unknown_admission(question, one.outline)
        for one in patients
        for question in one.questions
    )
    name = "evidence_of_unknown_admission"
    return (OddityCount(table=QUESTIONS, oddity=name, count=unknown),) if unknown else ()
