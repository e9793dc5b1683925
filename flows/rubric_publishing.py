"""Writes what a flow of rubrics found: tables as page, Markdown, CSV and artifacts."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

from flows.evaluation_cells import FigureTable, markdown_lines
from flows.page_parts import page, table
from flows.rubric_costs import component_costs
from flows.rubric_files import (
    RUBRICS,
    TRACES,
    RubricManifest,
    manifest_file,
    remove_other_rubrics,
    rubrics_file,
    write_manifest,
    write_rubrics,
    write_traces,
)
from flows.rubric_run import GenerationRun
from flows.rubric_tables import generation_table, query_cost_table, reading_table
from flows.table_artifacts import publish_table
from tasks.adapters.files import write_atomic
from tasks.adapters.recipe import domain_recipe
from tasks.contracts.rubric_trace import Trace
from tasks.contracts.rubrics import Role, Variant
from tasks.gates.tables.rubrics import rubric_tables
from tasks.rubrics.pipeline.wording_rules import sign_agrees

PAGE = "report.html"
MARKDOWN = "report.md"


def publish_rubrics(run: GenerationRun, traces: Mapping[Variant, Sequence[Trace]]) -> None:
    """Write traces, pass the gate, and only then publish rubrics and report."""
    out = Path(run.workspace.out)
    for variant, found in traces.items():
        write_traces(run.workspace.cache / TRACES, variant, found)
    run.gate(
        "rubrics",
        rubric_tables((one for found in traces.values() for one in found), sign_agrees),
    )
    with run.stage("report"):
        first = next(iter(traces))
        write_rubrics(out / RUBRICS, traces[first])
        for variant, found in traces.items() if len(traces) > 1 else ():
            write_rubrics(out / rubrics_file(variant), found)
        costs = component_costs(
            (output.role, output.cost)
            for output in (one for trace in traces[first] for one in trace.outputs)
        )
        about = (
            f"{len(traces[first])} queries; data: {run.data_class}; provider: "
            f"{run.settings.provider}. Rubrics of the provider programmatic are made by rules, not "
            "by a language model."
        )
        tables = (
            generation_table(traces),
            query_cost_table(costs),
            reading_table(run.reading),
        )
        publish_tables(out, "Generated rubrics", about, tables)
        manifest = _manifest(run, traces)
        write_manifest(out, manifest)
        remove_other_rubrics(out, manifest.files)
        run.count("report", "computed", len(traces))


def _manifest(run: GenerationRun, traces: Mapping[Variant, Sequence[Trace]]) -> RubricManifest:
    out = Path(run.workspace.out)
    generators: dict[Role, str] = {
        output.role: output.generator
        for found in traces.values()
        for one in found
        for output in one.outputs
    }
    names = [RUBRICS, *(rubrics_file(one) for one in traces if len(traces) > 1)]
    return RubricManifest(
        generator=run.settings.provider,
        generators=generators,
        data_class=run.data_class,
        recipe=domain_recipe("rubrics"),
        rubrics={variant: len(found) for variant, found in traces.items()},
        files={name: manifest_file(out / name) for name in names},
    )


def publish_tables(
    out: Path,
    title: str,
    about: str,
    tables: Sequence[FigureTable],
    plots: Mapping[str, str] | None = None,
) -> None:
    """Write the page, the same as Markdown and as CSV files, and publish the tables.

    Tables of an earlier run are taken away: this run may have measured less.
    """
    for old in (out / "tables").glob("rubrics-*.csv"):
        old.unlink()
    sections = [f"<h1>{escape(title)}</h1><p>{escape(about)}</p>"]
    lines = [f"# {title}", "", about, ""]
    for one in tables:
        shown = table(one.head, one.rows, caption=one.caption) + (plots or {}).get(one.key, "")
        sections.append(f"<h2>{escape(one.title)}</h2>{shown}")
        lines += [f"## {one.title}", "", *(markdown_lines(one) if one.rows else ["None."]), ""]
        lines += [one.caption, ""] if one.caption else []
        write_atomic(out / "tables" / f"{one.key}.csv", _csv(one).encode())
    write_atomic(out / PAGE, page(title, sections).encode())
    write_atomic(out / MARKDOWN, "\n".join(lines).encode())
    for one in tables:
        publish_table(one)


def _csv(one: FigureTable) -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(one.head)
    writer.writerows([["" if cell is None else cell for cell in row] for row in one.rows])
    return stream.getvalue()
