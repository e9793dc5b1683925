"""Stage refinement of evaluate-rubrics: base answers, critiques, edits, scores."""

# Prefect leaves some of its overloads untyped.
# pyright: reportUnknownMemberType=false

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from prefect.futures import PrefectFuture

from flows.rubric_inputs import Inputs
from flows.rubric_run import RubricEvaluationRun
from flows.rubric_stages import (
    Item,
    Refs,
    load_all,
    set_unread_aside,
    spread,
)
from tasks.adapters.models import ModelSpec
from tasks.contracts.build import ArtifactRef
from tasks.contracts.rubric_results import BaseAnswer, Refinement, ScoredAnswer
from tasks.contracts.rubrics import GOLD, SELF, Rubric
from tasks.gates.tables.rubric_judgments import refinement_table
from tasks.rubrics import keys, steps
from tasks.rubrics.measures.scoring import score_answer


@dataclass(frozen=True)
class Refined:
    """Base answers with their scores, and what became of them by set."""

    base: Mapping[str, BaseAnswer]
    scores: Mapping[str, ScoredAnswer]
    results: Mapping[str, Sequence[Refinement]]


def measure_refinement(run: RubricEvaluationRun, given: Inputs) -> Refined:
    """Edit frozen base answers by every set and both controls; judge before and after."""
    settings = run.settings
    critic, editor = settings.role_spec("critic"), settings.role_spec("editor")
    judge = settings.judge_specs()[0]
    base = _base_answers(run, given, settings.role_spec("base"))
    score, refine = run.cached(steps.score_answer), run.cached(steps.refine_answer)

    def submit_score(item: Item) -> PrefectFuture[ArtifactRef]:
        gold = given.rubrics[GOLD][item.query_id]
        asked = (given.queries[item.query_id], gold, base[Item(item.query_id)], judge)
        run.take_up(keys.score_key(*asked))
        return score.submit(*asked, run.workspace)

    judged = spread(run, "base-scores", list(base), submit_score)
    scored = load_all(run, judged, ScoredAnswer)
    unread = {item: [one.reason] for item, one in scored.items() if one.reason}
    set_unread_aside(run, "base-scores", judged, unread, len(scored))

    def submit_refine(item: Item) -> PrefectFuture[ArtifactRef]:
        rubric = None if item.name == SELF else given.rubrics[item.name][item.query_id]
        gold = given.rubrics[GOLD][item.query_id]
        asked = (given.queries[item.query_id], base[Item(item.query_id)], rubric, item.name, gold)
        roles = (critic, editor, judge)
        run.take_up(keys.refinement_key(*asked, *roles))
        return refine.submit(*asked, *roles, run.workspace)

    names = (SELF, *given.sets, GOLD)
    due = [Item(one.query_id, name) for name in names for one in base]
    edited = spread(run, "refinements", due, submit_refine)
    refined = load_all(run, edited, Refinement)
    unread = {item: [one.reason] for item, one in refined.items() if one.reason}
    set_unread_aside(run, "refinements", edited, unread, len(refined))
    return Refined(
        base={item.query_id: one for item, one in load_all(run, base, BaseAnswer).items()},
        scores={item.query_id: one for item, one in scored.items()},
        results={
            name: [one for item, one in refined.items() if item.name == name] for name in names
        },
    )


def gate_refinement(run: RubricEvaluationRun, given: Inputs, refined: Refined | None) -> None:
    """Pass the gate of judged answers; raises GateFailed."""
    if refined is None:
        return
    gold = {
        query: run.workspace.load(ref.path, ref.sha256, Rubric)
        for query, ref in given.rubrics[GOLD].items()
        if query in refined.base
    }
    answers = (one for results in refined.results.values() for one in results)
    table = refinement_table(refined.scores.values(), answers, gold.__getitem__, score_answer)
    run.gate("rubric-refinements", {"rubric-refinements": table})


def _base_answers(run: RubricEvaluationRun, given: Inputs, spec: ModelSpec) -> Refs:
    if given.base is not None:
        return {Item(query): ref for query, ref in given.base.items()}
    step = run.cached(steps.answer_query)

    def submit(item: Item) -> PrefectFuture[ArtifactRef]:
        query = given.queries[item.query_id]
        run.take_up(keys.answer_key(query, spec))
        return step.submit(query, spec, run.workspace)

    return spread(run, "base-answers", [Item(one) for one in given.queries], submit)
