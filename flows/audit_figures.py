"""The figures of an audit that say most, for the console, the page and the artifact."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tasks.contracts.audit import AuditName, Separability, ShareOf
from tasks.contracts.audit_report import AuditReport


class AuditFigure(NamedTuple):
    """One figure; ``value`` is null where nothing could be judged, ``n`` what it is taken over.

    The verdict is the audit's: it stands beside its first figure and nowhere else.
    """

    audit: AuditName
    verdict: str
    name: str
    value: float | None
    n: int


def headline(report: AuditReport) -> list[AuditFigure]:
    """The main figures of every audit, with its verdict."""
    parts: dict[AuditName, Iterator[tuple[str, float | None, int]]] = {
        "grounding": _grounding(report),
        "support": _support(report),
        "answerability": _answerability(report),
        "wording": _wording(report),
        "variety": _variety(report),
        "duplicates": _duplicates(report),
    }
    return [
        AuditFigure(audit, "" if place else _verdict(report, audit), *figure)
        for audit, figures in parts.items()
        for place, figure in enumerate(figures)
    ]


def _verdict(report: AuditReport, audit: AuditName) -> str:
    return "passed" if report.passed[audit] else "FAILED"


def headline_markdown(report: AuditReport) -> str:
    """The main figures as a Markdown table."""
    lines = ["| audit | verdict | figure | value | n |", "|---|---|---|--:|--:|"]
    lines += [
        f"| {one.audit} | {one.verdict} | {one.name} | {written(one.value)} | {one.n} |"
        for one in headline(report)
    ]
    return "\n".join(lines) + "\n"


def written(value: float | None) -> str:
    """A count as it is, a share or mean with three digits, and n/a for none."""
    if value is None:
        return "n/a"
    return str(value) if isinstance(value, int) else f"{value:.3f}"


def scopes(report: AuditReport) -> list[tuple[str, Separability]]:
    """How separable all questions are, and those of each scope."""
    return [("overall", report.wording.overall), *report.wording.scopes.items()]


def to_spare(minimal: ShareOf) -> int:
    """Questions that cite more turns than their answer takes."""
    return minimal.n - minimal.count


def _grounding(report: AuditReport) -> Iterator[tuple[str, float | None, int]]:
    for line in report.grounding.claims:
        if line.claims:
            yield f"unsupported, {line.kind}", line.unsupported, line.claims


def _support(report: AuditReport) -> Iterator[tuple[str, float | None, int]]:
    found = report.support
    n = sum(one.minimal.n for one in found.types)
    yield "supported answers", found.overall.share, found.overall.n
    yield "cited turns, mean", found.mean_cited_turns, n
    yield "with a cited turn to spare", sum(to_spare(one.minimal) for one in found.types), n
    yield "contradicted elsewhere", sum(one.contradicted for one in found.types), n


def _answerability(report: AuditReport) -> Iterator[tuple[str, float | None, int]]:
    answered = report.answerability.answered
    yield "adversarial questions with an answer", answered.count, answered.n


def _wording(report: AuditReport) -> Iterator[tuple[str, float | None, int]]:
    for name, one in scopes(report):
        yield f"AUROC, {name}", one.auroc, one.adversarial + one.answerable


def _variety(report: AuditReport) -> Iterator[tuple[str, float | None, int]]:
    found = report.variety
    for question_type, forms in found.questions.items():
        yield f"commonest form, {question_type}", forms.share, forms.n
    yield "commonest turn text", found.turn_texts.share, found.turn_texts.n
    yield "turns whose text recurs", found.recurring.share, found.recurring.n
    yield "turns copied from a note", found.copied.share, found.copied.n


def _duplicates(report: AuditReport) -> Iterator[tuple[str, float | None, int]]:
    found = report.duplicates
    yield "repeated within a patient", found.within_patients.share, found.within_patients.n
    yield "asked alike of another patient", found.across_patients.share, found.across_patients.n
    yield "sessions alike", found.sessions.share, found.sessions.n
