"""Writes and publishes an audit: page, figures, findings, artifact."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from flows.audit_figures import headline_markdown
from flows.audit_page import render_audit
from tasks.adapters.files import write_atomic, write_json
from tasks.contracts.audit import PatientAudit
from tasks.contracts.audit_report import AuditReport
from tasks.contracts.build import GateResult
from tasks.contracts.errors import SettingError

PAGE = "audit.html"
FIGURES = "audit.json"
FINDINGS = "audit_findings.jsonl"

_PRIVATE = 0o600


@dataclass(frozen=True)
class AuditPlaces:
    """Where an audit's files go: page and figures, and the findings, which hold patient text."""

    report: Path
    findings: Path


def audit_places(release: Path, given: Path | None) -> AuditPlaces | None:
    """The folder given, else report/ and cache/ beside a build's release.

    None where there is neither: then nothing is written. Raises SettingError for a file.
    """
    if given is not None:
        _refuse_unusable(given, release)
        return AuditPlaces(given, given / FINDINGS)
    out = release.absolute().parent
    if (out / "report" / "run.json").is_file() and (out / "cache").is_dir():
        return AuditPlaces(out / "report", out / "cache" / FINDINGS)
    return None


def _refuse_unusable(given: Path, release: Path) -> None:
    """Make the folder, before an hour's work is done for nothing."""
    if not given.name and not given.is_absolute():
        raise SettingError("--out: no folder is named; give one")
    if given.resolve().is_relative_to(release.resolve()):
        raise SettingError(
            f"--out: {given} lies in the release, which would hold files that are none of it; "
            "give another folder"
        )
    try:
        given.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SettingError(
            f"--out: {given} can't be made ({error.strerror}); give another folder"
        ) from None
    for name in (PAGE, FIGURES, FINDINGS):
        if (given / name).is_dir():
            raise SettingError(f"--out: {given / name} is a folder; move it away")
    if not os.access(given, os.W_OK | os.X_OK):
        raise SettingError(f"--out: {given} can't be written; give another folder")


def write_audit(
    places: AuditPlaces,
    report: AuditReport,
    verdict: GateResult,
    audited: Sequence[PatientAudit],
) -> Path:
    """Write page, figures and findings; returns the page.

    Findings name the words that no record supports: their file is the owner's alone.
    """
    page = places.report / PAGE
    write_json(places.report / FIGURES, report)
    write_atomic(page, render_audit(report, verdict).encode())
    lines = [line for patient in audited for line in _findings(patient)]
    found = "".join(f"{line}\n" for line in lines).encode()
    write_atomic(places.findings, found, mode=_PRIVATE)
    return page


def publish_audit(report: AuditReport) -> None:
    """Publish the figures as an artifact of the flow run; ids and counts only."""
    from prefect.artifacts import create_markdown_artifact

    failed = [name for name, passed in report.passed.items() if not passed]
    ending = f"not met: {', '.join(failed)}" if failed else "all bounds met"
    create_markdown_artifact(
        key="audits",
        markdown=headline_markdown(report),
        description=f"Audits of the release: {ending}",
    )


def _findings(patient: PatientAudit) -> list[str]:
    turns = [turn.model_dump_json() for turn in patient.turns if turn.unsupported]
    asked = [one.model_dump_json() for one in patient.questions if one.has_fault]
    return [*turns, *asked]
