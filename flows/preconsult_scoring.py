"""Stages diagnoses and scores: interviews' first turns → diagnoses; one line a profile."""

# Prefect leaves some of its overloads untyped.
# pyright: reportUnknownMemberType=false

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from prefect.futures import PrefectFuture

from flows.preconsult_holding import Held, finished, pids_by_doctor, scored_turns
from flows.preconsult_matching import Compared
from flows.preconsult_run import PreconsultRun
from tasks.contracts.build import ArtifactRef, SkippedItem
from tasks.contracts.errors import GateFailed
from tasks.contracts.preconsultation import NOT_THE_DOCTORS, DiagnosisSet, ScoreLine, ScoreSet
from tasks.gates.tables.preconsult import diagnosis_tables
from tasks.gates.tables.preconsult_scores import history_score_tables
from tasks.preconsultation.diagnosing import NOT_CLEAN
from tasks.preconsultation.roles import doctor_name
from tasks.preconsultation.steps import (
    diagnose_interviews,
    diagnoses_key,
    history_scores_key,
    score_interviews,
)

Diagnosed = Mapping[Held, Mapping[int, ArtifactRef]]
"""The staged diagnoses, a DiagnosisSet, of interviews by number of turns."""


_MISSING = ("unscored_share", "undiagnosed_share")
"""Columns of the scores gate that say how much is missing, not that something is wrong."""


@dataclass(frozen=True)
class _Due:
    held: Held
    turns: int


def diagnose_patients(run: PreconsultRun, held: Sequence[Held]) -> Diagnosed:
    """Diagnose every interview after each number of turns, and pass the gate."""
    step = run.cached(diagnose_interviews)

    def submit(one: _Due, _before: ArtifactRef | None) -> PrefectFuture[ArtifactRef]:
        chunk = one.held.chunk.ref
        run.take_up(diagnoses_key(chunk, one.held.ref, one.turns, run.roles))
        return step.submit(chunk, one.held.ref, one.turns, run.roles, run.workspace)

    outcome = run.fan_out(
        "diagnoses",
        [[_Due(one, turns)] for one in held for turns in scored_turns(run, one)],
        submit,
        identify=lambda one: (f"{one.held.identity[0]} {one.turns}", one.held.chunk.name),
    )
    run.stop_if_too_many_failed()
    found: dict[Held, dict[int, ArtifactRef]] = {}
    for one, ref in finished(outcome):
        found.setdefault(one.held, {})[one.turns] = ref
    loaded = [
        (one.doctor, run.load(ref, DiagnosisSet))
        for one, refs in found.items()
        for ref in refs.values()
    ]
    run.set_aside(_undiagnosed(loaded))
    run.gate("preconsult_diagnoses", diagnosis_tables(loaded))
    return found


def score_histories(
    run: PreconsultRun, compared: Sequence[Compared], diagnosed: Diagnosed
) -> tuple[ScoreLine, ...]:
    """Score every interview after each number of turns."""
    step = run.cached(score_interviews)

    def submit(one: Compared, _before: ArtifactRef | None) -> PrefectFuture[ArtifactRef]:
        held, found = one.held, dict(diagnosed.get(one.held, {}))
        decided = (held.chunk.ref, held.ref, one.matches, found, doctor_name(run.roles))
        run.take_up(history_scores_key(*decided))
        return step.submit(*decided, run.workspace)

    outcome = run.fan_out(
        "scores", [[one] for one in compared], submit, identify=lambda one: one.held.identity
    )
    run.stop_if_too_many_failed()
    loaded = (run.workspace.load(ref.path, ref.sha256, ScoreSet) for _, ref in finished(outcome))
    lines = tuple(line for one in loaded for line in one.lines)
    run.set_aside(_unscored(lines))
    return lines


def gate_histories(
    run: PreconsultRun, compared: Sequence[Compared], lines: Sequence[ScoreLine]
) -> GateFailed | None:
    """Pass the scores gate; where only too much is missing, its failure is returned.

    What was scored is worth reading then, marked as incomplete. Raises GateFailed for anything
    else.
    """
    pids = pids_by_doctor(run, [one.held for one in compared])
    try:
        run.gate("preconsult_scores", history_score_tables(lines, pids))
    except GateFailed as failure:
        broken = [one for one in failure.result.results if not one.success]
        if all(one.column in _MISSING and not one.error for one in broken):
            return failure
        raise
    return None


def _undiagnosed(diagnosed: Iterable[tuple[str, DiagnosisSet]]) -> Iterator[SkippedItem]:
    """Clean dialogues without a judged diagnosis, with the reason."""
    for doctor, found in diagnosed:
        for one in found.diagnoses:
            if one.failed and one.failed != NOT_CLEAN:
                yield _left_out("diagnoses", doctor, found.turns, one.pid, one.failed)


def _unscored(lines: Iterable[ScoreLine]) -> Iterator[SkippedItem]:
    """Dialogues without scores for reasons that aren't the doctor's."""
    for one in lines:
        if one.status in NOT_THE_DOCTORS:
            yield _left_out("scores", one.doctor, one.turns, one.pid, one.reason)


def _left_out(stage: str, doctor: str, turns: int, pid: str, reason: str) -> SkippedItem:
    return SkippedItem(
        id=f"{doctor} {turns} {pid}", subject_id=pid, stage=stage, outcome="skipped", reason=reason
    )
