from __future__ import annotations

import polars as pl
import pytest

from tasks.contracts.rubric_measures import RubricScore, RunValues
from tasks.contracts.rubric_results import (
    Atom,
    AtomSet,
    Covered,
    JudgedPair,
    NearMiss,
    QueryCoverage,
    Refinement,
    ScoredAnswer,
)
from tasks.contracts.rubric_trace import Trace
from tasks.contracts.rubrics import Axis, Criterion, Rubric, Variant
from tasks.gates.suites import run_gate
from tasks.gates.tables.rubric_judgments import coverage_table, pair_table, refinement_table
from tasks.gates.tables.rubrics import rubric_tables
from tasks.rubrics.measures.discriminating import pair_result
from tasks.rubrics.measures.scoring import score_answer
from tasks.rubrics.pipeline.variants import roles_of
from tasks.rubrics.pipeline.wording_rules import sign_agrees
from tests.gates.breaking import broken, entries_of, failures_of, unjudged_columns
from tests.unit.rubrics.building import query, run_variant

Tables = dict[str, pl.DataFrame]


def trace(variant: Variant = "full", query_id: str = "7") -> Trace:
    asked = query(query_id=query_id)
    made = run_variant(variant, asked)
    outputs = tuple(made[role] for role in roles_of(variant))
    return Trace(query=asked, variant=variant, outputs=outputs, criteria=outputs[-1].criteria or ())


def near_miss(query_id: str) -> NearMiss:
    return NearMiss(
        query_id=query_id,
        kind="dropped_red_flag",
        original="Go now.",
        replacement="",
        reference="Rest. Go now.",
        text="Rest.",
        generator="test",
    )


def judged(query_id: str) -> JudgedPair:
    runs = [
        RunValues(trial=trial, reference_first=first, reference=3.0, near_miss=1.0)
        for trial in range(3)
        for first in (True, False)
    ]
    return JudgedPair(result=pair_result(query_id, "full", "j", runs, 0))


def coverage() -> tuple[AtomSet, AtomSet, QueryCoverage]:
    atoms = (Atom(text="a", axis="accuracy"), Atom(text="b", axis="completeness"))
    verdicts = (
        Covered(axis="accuracy", entailed=True),
        Covered(axis="completeness", entailed=None),
    )
    return (
        AtomSet(query_id="7", name="gold", atoms=atoms),
        AtomSet(query_id="7", name="full", atoms=atoms),
        QueryCoverage(query_id="7", name="full", gold=verdicts, own=verdicts),
    )


GOLD_RUBRIC = Rubric(
    query_id="7",
    criteria=(
        Criterion(criterion="Names the danger", axis="accuracy", points=9),
        Criterion(criterion="Promises a cure", axis="accuracy", points=-3),
    ),
)


def scored(*met: bool, overall: float | None = 1.0) -> ScoredAnswer:
    by_axis: dict[Axis, float] = {} if overall is None else {"accuracy": overall}
    return ScoredAnswer(query_id="7", met=met, score=RubricScore(overall=overall, by_axis=by_axis))


def refinements(*base: ScoredAnswer) -> pl.DataFrame:
    unread = ScoredAnswer(query_id="7", met=None, score=None, reason="no verdicts")
    edited = [
        Refinement(query_id="7", name=name, plan=(), answer="Go.", scored=one, reason=reason)
        for name, one, reason in (
            ("full", scored(True, False), ""),
            ("self", unread, "no verdicts"),
            ("gold", None, "no plan"),
        )
    ]
    return refinement_table(
        base or [scored(True, False)], edited, {"7": GOLD_RUBRIC}.__getitem__, score_answer
    )


def sound() -> dict[str, Tables]:
    pairs = [(near_miss(one), judged(one).result) for one in ("7", "8")]
    return {
        "rubrics": rubric_tables([trace(query_id="8"), trace()], sign_agrees),
        "rubric-coverage": {"rubric-coverage": coverage_table([coverage()])},
        "rubric-pairs": {"rubric-pairs": pair_table(pairs)},
        "rubric-refinements": {"rubric-refinements": refinements()},
    }


STAGES = tuple(sound())


@pytest.mark.parametrize("stage", STAGES)
def test_sound_rubrics_and_judgments_pass(stage: str) -> None:
    result = run_gate(stage, sound()[stage])
    assert failures_of(result) == []


@pytest.mark.parametrize("stage", STAGES)
def test_every_column_is_judged(stage: str) -> None:
    assert unjudged_columns(stage, sound()[stage]) == {}


@pytest.mark.parametrize(("stage", "number"), entries_of(STAGES))
def test_a_corrupted_table_fails_exactly_its_expectation(stage: str, number: int) -> None:
    tables, expected = broken(stage, number, sound()[stage])
    assert failures_of(run_gate(stage, tables)) == expected


def test_a_criterion_without_support_fails_the_gate_and_is_named() -> None:
    one = trace()
    loose = Criterion(criterion="Says something", axis="accuracy", points=5)
    spoilt = one.model_copy(update={"criteria": (*one.criteria, loose)})
    result = run_gate("rubrics", rubric_tables([spoilt], sign_agrees))
    (failed,) = [line for line in result.results if not line.success]
    assert failed.column == "is_unsupported"
    assert failed.first_ids == (f"full 7 {len(one.criteria) + 1}",)


def test_a_danger_sign_that_was_dropped_fails_the_gate() -> None:
    one = trace()
    kept = tuple(criterion for criterion in one.criteria if criterion.points != 9)
    spoilt = one.model_copy(update={"criteria": kept})
    result = run_gate("rubrics", rubric_tables([spoilt], sign_agrees))
    assert [line.column for line in result.results if not line.success] == ["red_flags_lost"]


def test_dangers_that_share_their_only_criterion_fail_the_gate() -> None:
    one = trace()
    dangers = [criterion for criterion in one.criteria if criterion.points in (9, -8)]
    lumped = dangers[0].model_copy(
        update={"support": tuple(id for criterion in dangers for id in criterion.support)}
    )
    others = [criterion for criterion in one.criteria if criterion not in dangers]
    fault = Criterion(criterion="Promises a cure", axis="accuracy", points=-7, support=("i1",))
    spoilt = one.model_copy(update={"criteria": (*others, lumped, fault)})
    result = run_gate("rubrics", rubric_tables([spoilt], sign_agrees))
    failed = [line.column for line in result.results if not line.success]
    assert failed == ["red_flags_lost", "prohibitions_lost"]


def test_baselines_need_no_support_and_drafts_may_lose_a_danger_sign() -> None:
    for variant in ("direct", "without-audit"):
        result = run_gate("rubrics", rubric_tables([trace(variant)], sign_agrees))
        assert result.success


def test_a_near_miss_with_two_changes_fails_the_gate() -> None:
    spoilt = near_miss("7").model_copy(update={"text": "Sleep."})
    result = run_gate("rubric-pairs", {"rubric-pairs": pair_table([(spoilt, judged("7").result)])})
    assert [line.column for line in result.results if not line.success] == ["changes"]


@pytest.mark.parametrize(
    ("answer", "column"),
    [
        (scored(True), "verdicts_missing"),
        (scored(True, False, True), "verdicts_missing"),
        (scored(True, True), "is_another_score"),
        (scored(True, False, overall=float("nan")), "is_another_score"),
        (scored(True, False, overall=None), "is_another_score"),
        (ScoredAnswer(query_id="7", met=None, score=None), "lacks_reason"),
    ],
)
def test_an_answer_that_is_judged_by_half_fails_the_gate(answer: ScoredAnswer, column: str) -> None:
    result = run_gate("rubric-refinements", {"rubric-refinements": refinements(answer)})
    assert [line.column for line in result.results if not line.success] == [column]
