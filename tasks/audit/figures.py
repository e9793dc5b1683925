"""Adds up what was found in turns and questions into a release's figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import get_args

from tasks.audit.shares import rounded, share_of
from tasks.contracts.audit import ClaimKind, PatientAudit, QuestionAudit, ShareOf
from tasks.contracts.audit_report import (
    AuditAnswerability,
    AuditGrounding,
    AuditSupport,
    ClaimFigures,
    SupportFigures,
)
from tasks.contracts.questions import QuestionType, Scope


def counted(flags: Iterable[bool]) -> ShareOf:
    """How many of some items something is true of."""
    given = list(flags)
    return share_of(sum(given), len(given))


def grounding_figures(patients: Sequence[PatientAudit], turns: int) -> AuditGrounding:
    """Claims by kind; ``turns`` is how many the release has, with a record or without."""
    claims: Counter[ClaimKind] = Counter()
    unsupported: Counter[ClaimKind] = Counter()
    audited = [turn for patient in patients for turn in patient.turns]
    for turn in audited:
        claims.update(turn.claims)
        unsupported.update(claim.kind for claim in turn.unsupported)
    kinds: tuple[ClaimKind, ...] = get_args(ClaimKind)
    return AuditGrounding(
        turns=share_of(len(audited), turns),
        unsupported_turns=counted(bool(turn.unsupported) for turn in audited),
        claims=tuple(
            ClaimFigures(kind=kind, claims=claims[kind], unsupported=unsupported[kind])
            for kind in kinds
        ),
    )


def support_figures(patients: Sequence[PatientAudit]) -> AuditSupport:
    """Support of the answerable questions, overall and by scope and type."""
    asked = [one for one in _questions(patients) if one.supported is not None]
    found: set[tuple[Scope, QuestionType]] = {(one.scope, one.question_type) for one in asked}
    return AuditSupport(
        overall=counted(bool(one.supported) for one in asked),
        mean_cited_turns=_mean(asked),
        types=tuple(
            _type_figures([one for one in asked if (one.scope, one.question_type) == key])
            for key in sorted(found, key=_order)
        ),
    )


def answerability_figures(patients: Sequence[PatientAudit]) -> AuditAnswerability:
    """Adversarial questions that have an answer after all, overall and by scope."""
    asked = [one for one in _questions(patients) if one.supported is None]
    scopes: tuple[Scope, ...] = get_args(Scope)
    return AuditAnswerability(
        answered=counted(bool(one.answered) for one in asked),
        by_scope={
            scope: counted(bool(one.answered) for one in asked if one.scope == scope)
            for scope in scopes
        },
    )


def _type_figures(asked: Sequence[QuestionAudit]) -> SupportFigures:
    return SupportFigures(
        scope=asked[0].scope,
        question_type=asked[0].question_type,
        supported=counted(bool(one.supported) for one in asked),
        minimal=counted(not one.dispensable_turns for one in asked if one.cited_turns),
        mean_cited_turns=_mean(asked),
        contradicted=sum(bool(one.contradicting_turns) for one in asked),
        whole_dialogue=sum(one.whole_dialogue for one in asked),
        missing_turns=sum(one.missing_turns for one in asked),
    )


def _questions(patients: Sequence[PatientAudit]) -> list[QuestionAudit]:
    return [question for patient in patients for question in patient.questions]


def _order(key: tuple[Scope, QuestionType]) -> tuple[int, int]:
    scopes: tuple[Scope, ...] = get_args(Scope)
    return scopes.index(key[0]), list(QuestionType).index(key[1])


def _mean(asked: Sequence[QuestionAudit]) -> float | None:
    cited = [one.cited_turns for one in asked if one.cited_turns]
    return rounded(sum(cited) / len(cited)) if cited else None
