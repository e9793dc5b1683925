"""Tables of an evaluation of rubrics, as in the paper, beside its published figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from flows.evaluation_cells import FigureTable, probability
from flows.page_parts import Cell
from flows.rubric_answer_tables import (
    agreement_table,
    discrimination_table,
    refinement_axis_table,
    refinement_table,
)
from flows.rubric_cells import bounds, percent, three
from flows.rubric_published import (
    ABLATIONS,
    COVERAGE,
)
from flows.rubric_tables import cost_table, reading_table
from tasks.contracts.base import Contract
from tasks.contracts.rubric_measures import (
    AblationRow,
    ComponentCost,
    CoverageScores,
    DiscriminationScores,
    JudgeAgreement,
    RefinementScores,
    Share,
)
from tasks.contracts.rubrics import AXES, ReadingCount


class RubricFigures(Contract):
    """All that a report of an evaluation shows, and ``measures.json`` holds; no patient text."""

    data_class: str
    """Who may see the data."""
    provider: str
    """Who played the roles: programmatic or openai."""
    coverage: tuple[CoverageScores, ...] = ()
    discrimination: tuple[DiscriminationScores, ...] = ()
    agreement: tuple[JudgeAgreement, ...] = ()
    refinement: tuple[RefinementScores, ...] = ()
    ablations: tuple[AblationRow, ...] = ()
    costs: tuple[ComponentCost, ...] = ()
    reading: tuple[ReadingCount, ...] = ()


def all_tables(figures: RubricFigures) -> list[FigureTable]:
    """Every table in the order of the report; those of what was not measured are left out."""
    tables: list[FigureTable] = []
    if figures.coverage:
        tables += [coverage_table(figures.coverage), axis_table(figures.coverage)]
    if figures.discrimination:
        tables += [
            discrimination_table(figures.discrimination),
            agreement_table(figures.agreement),
        ]
    if figures.refinement:
        tables += [
            refinement_table(figures.refinement),
            refinement_axis_table(figures.refinement),
        ]
    if figures.ablations:
        tables.append(ablation_table(figures.ablations))
    return [*tables, cost_table(figures.costs), reading_table(figures.reading)]


def coverage_table(scores: Sequence[CoverageScores]) -> FigureTable:
    """CIA, precision and F1, ours and published."""
    rows: list[tuple[Cell, ...]] = []
    for one in scores:
        test = one.mcnemar
        rows.append(
            (
                one.name,
                "ours",
                percent(one.recall.value),
                bounds(one.recall),
                one.recall.n,
                percent(one.precision.value),
                one.precision.n,
                percent(one.f1),
                one.errors,
                f"{probability(test.p_value)} against {test.baseline}" if test else "",
            )
        )
    rows += [
        (one.method, "published", one.cia_healthbench, "", None, one.precision, None, one.f1, None,
         f"LLMEval-Med: CIA {one.cia_llmeval_med:.2f}")
        for one in COVERAGE
    ]  # fmt: skip
    return FigureTable(
        "rubrics-coverage",
        "Coverage of the gold rubrics",
        ("rubrics", "source", "CIA", "95 %", "constraints", "precision", "atoms", "F1", "errors",
         "McNemar p"),
        tuple(rows),
        "CIA: share of gold constraints that the whole rubric entails, with Wilson's interval; "
        "McNemar's exact test on the paired constraints. Published: HealthBench",
    )  # fmt: skip


def axis_table(scores: Sequence[CoverageScores]) -> FigureTable:
    """CIA by the axis of the gold criterion."""
    rows = [
        (one.name, *(cell for axis in AXES for cell in _shared(one.by_axis[axis])))
        for one in scores
    ]
    head = [part for axis in AXES for part in (axis.replace("_", " "), "n")]
    return FigureTable("rubrics-axes", "Coverage by axis", ("rubrics", *head), tuple(rows))


def ablation_table(found: Sequence[AblationRow]) -> FigureTable:
    """Ablations minus the whole pipeline, on one subset."""
    rows: list[tuple[Cell, ...]] = [
        (one.name, "ours", one.queries, percent(one.cia), percent(one.win_rate),
         three(one.mean_delta))
        for one in found
    ]  # fmt: skip
    rows += [
        (one.ablation, "published, HealthBench", None, one.healthbench, None, None)
        for one in ABLATIONS
    ]
    rows += [
        (one.ablation, "published, LLMEval-Med", None, one.llmeval_med, None, None)
        for one in ABLATIONS
    ]
    return FigureTable(
        "rubrics-ablations",
        "Ablations",
        ("variant", "source", "queries", "CIA", "win", "mean delta"),
        tuple(rows),
        "Difference to the whole pipeline on the queries of both; CIA and win in percentage points",
    )


def _shared(found: Share) -> Iterator[Cell]:
    yield percent(found.value)
    yield found.n
