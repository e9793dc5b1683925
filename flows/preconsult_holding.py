"""Stage interviews: doctors, chunks of profiles → interviews, and those that people held."""

# Prefect leaves some of its overloads untyped.
# pyright: reportUnknownMemberType=false

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from prefect.futures import PrefectFuture

from flows.preconsult_human import human_interviews
from flows.preconsult_reading import Chunk, Patients
from flows.preconsult_run import PreconsultRun
from flows.scheduling import ChainOutcome
from tasks.adapters.models import ModelSpec
from tasks.contracts.build import ArtifactRef
from tasks.contracts.preconsultation import InterviewSet
from tasks.gates.tables.preconsult import interview_tables
from tasks.preconsultation.roles import doctor_name
from tasks.preconsultation.steps import interviews_key, simulate_interviews

T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True)
class Held:
    """A doctor's interviews of a chunk."""

    doctor: str
    chunk: Chunk
    ref: ArtifactRef
    turns: int

    @property
    def identity(self) -> tuple[str, str]:
        """An item's id and its subject, as runs list them."""
        return f"{self.doctor} {self.chunk.name}", self.chunk.name


@dataclass(frozen=True)
class _Due:
    doctor: ModelSpec
    chunk: Chunk


def hold_interviews(run: PreconsultRun, patients: Patients) -> tuple[Held, ...]:
    """Let every doctor interview every patient, add people's interviews, pass the gate."""
    step = run.cached(simulate_interviews)
    turns = run.settings.turns

    def submit(due: _Due, _before: ArtifactRef | None) -> PrefectFuture[ArtifactRef]:
        run.take_up(interviews_key(due.chunk.ref, due.doctor, run.roles, turns))
        return step.submit(due.chunk.ref, due.doctor, run.roles, turns, run.workspace)

    outcome = run.fan_out(
        "interviews",
        [[_Due(doctor, chunk)] for doctor in run.doctors for chunk in patients.chunks],
        submit,
        identify=lambda due: (f"{doctor_name(due.doctor)} {due.chunk.name}", due.chunk.name),
    )
    run.stop_if_too_many_failed()
    held = [Held(doctor_name(due.doctor), due.chunk, ref, turns) for due, ref in finished(outcome)]
    held += [Held(*one) for one in human_interviews(run, patients)]
    pids = [one.pid for chunk in patients.chunks for one in chunk.content.profiles]
    loaded = (load_interviews(run, one) for one in held)
    run.gate("preconsult_interviews", interview_tables(loaded, pids))
    return tuple(held)


def load_interviews(run: PreconsultRun, held: Held) -> InterviewSet:
    """The staged interviews of a chunk."""
    return run.load(held.ref, InterviewSet)


def scored_turns(run: PreconsultRun, held: Held) -> tuple[int, ...]:
    """After how many turns interviews are scored: never more than they were to have."""
    return tuple(turns for turns in run.settings.scored_turns if turns <= held.turns)


def pids_by_doctor(run: PreconsultRun, held: Sequence[Held]) -> dict[tuple[str, int], list[str]]:
    """Whom every doctor interviewed, by the number of turns that is scored."""
    found: dict[tuple[str, int], list[str]] = {}
    for one in held:
        pids = [interview.pid for interview in load_interviews(run, one).interviews]
        for turns in scored_turns(run, one):
            found.setdefault((one.doctor, turns), []).extend(pids)
    return found


def finished(outcome: ChainOutcome[T, R]) -> list[tuple[T, R]]:
    """Items that were done, with their results."""
    return [
        (one.item, one.result)
        for one in (chain[0] for chain in outcome.chains)
        if one.result is not None
    ]
