"""The report's page: one self-contained HTML file of tables and plots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from html import escape

from flows.estimates import estimate_section
from flows.page_parts import Cell, page, table
from flows.report_usage import asked_a_model, usage_section
from tasks.contracts.build import GateResult, RunReport
from tasks.contracts.statistics import Distribution, ReleaseStatistics

OUTCOMES = {
    "running": "Not ended: running, or killed",
    "completed": "Completed",
    "completed_with_failures": "Completed, but some items failed",
    "failed": "Failed",
    "interrupted": "Ended from outside",
}
"""How a run ended, in words."""


def render_page(report: RunReport, statistics: ReleaseStatistics | None) -> str:
    """The page of one run; ``statistics`` adds the dataset's figures and plots."""
    sections = [
        _heading(report),
        _stages(report),
        _gates(report.gates),
        _left_out(report),
        *([estimate_section(report.estimate)] if report.estimate else []),
        *([usage_section(report.usage)] if asked_a_model(report.usage) else []),
        *([_dataset(statistics)] if statistics is not None else []),
    ]
    return page("Anamnesis run report", sections)


def _heading(report: RunReport) -> str:
    kind = "good" if report.outcome == "completed" else "bad"
    name = f"flow run {report.flow_run_name}, " if report.flow_run_name else ""
    message = f'<p class="bad">{escape(report.message)}</p>' if report.message else ""
    return (
        f'<h1>Run report: <span class="{kind}">{OUTCOMES[report.outcome]}</span></h1>'
        f"<p>{escape(name)}started {escape(report.started)}, {report.seconds:.1f} s</p>{message}"
        f"{_audits(report)}"
    )


def _audits(report: RunReport) -> str:
    if "audits" not in {gate.stage for gate in report.gates}:
        return ""
    return '<p><a href="audit.html">What the audits of this run found</a></p>'


def _stages(report: RunReport) -> str:
    rows = [
        (name, count.computed, count.cached, count.failed, count.skipped, count.seconds)
        for name, count in report.stages.items()
    ]
    return "<h2>Stages</h2>" + table(
        ("stage", "computed", "cached", "failed", "skipped", "seconds"), rows
    )


def _gates(gates: Sequence[GateResult]) -> str:
    verdicts = [(gate.stage, "passed" if gate.success else "failed", gate.rows) for gate in gates]
    broken = [
        (gate.stage, line.expectation, line.failed_rows, ", ".join(line.first_ids), line.error)
        for gate in gates
        for line in gate.results
        if not line.success
    ]
    page = "<h2>Gates</h2>" + table(("gate", "verdict", "rows"), verdicts)
    if broken:
        page += table(
            ("gate", "expectation", "failed rows", "first ids", "could not be evaluated"),
            broken,
            caption="Expectations that were not met",
        )
    return page


def _left_out(report: RunReport) -> str:
    reasons = Counter((item.stage, item.outcome, item.reason) for item in report.items)
    by_reason = [(*reason, number) for reason, number in sorted(reasons.items())]
    items = [
        (item.id, item.subject_id, item.stage, item.outcome, item.reason) for item in report.items
    ]
    counts = [(count.table, count.reason, count.count) for count in report.skip_counts]
    odd = [(count.table, count.oddity, count.count) for count in report.oddities]
    return (
        "<h2>Left out</h2>"
        + table(("stage", "outcome", "reason", "items"), by_reason, caption="By reason")
        + table(("id", "patient", "stage", "outcome", "reason"), items, caption="Every item")
        + table(("table", "reason", "rows"), counts, caption="Rows and notes of the source")
        + "<h2>Kept although odd</h2>"
        + table(("table", "oddity", "records"), odd, caption="Records read by a written rule")
    )


def _dataset(statistics: ReleaseStatistics) -> str:
    # matplotlib takes half a second to import: only where there is something to plot.
    from flows.report_plots import coverage_plot, question_plot, speaker_plot

    coverage = statistics.coverage
    composition = statistics.composition
    spreads = (
        ("sessions a patient", coverage.sessions),
        ("turns a patient", coverage.turns),
        ("tokens a patient", coverage.tokens),
        ("days a patient", coverage.span_days),
        ("turns a session", composition.turns_a_session),
        ("words a session", composition.words_a_session),
        ("tokens a session", composition.tokens_a_session),
    )
    types = [
        (line.scope, line.question_type.value, line.questions, line.mean_answer_words,
         line.mean_cited_turns)
        for line in statistics.questions
    ]  # fmt: skip
    return (
        "<h2>Dataset</h2>"
        + table(
            ("figure", "n", "mean", "minimum", "25 %", "median", "75 %", "maximum"),
            [_spread(name, figures) for name, figures in spreads],
            caption=f"Tokens are counted with {statistics.tokenizer}",
        )
        + coverage_plot(statistics.patients)
        + "<h3>Speakers</h3>"
        + speaker_plot(composition)
        + "<h3>Questions</h3>"
        + table(("scope", "type", "questions", "answer words", "cited turns"), types)
        + question_plot(statistics.questions)
    )


def _spread(name: str, figures: Distribution) -> tuple[Cell, ...]:
    return (
        name,
        figures.n,
        figures.mean,
        figures.minimum,
        figures.p25,
        figures.median,
        figures.p75,
        figures.maximum,
    )
