"""The report of a pre-consultation: one self-contained HTML page, and the same as Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from flows.evaluation_cells import FigureTable, markdown_lines
from flows.page_parts import page, table
from flows.preconsult_files import by_doctor
from tasks.contracts.preconsultation import ScoreLine

_ABOUT = (
    "Scores are of facts that match a guideline: a high one counts 2 in the weighted score; a "
    "guideline matched again counts 0.5 in penalty and 1.5 in reward. Coverage is the share of "
    "distinct guidelines. More stands in docs/preconsultation.md."
)


def render_report(lines: Sequence[ScoreLine], tables: Sequence[FigureTable]) -> str:
    """The page: tables and plots, without script or address."""
    # matplotlib takes half a second to import.
    from flows.preconsult_plots import turns_plot

    sections = [f"<h1>Pre-consultation</h1><p>{escape(_ABOUT)}</p>"]
    sections.append(turns_plot(by_doctor(lines)))
    for one in tables:
        shown = table(one.head, one.rows, caption=one.caption)
        sections.append(f'<h2>{escape(one.title)}</h2><div class="wide">{shown}</div>')
    return page("Anamnesis pre-consultation", sections)


def report_markdown(tables: Sequence[FigureTable]) -> str:
    """The same tables as Markdown."""
    parts = ["# Pre-consultation", "", _ABOUT, ""]
    for one in tables:
        shown = [*markdown_lines(one), "", one.caption] if one.rows else ["None."]
        parts += [f"## {one.title}", "", *shown, ""]
    return "\n".join(parts)
