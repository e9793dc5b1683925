"""The audits' page: one self-contained HTML file of tables and plots; ids and counts only."""

from __future__ import annotations

from collections.abc import Sequence

from flows.audit_figures import headline, scopes, to_spare, written
from flows.page_parts import Cell, page, table
from tasks.contracts.audit import FormVariety, ShareOf, TermCount
from tasks.contracts.audit_report import AuditReport
from tasks.contracts.build import GateResult

_TERMS_SHOWN = 25


def render_audit(report: AuditReport, verdict: GateResult) -> str:
    """The page of a release's audits, with the verdict on every bound."""
    return page(
        "Anamnesis audits",
        [
            _heading(report),
            _bounds(verdict),
            _grounding(report),
            _support(report),
            _answerability(report),
            _wording(report),
            _variety(report),
            _duplicates(report),
        ],
    )


def _heading(report: AuditReport) -> str:
    failed = [name for name, passed in report.passed.items() if not passed]
    kind = "bad" if failed else "good"
    words = f"not met: {', '.join(failed)}" if failed else "all bounds met"
    sizes = (
        f"{report.patients} patients, {report.sessions} sessions, {report.turns} turns, "
        f"{report.questions} questions"
    )
    rows = [
        (one.audit, one.verdict, one.name, written(one.value), one.n) for one in headline(report)
    ]
    return (
        f'<h1>Audits: <span class="{kind}">{words}</span></h1><p>{sizes}. How each figure is '
        "defined, and what it can't show, stands in docs/audits.md.</p>"
        + table(("audit", "verdict", "figure", "value", "n"), rows)
    )


def _bounds(verdict: GateResult) -> str:
    rows = [
        (
            line.table.removeprefix("audits_"),
            line.notes,
            "met" if line.success else "failed",
            line.failed_rows,
            ", ".join(line.first_ids) or line.error,
        )
        for line in sorted(verdict.results, key=lambda one: one.success)
    ]
    head = ("audit", "bound", "verdict", "items", "first ids")
    return "<h2>Bounds</h2>" + table(head, rows, caption="From expectations/audits_*.json")


def _grounding(report: AuditReport) -> str:
    from flows.audit_plots import claims_plot

    figures = report.grounding
    rows = [(line.kind, line.claims, line.unsupported) for line in figures.claims]
    shares = [
        ("turns whose record is there", *_share(figures.turns)),
        ("turns with an unsupported claim", *_share(figures.unsupported_turns)),
    ]
    return (
        "<h2>Grounding</h2>"
        + table(("claim", "checked", "unsupported"), rows)
        + table(("turns", "count", "n", "%"), shares)
        + claims_plot(figures.claims)
    )


def _support(report: AuditReport) -> str:
    rows = [
        (
            line.scope,
            line.question_type.value,
            *_share(line.supported),
            to_spare(line.minimal),
            line.mean_cited_turns,
            line.contradicted,
            line.whole_dialogue,
            line.missing_turns,
        )
        for line in report.support.types
    ]
    head = (
        "scope", "type", "supported", "questions", "%", "turn to spare", "cited turns",
        "contradicted", "whole dialogue", "missing turns",
    )  # fmt: skip
    return "<h2>Support</h2>" + table(head, rows)


def _answerability(report: AuditReport) -> str:
    found = report.answerability
    rows = [("overall", *_share(found.answered))]
    rows += [(scope, *_share(share)) for scope, share in found.by_scope.items()]
    head = ("scope", "with an answer after all", "adversarial questions", "%")
    return "<h2>Answerability</h2>" + table(head, rows)


def _wording(report: AuditReport) -> str:
    from flows.audit_plots import auroc_plot, length_plot, words_plot

    found = report.wording
    rows = [
        (
            name,
            one.patients,
            one.adversarial,
            one.answerable,
            written(one.auroc),
            f"{written(one.lower)} to {written(one.upper)}",
            one.by,
        )
        for name, one in scopes(report)
    ]
    head = ("questions", "patients", "adversarial", "answerable", "AUROC", "95 %", "worst reading")
    baselines = [
        (f"always abstains, {name}", *_share(one)) for name, one in found.always_abstain.items()
    ]
    baselines += [
        (f"sees the question only, {name}", *_share(one)) for name, one in found.guesser.items()
    ]
    return (
        "<h2>Wording</h2>"
        + table(head, rows)
        + auroc_plot(scopes(report))
        + table(("baseline", "right", "n", "%"), baselines)
        + _terms("First words", found.first_words)
        + words_plot(found.first_words)
        + _terms("Terms that tell most", found.telling_terms)
        + length_plot(found.lengths)
    )


def _terms(caption: str, terms: Sequence[TermCount]) -> str:
    rows = [
        (one.term, one.adversarial, one.answerable, one.patients, written(one.weight))
        for one in terms[:_TERMS_SHOWN]
    ]
    head = ("words", "adversarial", "answerable", "patients", "log-odds")
    return table(head, rows, caption=caption)


def _variety(report: AuditReport) -> str:
    from flows.audit_plots import forms_plot

    found = report.variety
    texts: list[tuple[str, FormVariety]] = [
        *((f"{name} questions, forms", forms) for name, forms in found.questions.items()),
        ("turns, texts", found.turn_texts),
        ("turns, forms", found.turn_forms),
    ]
    rows = [
        (name, one.n, one.distinct, one.largest, _percent(one.share), ", ".join(one.items[:5]))
        for name, one in texts
    ]
    shares = [
        ("turns whose text recurs in the release", *_share(found.recurring)),
        ("turns whose text was said before in the session", *_share(found.repeated_in_session)),
        ("turns with 12 or more words of a note in a row", *_share(found.copied)),
    ]
    head = ("texts", "n", "distinct", "commonest", "%", "first ids above the bound")
    return (
        "<h2>Variety</h2>"
        + table(head, rows)
        + forms_plot(texts)
        + table(("turns", "count", "n", "%"), shares)
        + table(("figure", "words"), [("longest run copied from a note", found.longest_copy)])
    )


def _duplicates(report: AuditReport) -> str:
    found = report.duplicates
    rows = [
        ("questions that repeat one of their patient", *_share(found.within_patients)),
        ("questions asked of another patient, same answer", *_share(found.across_patients)),
        ("sessions nearly equal to another", *_share(found.sessions)),
    ]
    pairs = [
        *(("within a patient", one, other) for one, other in found.within_items),
        *(("across patients", one, other) for one, other in found.across_items),
        *(("sessions", one, other) for one, other in found.session_items),
    ]
    return (
        "<h2>Duplicates</h2>"
        + table(("items", "count", "n", "%"), rows)
        + table(("kind", "item", "like"), pairs[:_TERMS_SHOWN], caption="The first pairs")
    )


def _share(share: ShareOf) -> tuple[Cell, Cell, Cell]:
    return share.count, share.n, _percent(share.share)


def _percent(share: float | None) -> float | None:
    return None if share is None else 100 * share
