"""Stages of evaluate-rubrics: constraints, coverage, near-misses, pairs, refinement."""

# Prefect leaves some of its overloads untyped.
# pyright: reportUnknownMemberType=false

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from prefect.futures import PrefectFuture
from pydantic import BaseModel

from flows.rubric_inputs import Inputs
from flows.rubric_run import RubricEvaluationRun
from tasks.adapters.models import ModelSpec
from tasks.contracts.build import ArtifactRef
from tasks.contracts.errors import TooManyFailed
from tasks.contracts.rubric_results import (
    AtomSet,
    JudgedPair,
    NearMiss,
    QueryCoverage,
)
from tasks.contracts.rubrics import GOLD, NONE
from tasks.gates.tables.rubric_judgments import coverage_table, pair_table
from tasks.rubrics import keys, steps
from tasks.rubrics.asking import name_of
from tasks.rubrics.evaluation.spoiling import first_kind

Model = TypeVar("Model", bound=BaseModel)


@dataclass(frozen=True)
class Item:
    """Work for one query and one rubric set, by one judge where several judge."""

    query_id: str
    name: str = ""
    judge: ModelSpec | None = None

    @property
    def place(self) -> str:
        """The item's id in reports."""
        parts = (self.query_id, self.name, name_of(self.judge) if self.judge else "")
        return " ".join(part for part in parts if part)


Refs = dict[Item, ArtifactRef]
Submit = Callable[[Item], PrefectFuture[ArtifactRef]]


@dataclass(frozen=True)
class Coverage:
    """Constraints and verdicts of every set."""

    atoms: Mapping[Item, AtomSet]
    results: Mapping[str, Sequence[QueryCoverage]]


@dataclass(frozen=True)
class Discrimination:
    """Near-misses, and every pair judged."""

    near_misses: Mapping[str, NearMiss]
    judged: Sequence[JudgedPair]


def measure_coverage(run: RubricEvaluationRun, given: Inputs) -> Coverage:
    """Split every rubric, judge constraints both ways, and stop where verdicts are unreadable."""
    settings = run.settings
    atomizer, judge = settings.role_spec("atomizer"), settings.judge_specs()[0]
    split, cover = run.cached(steps.split_rubric), run.cached(steps.judge_coverage)

    def submit_split(item: Item) -> PrefectFuture[ArtifactRef]:
        rubric = given.rubrics[item.name][item.query_id]
        run.take_up(keys.atoms_key(rubric, item.name, atomizer))
        return split.submit(rubric, item.name, atomizer, run.workspace)

    items = [Item(query, name) for name in given.rubrics for query in given.queries]
    atoms = spread(run, "constraints", items, submit_split)

    def submit_cover(item: Item) -> PrefectFuture[ArtifactRef]:
        asked = (
            atoms[Item(item.query_id, GOLD)],
            atoms[item],
            given.rubrics[GOLD][item.query_id],
            given.rubrics[item.name][item.query_id],
            judge,
        )
        run.take_up(keys.coverage_key(*asked))
        return cover.submit(*asked, run.workspace)

    due = [
        one for one in items if one.name != GOLD and {one, Item(one.query_id, GOLD)} <= set(atoms)
    ]
    judged = spread(run, "coverage", due, submit_cover)
    covered = load_all(run, judged, QueryCoverage)
    verdicts = sum(len(one.gold) + len(one.own) for one in covered.values())
    unread = {item: one.reasons for item, one in covered.items() if one.reasons}
    set_unread_aside(run, "coverage", judged, unread, verdicts, "verdicts")
    sets = load_all(run, atoms, AtomSet)
    found = {
        name: [result for item, result in covered.items() if item.name == name]
        for name in given.sets
    }
    return Coverage(atoms=sets, results=found)


def measure_discrimination(run: RubricEvaluationRun, given: Inputs) -> Discrimination:
    """Make near-misses of reference answers, and have every pair judged in six runs."""
    settings = run.settings
    perturber = settings.role_spec("perturber")
    spoil, judge = run.cached(steps.make_near_miss), run.cached(steps.judge_pair)

    def submit_spoil(item: Item) -> PrefectFuture[ArtifactRef]:
        query, answer = given.queries[item.query_id], given.answers[item.query_id]
        asked = (query, answer, first_kind(item.query_id), perturber)
        run.take_up(keys.near_miss_key(*asked))
        return spoil.submit(*asked, run.workspace)

    made = spread(run, "near-misses", [Item(one) for one in given.answers], submit_spoil)

    def submit_judge(item: Item) -> PrefectFuture[ArtifactRef]:
        rubric = None if item.name == NONE else given.rubrics[item.name][item.query_id]
        judging = item.judge or settings.judge_specs()[0]
        asked = (given.queries[item.query_id], made[Item(item.query_id)], rubric, item.name)
        run.take_up(keys.pair_key(*asked, judging))
        return judge.submit(*asked, judging, run.workspace)

    due = [
        Item(one.query_id, name, judging)
        for judging in settings.judge_specs()
        for name in (*given.sets, GOLD, NONE)
        for one in made
    ]
    refs = spread(run, "pairs", due, submit_judge)
    judged = load_all(run, refs, JudgedPair)
    unread = {item: [one.reason] for item, one in judged.items() if one.reason}
    set_unread_aside(run, "pairs", refs, unread, len(judged))
    near_misses = {item.query_id: one for item, one in load_all(run, made, NearMiss).items()}
    return Discrimination(near_misses, tuple(judged.values()))


def gate_judgments(
    run: RubricEvaluationRun, coverage: Coverage | None, pairs: Discrimination | None
) -> None:
    """Pass the gates of what was judged; raises GateFailed."""
    if coverage is not None:
        judged = (
            (
                coverage.atoms[Item(one.query_id, GOLD)],
                coverage.atoms[Item(one.query_id, name)],
                one,
            )
            for name, results in coverage.results.items()
            for one in results
        )
        run.gate("rubric-coverage", {"rubric-coverage": coverage_table(judged)})
    if pairs is not None:
        rows = ((pairs.near_misses[one.result.query_id], one.result) for one in pairs.judged)
        run.gate("rubric-pairs", {"rubric-pairs": pair_table(rows)})


def spread(run: RubricEvaluationRun, stage: str, items: Sequence[Item], submit: Submit) -> Refs:
    """Run a stage's items; those that failed are listed and left out."""

    def start(item: Item, _before: ArtifactRef | None) -> PrefectFuture[ArtifactRef]:
        return submit(item)

    outcome = run.fan_out(
        stage,
        [[one] for one in items],
        start,
        identify=lambda one: (one.place, one.query_id),
    )
    run.stop_if_too_many_failed()
    return {one.item: one.result for one in outcome.of("done") if one.result is not None}


def load_all(
    run: RubricEvaluationRun, refs: Mapping[Item, ArtifactRef], model: type[Model]
) -> dict[Item, Model]:
    """Load what was staged."""
    return {item: run.workspace.load(ref.path, ref.sha256, model) for item, ref in refs.items()}


def set_unread_aside(
    run: RubricEvaluationRun,
    stage: str,
    refs: Refs,
    unread: Mapping[Item, Sequence[str]],
    asked: int,
    parts: str = "",
) -> None:
    """List and drop results that lack a verdict; TooManyFailed where too many of those asked do.

    ``unread`` names the reasons by item; ``parts`` names what an item has several of, some of which
    may have been read. Replies that came are kept apart: the next run asks for what was not
    answered, and for nothing that was answered unreadably.
    """
    for item, reasons in unread.items():
        run.workspace.forget(Path(refs[item].path).stem)
        lost = f"{len(reasons)} {parts} not read: " if parts else ""
        run.set_unread_aside(stage, item.place, item.query_id, lost + reasons[0], whole=not parts)
    reasons = [reason for found in unread.values() for reason in found]
    limit = run.settings.failed_share_limit
    if len(reasons) > limit * asked:
        raise TooManyFailed(
            f"{len(reasons)} of {asked} {parts or stage} could not be read from the judge's "
            f"replies; the limit is {limit:.0%} (setting failed_share_limit). First: "
            f"{reasons[0]}. Name another judge or critic (--judge, --role), or run again where a "
            "server was at fault; what was read is kept"
        )
    run.stop_if_too_many_failed()
