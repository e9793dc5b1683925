"""Stages facts and matches: interviews → facts → the guidelines that they fulfil."""

# Prefect leaves some of its overloads untyped.
# pyright: reportUnknownMemberType=false

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from prefect.futures import PrefectFuture

from flows.preconsult_holding import Held, finished, load_interviews
from flows.preconsult_run import PreconsultRun
from tasks.contracts.build import ArtifactRef
from tasks.contracts.preconsultation import ComparedSet, OrganizedSet
from tasks.gates.tables.preconsult import fact_tables, match_tables
from tasks.preconsultation.steps import (
    compare_facts,
    facts_key,
    matches_key,
    organize_interviews,
)


@dataclass(frozen=True)
class Organized:
    """A doctor's interviews of a chunk with their facts, an OrganizedSet."""

    held: Held
    facts: ArtifactRef


@dataclass(frozen=True)
class Compared:
    """A doctor's interviews of a chunk with the guidelines of their facts, a ComparedSet."""

    held: Held
    matches: ArtifactRef


def organize_facts(run: PreconsultRun, held: Sequence[Held]) -> tuple[Organized, ...]:
    """Take every interview apart into facts, and pass the gate."""
    step = run.cached(organize_interviews)

    def submit(one: Held, _before: ArtifactRef | None) -> PrefectFuture[ArtifactRef]:
        run.take_up(facts_key(one.chunk.ref, one.ref, run.roles))
        return step.submit(one.chunk.ref, one.ref, run.roles, run.workspace)

    outcome = run.fan_out(
        "facts", [[one] for one in held], submit, identify=lambda one: one.identity
    )
    run.stop_if_too_many_failed()
    organized = tuple(Organized(*one) for one in finished(outcome))
    loaded = (
        (
            load_interviews(run, one.held),
            run.load(one.facts, OrganizedSet),
        )
        for one in organized
    )
    run.gate("preconsult_facts", fact_tables(loaded))
    return organized


def compare_with_guidelines(
    run: PreconsultRun, organized: Sequence[Organized]
) -> tuple[Compared, ...]:
    """Hold every fact against the guidelines of the disease, and pass the gate."""
    step = run.cached(compare_facts)

    def submit(one: Organized, _before: ArtifactRef | None) -> PrefectFuture[ArtifactRef]:
        chunk = one.held.chunk.ref
        run.take_up(matches_key(chunk, one.facts, run.roles))
        return step.submit(chunk, one.facts, run.roles, run.workspace)

    outcome = run.fan_out(
        "matches", [[one] for one in organized], submit, identify=lambda one: one.held.identity
    )
    run.stop_if_too_many_failed()
    compared = tuple(Compared(one.held, ref) for one, ref in finished(outcome))
    loaded = (
        (
            one.held.chunk.content,
            load_interviews(run, one.held),
            run.load(one.matches, ComparedSet),
        )
        for one in compared
    )
    run.gate("preconsult_matches", match_tables(loaded))
    return compared
