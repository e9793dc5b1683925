"""The report's page: one self-contained HTML file of tables and plots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from html import escape

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

_STYLE = """
body{font:15px/1.5 system-ui,sans-serif;max-width:68rem;margin:2rem auto;padding:0 1rem;color:#222}
table{border-collapse:collapse;margin:.5rem 0 1.5rem}
caption{text-align:left;color:#555;padding-bottom:.25rem}
th,td{border-bottom:1px solid #ddd;padding:.2rem .8rem .2rem 0;text-align:left;vertical-align:top}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}
.bad{color:#b00020;font-weight:600}.good{color:#1b6e3c}
svg{max-width:100%;height:auto}
"""

Cell = str | int | float | None


def render_page(report: RunReport, statistics: ReleaseStatistics | None) -> str:
    """The page of one run; ``statistics`` adds the dataset's figures and plots."""
    sections = [
        _heading(report),
        _stages(report),
        _gates(report.gates),
        _left_out(report),
        *([_usage(report)] if any(report.usage.values()) else []),
        *([_dataset(statistics)] if statistics is not None else []),
    ]
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>Anamnesis run report</title><style>{_STYLE}</style></head>\n<body>\n"
        + "\n".join(sections)
        + "\n</body></html>\n"
    )


def _heading(report: RunReport) -> str:
    kind = "good" if report.outcome == "completed" else "bad"
    name = f"flow run {report.flow_run_name}, " if report.flow_run_name else ""
    message = f'<p class="bad">{escape(report.message)}</p>' if report.message else ""
    return (
        f'<h1>Run report: <span class="{kind}">{OUTCOMES[report.outcome]}</span></h1>'
        f"<p>{escape(name)}started {escape(report.started)}, {report.seconds:.1f} s</p>{message}"
    )


def _stages(report: RunReport) -> str:
    rows = [
        (name, count.computed, count.cached, count.failed, count.skipped, count.seconds)
        for name, count in report.stages.items()
    ]
    return "<h2>Stages</h2>" + _table(
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
    page = "<h2>Gates</h2>" + _table(("gate", "verdict", "rows"), verdicts)
    if broken:
        page += _table(
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
        + _table(("stage", "outcome", "reason", "items"), by_reason, caption="By reason")
        + _table(("id", "patient", "stage", "outcome", "reason"), items, caption="Every item")
        + _table(("table", "reason", "rows"), counts, caption="Rows and notes of the source")
        + "<h2>Kept although odd</h2>"
        + _table(("table", "oddity", "records"), odd, caption="Records read by a written rule")
    )


def _usage(report: RunReport) -> str:
    return "<h2>Provider</h2>" + _table(("usage", "amount"), list(report.usage.items()))


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
        + _table(
            ("figure", "n", "mean", "minimum", "25 %", "median", "75 %", "maximum"),
            [_spread(name, figures) for name, figures in spreads],
            caption=f"Tokens are counted with {statistics.tokenizer}",
        )
        + coverage_plot(statistics.patients)
        + "<h3>Speakers</h3>"
        + speaker_plot(composition)
        + "<h3>Questions</h3>"
        + _table(("scope", "type", "questions", "answer words", "cited turns"), types)
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


def _table(head: Sequence[str], rows: Iterable[Sequence[Cell]], *, caption: str = "") -> str:
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
    if not body:
        return f"<p>{escape(caption or 'Nothing')}: none</p>"
    title = f"<caption>{escape(caption)}</caption>" if caption else ""
    heads = "".join(f'<th scope="col">{escape(name)}</th>' for name in head)
    return f"<table>{title}<thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"


def _cell(value: Cell) -> str:
    if value is None:
        return '<td class="n">n/a</td>'
    if isinstance(value, float):
        return f'<td class="n">{value:,.1f}</td>'
    if isinstance(value, int):
        return f'<td class="n">{value:,}</td>'
    mark = ' class="bad"' if value == "failed" else ""
    return f"<td{mark}>{escape(value)}</td>"
