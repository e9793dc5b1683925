"""The report of an evaluation: one self-contained HTML page, and the same as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from flows.evaluation_cells import FigureTable, markdown_lines, ranked, told_apart
from flows.evaluation_tables import all_tables
from flows.page_parts import page, table
from tasks.contracts.base import Contract
from tasks.contracts.evaluation import Comparison, SystemScores

_TITLE = "Anamnesis evaluation"


class EvaluationFigures(Contract):
    """All that a report of an evaluation shows; no patient text."""

    release: str
    """Digest of the evaluated questions and timelines."""
    data_class: str
    """Who may see the data."""
    patients: int
    questions: int
    systems: tuple[SystemScores, ...]
    comparisons: tuple[Comparison, ...]


def render_evaluation(figures: EvaluationFigures) -> str:
    """The page: tables and plots, without script or address."""
    order = ranked(figures.systems)
    tables = all_tables(order, figures.comparisons)
    plots = _plots(told_apart(order))
    sections = [f"<h1>Evaluation</h1><p>{escape(_about(figures))}</p>{_invalid(order)}"]
    for one in tables:
        shown = table(one.head, one.rows, caption=one.caption)
        wide = f'<div class="wide">{shown}</div>' + plots.get(one.key, "")
        sections.append(f"<h2>{escape(one.title)}</h2>{wide}")
    return page(_TITLE, sections)


def evaluation_markdown(figures: EvaluationFigures) -> str:
    """The same tables as Markdown."""
    order = ranked(figures.systems)
    lines = ["# Evaluation", "", _about(figures), ""]
    bad = [one.system for one in order if not one.valid]
    if bad:
        lines += [f"**Invalid runs, too many errors: {', '.join(bad)}**", ""]
    for one in all_tables(order, figures.comparisons):
        lines += [f"## {one.title}", "", *_markdown(one), ""]
    return "\n".join(lines)


def _markdown(one: FigureTable) -> Iterable[str]:
    if not one.rows:
        return ["None."]
    return [*markdown_lines(one), *(["", one.caption] if one.caption else [])]


def _about(figures: EvaluationFigures) -> str:
    return (
        f"{figures.patients} patients, {figures.questions} questions, {len(figures.systems)} "
        f"systems; data: {figures.data_class}; release {figures.release[:12]}; recipes: "
        f"{_recipes(figures.systems)}. What the figures mean stands in docs/evaluation.md and "
        "docs/scoring.md."
    )


def _recipes(systems: Sequence[SystemScores]) -> str:
    """Every recipe with each version that a system was scored by."""
    named = {f"{recipe} {version}" for one in systems for recipe, version in one.recipes.items()}
    return ", ".join(sorted(named, reverse=True)) or "not stated"


def _invalid(systems: Sequence[SystemScores]) -> str:
    bad = [one.system for one in systems if not one.valid]
    if not bad:
        return ""
    return f'<p class="bad">Invalid runs, too many errors: {escape(", ".join(bad))}</p>'


def _plots(systems: Sequence[SystemScores]) -> dict[str, str]:
    """Plots by the table that they follow."""
    # matplotlib takes half a second to import.
    from flows.evaluation_plots import (
        Groups,
        cost_plot,
        groups_plot,
        radar_plot,
        recall_plot,
        score_plot,
    )

    where: dict[str, Groups] = {
        "position of the evidence": lambda one: one.by_position,
        "distance of the cited admissions": lambda one: one.by_span,
        "length of the timeline": lambda one: one.by_length,
    }
    return {
        "evaluation-systems": score_plot(systems),
        "evaluation-type": radar_plot(systems),
        "evaluation-length": groups_plot(systems, where),
        "evaluation-recall": recall_plot(systems),
        "evaluation-cost": cost_plot(systems),
    }
