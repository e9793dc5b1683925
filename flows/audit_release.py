"""Audits any release in the MedLoCoMo layout; needs neither Prefect nor the source data."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tasks.audit.grounding.terms import build_terms
from tasks.audit.reading import patient_folders, read_patient
from tasks.audit.report import audit_report
from tasks.audit.texts.release import audit_texts
from tasks.audit.within import audit_patient
from tasks.contracts.audit import AuditPatient, PatientAudit
from tasks.contracts.audit_report import AuditReport, AuditSizes
from tasks.contracts.build import GateResult
from tasks.contracts.records import AdmissionBundle
from tasks.gates.suites import run_gate
from tasks.gates.tables.audits import audit_tables

Tell = Callable[[str, int, int], None]
"""Told of progress: what is done, how many patients of how many."""


@dataclass(frozen=True)
class Audited:
    """A release's figures, the verdict on every bound, and what was found where."""

    report: AuditReport
    verdict: GateResult
    patients: tuple[PatientAudit, ...]


def audit_release(release: Path, tell: Tell) -> Audited:
    """Audit a release's files, one patient at a time.

    Raises ReleaseError naming the file that can't be read.
    """
    folders = patient_folders(release)
    terms = build_terms(_bundles(folders, tell))
    turns: dict[str, int] = {}
    sessions: list[int] = []
    audited: list[PatientAudit] = []

    def each() -> Iterator[AuditPatient]:
        """Every patient, audited on the way to the audits that compare them."""
        for done, folder in enumerate(folders, start=1):
            patient = read_patient(folder)
            turns[patient.subject_id] = sum(len(one.lines) for one in patient.sessions)
            sessions.append(len(patient.sessions))
            audited.append(audit_patient(patient, terms))
            yield patient
            tell("audited", done, len(folders))

    texts = audit_texts(each())
    sizes = AuditSizes(
        sessions=sum(sessions), turns=turns, questions=sum(len(one.questions) for one in audited)
    )
    tables = audit_tables(audited, turns, texts.wording, texts.variety, texts.duplicates)
    verdict = run_gate("audits", tables)
    return Audited(audit_report(audited, texts, sizes, verdict), verdict, tuple(audited))


def _bundles(folders: list[Path], tell: Tell) -> Iterator[AdmissionBundle]:
    for done, folder in enumerate(folders, start=1):
        for session in read_patient(folder).sessions:
            if session.bundle is not None:
                yield session.bundle
        tell("read", done, len(folders))
