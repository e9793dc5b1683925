"""The main tables of an evaluation: systems, groups of questions, and what became of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from flows.evaluation_cells import FigureTable, interval, percent, ranked, told_apart
from flows.evaluation_details import (
    abstention_table,
    comparison_table,
    cost_table,
    error_table,
    judge_table,
    published_memory_table,
    published_table,
    recall_table,
)
from tasks.contracts.evaluation import Comparison, Estimated, GroupScores, SystemScores

INVALID = "INVALID"


def all_tables(
    systems: Sequence[SystemScores], comparisons: Sequence[Comparison]
) -> tuple[FigureTable, ...]:
    """Every table of the report in its order, the main one first."""
    order = ranked(systems)
    named = told_apart(order)
    return (
        system_table(order),
        interval_table(named),
        macro_table(named),
        counts_table(named),
        group_table("scope", "By scope", named, lambda one: _named(one.by_scope)),
        group_table("type", "By question type", named, lambda one: _named(one.by_type)),
        group_table("position", "By position of the evidence", named, lambda one: one.by_position),
        group_table("span", "By distance of the cited admissions", named, lambda one: one.by_span),
        group_table("length", "By length of the timeline", named, lambda one: one.by_length),
        abstention_table(named),
        error_table(named),
        recall_table(named),
        judge_table(order),
        cost_table(named),
        comparison_table(comparisons),
        published_table(),
        published_memory_table(),
    )


def system_table(systems: Sequence[SystemScores]) -> FigureTable:
    """The main table: a row a system, best first."""
    head = (
        "system", "judge", "run", "F1", "F1 clinical", "n F1", "J", "n J", "Acc", "n Acc", "Score",
        "95 %", "n Score",
    )  # fmt: skip
    rows = [
        (
            one.system,
            one.judge,
            "valid" if one.valid else INVALID,
            percent(one.overall.f1["medlocomo"]),
            percent(one.overall.f1["clinical"]),
            one.overall.f1["medlocomo"].n,
            percent(one.overall.judge),
            one.overall.judge.n,
            percent(one.overall.abstention["medlocomo"]),
            one.overall.abstention["medlocomo"].n,
            percent(one.overall.score["medlocomo"]),
            interval(one.overall.score["medlocomo"]),
            one.overall.score["medlocomo"].n,
        )
        for one in ranked(systems)
    ]
    return FigureTable(
        "evaluation-systems",
        "Systems",
        head,
        tuple(rows),
        "In percent. F1: token overlap over answerable questions; J: judged right, of those with a "
        "verdict; Acc: abstains, over adversarial questions; Score: J and Acc by their numbers of "
        "questions. Intervals are over resampled patients.",
    )


def interval_table(systems: Sequence[SystemScores]) -> FigureTable:
    """Intervals of the main figures, and the clinical recipe's Acc and Score."""
    head = (
        "system", "F1 95 %", "F1 clinical 95 %", "J 95 %", "Acc 95 %", "Acc clinical", "n Acc",
        "Acc clinical 95 %", "Score clinical", "n Score", "Score clinical 95 %",
    )  # fmt: skip
    rows = [
        (
            one.system,
            interval(one.overall.f1["medlocomo"]),
            interval(one.overall.f1["clinical"]),
            interval(one.overall.judge),
            interval(one.overall.abstention["medlocomo"]),
            percent(one.overall.abstention["clinical"]),
            one.overall.abstention["clinical"].n,
            interval(one.overall.abstention["clinical"]),
            percent(one.overall.score["clinical"]),
            one.overall.score["clinical"].n,
            interval(one.overall.score["clinical"]),
        )
        for one in systems
    ]
    return FigureTable(
        "evaluation-intervals", "Intervals and the clinical recipe", head, tuple(rows)
    )


def macro_table(systems: Sequence[SystemScores]) -> FigureTable:
    """Means in which every patient weighs the same."""
    rows = [
        (
            one.system,
            *_mean_of_patients(one.macro.f1["medlocomo"]),
            *_mean_of_patients(one.macro.judge),
            *_mean_of_patients(one.macro.abstention["medlocomo"]),
            *_mean_of_patients(one.macro.score["medlocomo"]),
            interval(one.macro.score["medlocomo"]),
        )
        for one in systems
    ]
    head = (
        "system", "F1", "n F1", "patients F1", "J", "n J", "patients J", "Acc", "n Acc",
        "patients Acc", "Score", "n Score", "patients Score", "95 %",
    )  # fmt: skip
    return FigureTable(
        "evaluation-macro",
        "Every patient alike",
        head,
        tuple(rows),
        "Means over patients' means. n: the questions they are made of; patients: how many means",
    )


def counts_table(systems: Sequence[SystemScores]) -> FigureTable:
    """What became of the questions."""
    rows = [
        (
            one.system,
            one.counts.questions,
            one.counts.answered,
            one.counts.missing,
            one.counts.failed,
            one.counts.judge_errors,
            one.counts.truncated,
        )
        for one in systems
    ]
    head = ("system", "questions", "answered", "missing", "failed", "judge errors", "truncated")
    return FigureTable(
        "evaluation-counts",
        "What became of the questions",
        head,
        tuple(rows),
        "missing: asked twice without an answer, counts 0. failed: no usable reply, in no mean. "
        "judge errors: no readable verdict, in F1 but not in J and Score. truncated: turns had to "
        "be left out.",
    )


def group_table(
    key: str,
    title: str,
    systems: Sequence[SystemScores],
    groups: Callable[[SystemScores], Mapping[str, GroupScores]],
) -> FigureTable:
    """F1, J, Acc and Score of every system and group."""
    rows = [
        (
            one.system,
            str(name),
            percent(group.f1["medlocomo"]),
            group.f1["medlocomo"].n,
            percent(group.judge),
            group.judge.n,
            percent(group.abstention["medlocomo"]),
            group.abstention["medlocomo"].n,
            percent(group.score["medlocomo"]),
            interval(group.score["medlocomo"]),
            group.score["medlocomo"].n,
        )
        for one in systems
        for name, group in groups(one).items()
    ]
    head = (
        "system", key, "F1", "n F1", "J", "n J", "Acc", "n Acc", "Score", "95 %", "n Score",
    )  # fmt: skip
    return FigureTable(f"evaluation-{key}", title, head, tuple(rows))


def _mean_of_patients(found: Estimated) -> tuple[float | None, int, int]:
    return percent(found), found.n, found.patients


def _named(groups: Mapping[Any, GroupScores]) -> dict[str, GroupScores]:
    return {str(name): group for name, group in groups.items()}
