"""Reports of a run: files in ``report/`` and Prefect artifacts; ids and counts only."""

from __future__ import annotations

from pathlib import Path

from prefect.artifacts import create_markdown_artifact, create_table_artifact
from pydantic import ValidationError

from flows.report_page import OUTCOMES, render_page
from flows.report_usage import asked_a_model, usage_markdown
from tasks.adapters.files import read_model, write_atomic, write_json
from tasks.contracts.build import RunReport
from tasks.contracts.statistics import ReleaseStatistics


def write_report(folder: Path, report: RunReport, *, release: Path | None = None) -> Path:
    """Write ``run.json`` and ``index.html`` into ``report/``; returns the page.

    ``release`` is a finished release whose statistics the page shows.
    """
    write_json(folder / "run.json", report)
    page = folder / "index.html"
    write_atomic(page, render_page(report, _statistics(release)).encode())
    return page


def publish_report(report: RunReport) -> None:
    """Publish the run report (markdown) and the items left out (table) as artifacts."""
    # The list of a run's artifacts shows descriptions: why it failed stands there too.
    message = " ".join(report.message.split())
    ending = f"{OUTCOMES[report.outcome]}: {message}" if message else "What this run did"
    create_markdown_artifact(
        key="run-report",
        markdown=report_markdown(report),
        description=ending,
    )
    create_table_artifact(
        key="skipped-items",
        table=[item.model_dump(mode="json") for item in report.items],
        description=f"{len(report.items)} patients and admissions left out or failed",
    )


def report_markdown(report: RunReport) -> str:
    """The run report as Markdown."""
    lines = [
        f"# {OUTCOMES[report.outcome]}",
        "",
        *([report.message, ""] if report.message else []),
        "| stage | computed | cached | failed | skipped | seconds |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for name, count in report.stages.items():
        numbers = (count.computed, count.cached, count.failed, count.skipped)
        lines.append(f"| {name} | {' | '.join(map(str, numbers))} | {count.seconds:.1f} |")
    lines += ["", "| gate | verdict | rows |", "|---|---|--:|"]
    for gate in report.gates:
        verdict = "passed" if gate.success else "**failed**"
        lines.append(f"| {gate.stage} | {verdict} | {gate.rows} |")
    if asked_a_model(report.usage):
        lines += usage_markdown(report.usage)
    return "\n".join(lines) + "\n"


def _statistics(release: Path | None) -> ReleaseStatistics | None:
    if release is None:
        return None
    try:
        return read_model(release / "stats.json", ReleaseStatistics)
    except (OSError, ValidationError):
        # The release's own gate judges it; the report of a run shows what there is.
        return None
