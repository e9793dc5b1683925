from __future__ import annotations

import pytest

from flows.rubric_answer_tables import refinement_table
from flows.rubric_figures import axis_table
from flows.rubric_plots import axis_plot
from flows.table_artifacts import artifact_rows
from tasks.contracts.rubric_measures import (
    Interval,
    MeanScore,
    PairResult,
    RefinementScores,
    RunValues,
)
from tasks.contracts.rubric_results import (
    Covered,
    QueryCoverage,
    Refinement,
    ScoredAnswer,
)
from tasks.contracts.rubrics import AXES, Criterion
from tasks.rubrics.measures.discriminating import pair_result
from tasks.rubrics.measures.scoring import score_answer
from tasks.rubrics.measures.summaries import ablation_row, coverage_scores, refinement_scores

HELP = Criterion(criterion="says to call for help", axis="accuracy", points=5)
DOSE = Criterion(criterion="gives the dose", axis="completeness", points=5)
HERB = Criterion(criterion="advises an unsafe herb", axis="accuracy", points=-9)


def covered(query_id: str, gold: str, own: str = "", name: str = "full") -> QueryCoverage:
    """Verdicts as letters: y, n, and ? for an unreadable one; the last gold one on another axis."""
    verdicts = {"y": True, "n": False, "?": None}

    def read(letters: str) -> tuple[Covered, ...]:
        last = len(letters) - 1
        return tuple(
            Covered(axis="completeness" if place == last else "accuracy", entailed=verdicts[letter])
            for place, letter in enumerate(letters)
        )

    return QueryCoverage(query_id=query_id, name=name, gold=read(gold), own=read(own))


def test_coverage_by_hand() -> None:
    # Recall 3 of 5 read, precision 1 of 2: F1 = 2 x 0.6 x 0.5 / 1.1
    found = coverage_scores("full", [covered("0", "yyn", "yn"), covered("1", "y?n")])
    assert (found.recall.hits, found.recall.n, found.recall.value) == (3, 5, 0.6)
    assert (found.precision.hits, found.precision.n) == (1, 2)
    assert found.f1 == pytest.approx(6 / 11)
    assert found.errors == 1
    assert found.by_axis["accuracy"].n == 3
    assert (found.by_axis["completeness"].hits, found.by_axis["completeness"].n) == (0, 2)
    assert found.by_axis["instruction_following"].value is None


def test_sets_are_compared_on_constraints_that_both_were_judged_on() -> None:
    these = [covered("0", "yyn"), covered("1", "y?n")]
    others = [covered("0", "nyy"), covered("1", "nyn"), covered("2", "yyy")]
    found = coverage_scores("full", these, ("generic", others)).mcnemar
    assert found is not None
    assert (found.pairs, found.only_this, found.only_baseline) == (5, 2, 1)


def test_coverage_of_nothing_is_null() -> None:
    found = coverage_scores("full", [])
    assert (found.recall.value, found.f1, found.queries) == (None, None, 0)


def scored(query_id: str, *met: bool) -> ScoredAnswer:
    return ScoredAnswer(query_id=query_id, met=met, score=score_answer([HELP, DOSE, HERB], met))


def refined(query_id: str, after: ScoredAnswer | None) -> Refinement:
    return Refinement(
        query_id=query_id, name="full", plan=(), answer="x" if after else None, scored=after
    )


def test_refinement_by_hand() -> None:
    base = {
        "0": scored("0", False, False, True),
        "1": scored("1", True, False, False),
        "2": scored("2", True, True, False),
    }
    found = refinement_scores(
        "full",
        [
            refined("0", scored("0", True, True, False)),
            refined("1", scored("1", True, True, False)),
            refined("2", None),
        ],
        base,
    )
    # Before -0.9 and 0.5: clipped each (0 + 0.5) / 2, mean -0.2 clipped 0. After 1 and 1.
    assert (found.queries, found.errors) == (2, 1)
    assert found.before.clip_each == 0.25
    assert found.before.clip_after_mean == 0.0
    assert found.after.clip_each == 1.0
    assert found.gain.value == 0.75
    # Accuracy before: -9/5 clipped 0, and 5/5; after 1 and 1.
    assert found.before_by_axis["accuracy"].clip_each == 0.5
    assert found.after_by_axis["completeness"].clip_each == 1.0


def pair(query_id: str, delta: float) -> PairResult:
    runs = [
        RunValues(trial=trial, reference_first=first, reference=delta, near_miss=0.0)
        for trial in range(3)
        for first in (True, False)
    ]
    return pair_result(query_id, "full", "j", runs, 0)


def test_an_ablation_is_compared_on_the_queries_of_both() -> None:
    found = ablation_row(
        "without-intent",
        ([covered("0", "yy"), covered("1", "yy")], [covered("0", "yn")]),
        ([pair("0", 4.0), pair("1", 9.0)], [pair("0", -1.0)]),
    )
    assert found.queries == 1
    assert (found.cia, found.win_rate, found.mean_delta) == (-0.5, -1.0, -5.0)


def test_what_was_unreadable_of_one_is_in_no_difference_to_an_ablation() -> None:
    unread = pair_result("1", "full", "j", (), 6)
    found = ablation_row(
        "without-intent",
        ([covered("0", "y?n"), covered("1", "n")], [covered("0", "nyn"), covered("1", "?")]),
        ([pair("0", 4.0), pair("1", 9.0)], [pair("0", 3.0), unread]),
    )
    # Constraints 1 and 3 of query 0: 0 of 2 against 1 of 2; pair 0 alone: 3 against 4.
    assert found.queries == 2
    assert (found.cia, found.win_rate, found.mean_delta) == (-0.5, 0.0, -1.0)


def test_an_ablation_that_was_not_measured_is_null() -> None:
    found = ablation_row("without-intent", ((), ()), ((), ()))
    assert (found.queries, found.cia, found.mean_delta) == (0, None, None)


def test_no_column_of_a_table_is_lost_where_several_have_one_name() -> None:
    table = axis_table([coverage_scores("full", [covered("0", "yyn"), covered("1", "y")])])
    (row,) = artifact_rows(table)
    assert len(row) == 1 + 2 * len(AXES)
    assert (row["n (3)"], row["completeness"], row["n (5)"]) == (2, 50.0, 2)


def test_names_in_plots_are_no_formulas() -> None:
    shown = axis_plot([coverage_scores(r"a$\foo$", [covered("0", "yyn")])])
    assert r">a$\foo$</text>" in shown


def test_the_table_of_refinement_says_how_many_answers_have_a_score() -> None:
    none = MeanScore(n=0, raw=None, clip_after_mean=None, clip_each=None)
    one = MeanScore(n=1, raw=0.5, clip_after_mean=0.5, clip_each=0.5)
    found = RefinementScores(
        name="a",
        queries=2,
        errors=0,
        before=one,
        after=one,
        gain=Interval(value=0.0, n=1, lower=0.0, upper=0.0),
        before_by_axis=dict.fromkeys(AXES, none),
        after_by_axis=dict.fromkeys(AXES, none),
    )
    table = refinement_table([found])
    rows = [dict(zip(table.head, row, strict=True)) for row in table.rows]
    assert [(row["answers"], row["scored"]) for row in rows] == [(2, 1), (None, None)]
    assert rows[1]["gain"] == 9.2
