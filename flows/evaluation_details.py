"""The other tables of an evaluation: errors, retrieval, judge, cost, comparisons, published."""

from __future__ import annotations

from collections.abc import Sequence

from flows.evaluation_cells import FigureTable, dollars, interval, percent, probability
from flows.page_parts import Cell
from flows.published_results import FULL_CONTEXT, MEMORY
from tasks.contracts.evaluation import Comparison, ErrorKind, SystemScores
from tasks.scoring.columns import RECIPES


def abstention_table(systems: Sequence[SystemScores]) -> FigureTable:
    """Both kinds of errors of abstaining, by recipe."""
    rows = [
        (
            one.system,
            recipe,
            wrongly,
            one.overall.f1[recipe].n,
            answered,
            one.overall.abstention[recipe].n,
        )
        for one in systems
        for recipe, (wrongly, answered) in one.abstention_counts.items()
    ]
    head = (
        "system",
        "recipe",
        "abstains though answerable",
        "of answerable",
        "answers though adversarial",
        "of adversarial",
    )
    return FigureTable("evaluation-abstention", "Errors of abstaining", head, tuple(rows))


def error_table(systems: Sequence[SystemScores]) -> FigureTable:
    """Wrong answers to answerable questions by kind."""
    kinds: list[ErrorKind] = list(dict.fromkeys(kind for one in systems for kind in one.errors))
    rows: list[tuple[Cell, ...]] = [
        (one.system, sum(one.errors.values()), *(one.errors.get(kind, 0) for kind in kinds))
        for one in systems
    ]
    names = (kind.replace("_", " ") for kind in kinds)
    return FigureTable(
        "evaluation-errors", "Kinds of wrong answers", ("system", "wrong", *names), tuple(rows)
    )


def recall_table(systems: Sequence[SystemScores]) -> FigureTable:
    """Share of the cited evidence among a retriever's k best."""
    rows = [
        (one.system, what, k, percent(found), interval(found), found.n)
        for one in systems
        for what, recalls in (("admissions", one.recall_admissions), ("turns", one.recall_turns))
        for k, found in recalls.items()
        if found.n
    ]
    head = ("system", "evidence", "k", "recall", "95 %", "n")
    return FigureTable("evaluation-recall", "Evidence found by retrieval", head, tuple(rows))


def judge_table(systems: Sequence[SystemScores]) -> FigureTable:
    """How far repeated verdicts on one answer agree, and the recipes beside the judge."""
    rows = [
        (
            one.system,
            one.judge,
            percent(one.judge_agreement),
            one.judge_agreement.n,
            *(one.recipes.get(recipe, "not stated") for recipe in RECIPES),
        )
        for one in systems
    ]
    head = ("system", "judge", "agreement", "n", *(f"recipe {recipe}" for recipe in RECIPES))
    return FigureTable(
        "evaluation-judge",
        "The judge and the recipes",
        head,
        tuple(rows),
        "Share of an answer's verdicts that agree with their majority; n/a where each was judged "
        "once. By version of the recipe; systems scored by two versions are not compared",
    )


def cost_table(systems: Sequence[SystemScores]) -> FigureTable:
    """What the answers and memories of every system took."""
    rows = [
        (one.system, one.requests, one.input_tokens, one.output_tokens, dollars(one.usd))
        for one in systems
    ]
    head = ("system", "replies", "prompt tokens", "reply tokens", "US dollars")
    return FigureTable(
        "evaluation-cost", "Cost", head, tuple(rows), "Answers and memories, without the judge"
    )


def comparison_table(comparisons: Sequence[Comparison]) -> FigureTable:
    """Every pair of systems on the questions both were scored on."""
    rows = [
        (
            one.first,
            one.second,
            one.judge,
            one.recipe,
            percent(one.difference),
            interval(one.difference),
            one.difference.n,
            one.difference.patients,
            probability(one.p_value),
            probability(one.p_adjusted),
        )
        for one in comparisons
    ]
    head = (
        "first", "second", "judge", "recipe", "difference", "95 %", "n", "patients", "p", "p, Holm",
    )  # fmt: skip
    return FigureTable(
        "evaluation-comparisons",
        "Systems compared",
        head,
        tuple(rows),
        "Score of the first minus that of the second, in percentage points; paired permutation "
        "test over patients, two-sided, corrected for all pairs",
    )


def published_table() -> FigureTable:
    """What was published with the whole conversation in the prompt."""
    rows = [
        (one.system, "published", one.f1, one.judge, one.abstention, one.score)
        for one in FULL_CONTEXT
    ]
    return FigureTable(
        "evaluation-published",
        "Published results, full context",
        ("system", "source", "F1", "J", "Acc", "Score"),
        tuple(rows),
        "On MedLoCoMo's own data, with its own judge: not comparable digit by digit",
    )


def published_memory_table() -> FigureTable:
    """What was published for memories and retrieval."""
    rows = [
        (f"Gemma3-27B/{one.strategy}", "published", one.score, one.single_admission,
         one.cross_admission)
        for one in MEMORY
    ]  # fmt: skip
    return FigureTable(
        "evaluation-published-memory",
        "Published results, memories and retrieval",
        ("system", "source", "Score", "single admission", "across admissions"),
        tuple(rows),
        "On MedLoCoMo's own data, with its own judge: not comparable digit by digit",
    )
