"""Joins what was found in patients and texts into a release's audit report."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from tasks.audit.figures import answerability_figures, grounding_figures, support_figures
from tasks.contracts.audit import AuditName, PatientAudit
from tasks.contracts.audit_report import AuditReport, AuditSizes, AuditTexts
from tasks.contracts.build import GateResult


def audit_report(
    patients: Sequence[PatientAudit], texts: AuditTexts, sizes: AuditSizes, verdict: GateResult
) -> AuditReport:
    """The report; an audit has passed where every expectation of its tables is met."""
    names: tuple[AuditName, ...] = get_args(AuditName)
    turns = sum(sizes.turns.values())
    return AuditReport(
        patients=len(patients),
        sessions=sizes.sessions,
        turns=turns,
        questions=sizes.questions,
        passed={name: _passed(name, verdict) for name in names},
        grounding=grounding_figures(patients, turns),
        support=support_figures(patients),
        answerability=answerability_figures(patients),
        wording=texts.wording,
        variety=texts.variety,
        duplicates=texts.duplicates,
    )


def _passed(name: AuditName, verdict: GateResult) -> bool:
    return all(line.success for line in verdict.results if line.table.startswith(f"audits_{name}"))
