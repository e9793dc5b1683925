"""What audits find in a small sound release, and what they find where something is wrong."""

from __future__ import annotations

from typing import Any

import polars as pl

from tasks.audit.report import audit_report
from tasks.contracts.audit import (
    AuditDuplicates,
    AuditVariety,
    AuditWording,
    FormVariety,
    LengthCount,
    PatientAudit,
    QuestionAudit,
    Separability,
    ShareOf,
    TermCount,
    TurnAudit,
)
from tasks.contracts.audit_report import AuditReport, AuditSizes, AuditTexts
from tasks.contracts.build import GateResult
from tasks.contracts.questions import QuestionType
from tasks.gates.suites import expected_results
from tasks.gates.tables.audits import audit_tables


def turn_audit(number: int = 1, **given: Any) -> TurnAudit:
    """A turn with two supported claims."""
    fields: dict[str, Any] = {
        "hadm_id": "88001001",
        "turn_number": number,
        "claims": {"number": 1, "drug": 1},
        "unsupported": (),
        **given,
    }
    return TurnAudit(**fields)


def question_audit(number: int = 1, **given: Any) -> QuestionAudit:
    """A supported question that cites two turns."""
    fields: dict[str, Any] = {
        "qa_id": f"99000001_88001001_q{number:02d}",
        "scope": "single_admission",
        "question_type": QuestionType.MEDICAL_REASONING,
        "cited_turns": 2,
        "supported": True,
        **given,
    }
    return QuestionAudit(**fields)


def adversarial_audit(number: int = 9, **given: Any) -> QuestionAudit:
    """An adversarial question whose target is nowhere."""
    return question_audit(number, question_type=QuestionType.ADVERSARIAL, supported=None, **given)


def patient_audit(**given: Any) -> PatientAudit:
    """A patient with two turns and three questions, all sound."""
    fields: dict[str, Any] = {
        "subject_id": "99000001",
        "turns": (turn_audit(1), turn_audit(2)),
        "questions": (question_audit(1), question_audit(2), adversarial_audit()),
        **given,
    }
    return PatientAudit(**fields)


def second_patient() -> PatientAudit:
    """A patient of whom only one adversarial question is known."""
    return patient_audit(subject_id="99000002", turns=(), questions=(adversarial_audit(8),))


def share(count: int, n: int) -> ShareOf:
    return ShareOf(count=count, n=n, share=round(count / n, 4) if n else None)


def separability(**given: Any) -> Separability:
    """A scope whose wording betrays nothing."""
    fields: dict[str, Any] = {
        "patients": 20,
        "adversarial": 60,
        "answerable": 120,
        "folds": 5,
        "auroc": 0.52,
        "lower": 0.46,
        "upper": 0.58,
        "by": "as it stands/logistic regression",
        "readings": {"as it stands/logistic regression": 0.52},
        **given,
    }
    return Separability(**fields)


def forms(**given: Any) -> FormVariety:
    """Many forms, none of them frequent."""
    fields: dict[str, Any] = {"n": 200, "distinct": 190, "largest": 4, "share": 0.02}
    return FormVariety(**{**fields, "allowed": 10, **given})


def wording(**given: Any) -> AuditWording:
    """Wording that betrays nothing, with a row in each table."""
    term = TermCount(term="what", adversarial=30, answerable=60, patients=20, weight=0.1)
    fields: dict[str, Any] = {
        "overall": separability(),
        "scopes": {
            "single_admission": separability(),
            "cross_admission": separability(auroc=0.5, lower=0.42, upper=0.58),
        },
        "first_words": (term,),
        "lengths": (LengthCount(words=12, adversarial=30, answerable=60),),
        "telling_terms": (term,),
        "always_abstain": {"overall": share(60, 180)},
        "guesser": {"overall": share(70, 180)},
        **given,
    }
    return AuditWording(**fields)


def variety(**given: Any) -> AuditVariety:
    """Varied questions and turns."""
    fields: dict[str, Any] = {
        "questions": {QuestionType.MEDICAL_REASONING: forms()},
        "turn_texts": forms(n=5000, largest=9, share=0.0018, allowed=25),
        "turn_forms": forms(n=5000, largest=12, share=0.0024, allowed=25),
        "recurring": share(500, 5000),
        "repeated_in_session": share(0, 5000),
        "repeated_items": (),
        "copied": share(2, 5000),
        "longest_copy": 14,
        "copied_items": ("88001001:3",),
        **given,
    }
    return AuditVariety(**fields)


def duplicates(**given: Any) -> AuditDuplicates:
    """Nothing twice."""
    fields: dict[str, Any] = {
        "within_patients": share(0, 180),
        "within_items": (),
        "across_patients": share(4, 180),
        "across_items": (("99000001_cross_q01", "99000002_cross_q04"),),
        "sessions": share(0, 40),
        "session_items": (),
        **given,
    }
    return AuditDuplicates(**fields)


def texts(**given: Any) -> AuditTexts:
    """The audits across a release."""
    return AuditTexts(
        **{"wording": wording(), "variety": variety(), "duplicates": duplicates(), **given}
    )


def tables(*patients: PatientAudit, **given: Any) -> dict[str, pl.DataFrame]:
    """The audits gate's tables; two sound patients unless others are given."""
    audited = patients or (patient_audit(), second_patient())
    found = texts(**given)
    return audit_tables(
        audited,
        {one.subject_id: len(one.turns) for one in audited},
        found.wording,
        found.variety,
        found.duplicates,
    )


def passed_verdict() -> GateResult:
    """A verdict that finds every bound met."""
    return GateResult(stage="audits", success=True, rows=14, results=expected_results("audits"))


def sound_report(verdict: GateResult | None = None) -> AuditReport:
    """The report of a small release."""
    sizes = AuditSizes(sessions=1, turns={"99000001": 2}, questions=3)
    return audit_report([patient_audit()], texts(), sizes, verdict or passed_verdict())
