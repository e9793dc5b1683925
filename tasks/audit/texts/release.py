"""The audits that compare texts across the whole release, in one reading."""

from __future__ import annotations

from collections.abc import Iterable

from tasks.audit.texts.duplicates import DuplicatesAudit
from tasks.audit.texts.masking import Vocabulary
from tasks.audit.texts.variety import VarietyAudit
from tasks.audit.texts.wording import WordingAudit
from tasks.contracts.audit import AuditPatient
from tasks.contracts.audit_report import AuditTexts


def audit_texts(patients: Iterable[AuditPatient]) -> AuditTexts:
    """Wording, variety and duplicates; reads each patient once."""
    vocabulary = Vocabulary()
    wording = WordingAudit(vocabulary)
    variety = VarietyAudit(vocabulary)
    duplicates = DuplicatesAudit(vocabulary)
    for patient in patients:
        for audit in (wording, variety, duplicates):
            audit.add(patient)
    return AuditTexts(
        wording=wording.figures(),
        variety=variety.figures(),
        duplicates=duplicates.figures(),
    )
