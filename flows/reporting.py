"""Reports of a run: files in ``report/`` and Prefect artifacts; ids and counts only."""

from __future__ import annotations

from pathlib import Path

from tasks.contracts.build import GateResult, RunReport


def write_report(folder: Path, report: RunReport, *, release: Path | None = None) -> Path:
    """Write ``run.json`` and ``index.html`` into ``report/``; returns the page.

    ``release`` is a finished release whose statistics the page shows.
    """
    raise NotImplementedError


def publish_gate(result: GateResult) -> None:
    """Publish a gate's verdict as a table artifact ``gate-<stage>`` of the current run."""
    raise NotImplementedError


def publish_report(report: RunReport) -> None:
    """Publish the run report (markdown) and the skipped items (table) as artifacts."""
    raise NotImplementedError
