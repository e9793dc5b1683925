"""What the command line prints: tables and addresses."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from flows.estimates import estimate_line, estimate_rows
from flows.report_usage import asked_a_model, usage_line
from tasks.contracts.build import GateResult, OddityCount, RunReport, SkipCount
from tasks.contracts.clock import format_time
from tasks.contracts.release import Problem
from tasks.contracts.usage import Estimate

if TYPE_CHECKING:
    from flows.cohort_summary import CohortSummary
    from tasks.audit.tracing import AnswerTrace
    from tasks.contracts.audit_report import AuditReport

_COHORT_HEAD = ("patient", "eligible", "usable", "notes", "radiology", "first", "last", "turns")


class Output(Console):
    """A console whose reader may leave early (`anamnesis … | head`): the work goes on."""

    def on_broken_pipe(self) -> None:
        """Write to nowhere from now on."""
        self.quiet = True
        os.dup2(os.open(os.devnull, os.O_WRONLY), self.file.fileno())


def print_run(console: Console, report: RunReport) -> None:
    """Stages, reasons for what was left out, and gates of a run."""
    table = _table(("stage",), ("computed", "cached", "failed", "skipped", "seconds"))
    for name, count in report.stages.items():
        numbers = (count.computed, count.cached, count.failed, count.skipped)
        table.add_row(name, *map(str, numbers), f"{count.seconds:.1f}")
    console.print(table)
    reasons = Counter(f"{item.stage}: {item.outcome}, {item.reason}" for item in report.items)
    for reason, number in sorted(reasons.items()):
        _line(console, "left out", f"{number} x {reason}")
    if report.oddities:
        records = sum(count.count for count in report.oddities)
        kinds = len(report.oddities)
        _line(console, "kept although odd", f"{records} records of {kinds} kinds, see the report")
    if asked_a_model(report.usage):
        _line(console, "language model", usage_line(report.usage))
    gates = [f"{gate.stage} {'passed' if gate.success else 'FAILED'}" for gate in report.gates]
    _line(console, "gates", ", ".join(gates) or "none ran")


def print_places(console: Console, places: Sequence[tuple[str, str | Path]]) -> None:
    """Where to look next: one ``name: path or address`` a line, never wrapped."""
    for name, place in places:
        _line(console, name, str(place))


def print_cohort(console: Console, cohort: CohortSummary) -> None:
    """The cohort of a dry run: one line a patient, and what was left out."""
    table = _table(_COHORT_HEAD[:1], _COHORT_HEAD[1:])
    for row in cohort.patients:
        table.add_row(
            row.subject_id,
            str(row.eligible_admissions),
            str(row.usable_admissions),
            str(row.discharge_notes),
            str(row.radiology_notes),
            str(row.first_day or "n/a"),
            str(row.last_day or "n/a"),
            f"{row.fewest_turns}-{row.most_turns}",
        )
    console.print(table)
    admissions = sum(row.usable_admissions for row in cohort.patients)
    _line(
        console,
        "cohort",
        f"{len(cohort.patients)} of {cohort.eligible_patients} eligible patients, "
        f"{admissions} admissions",
    )
    print_skip_counts(console, cohort.skip_counts)
    print_oddities(console, cohort.oddities)


def print_estimate(console: Console, estimate: Estimate) -> None:
    """What a language model would be asked: one line a stage."""
    head, *rows = estimate_rows(estimate)
    table = _table(head[:1], head[1:])
    for row in rows:
        table.add_row(*row)
    # A figure or a name that is cut can't be told from another.
    for column, cells in zip(table.columns, zip(*rows, strict=True), strict=True):
        column.min_width = max(map(len, cells))
    console.print(table, crop=False)
    _line(console, "estimate", estimate_line(estimate))


def print_leaderboard(console: Console, rows: Sequence[Mapping[str, str]]) -> None:
    """The systems of an evaluation, in percent, each figure with its n.

    A column names the judge where there are several.
    """
    judges = sorted({row["judge"] for row in rows})
    words = ("system", "judge") if len(judges) > 1 else ("system",)
    table = _table(words, ("F1", "n", "J", "n", "Acc", "n", "Score", "95 %", "n", "run"))
    for row in rows:
        bounds = (row["score_medlocomo_lower"], row["score_medlocomo_upper"])
        table.add_row(
            *(row[name] for name in words),
            _percent(row["f1_medlocomo"]),
            row["f1_medlocomo_n"],
            _percent(row["j"]),
            row["j_n"],
            _percent(row["acc_medlocomo"]),
            row["acc_medlocomo_n"],
            _percent(row["score_medlocomo"]),
            "-".join(map(_percent, bounds)) if all(bounds) else "n/a",
            row["score_medlocomo_n"],
            "valid" if row["valid"] == "yes" else "INVALID",
        )
    # A name that is cut can't be told from another.
    for column, name in zip(table.columns, words, strict=False):
        column.min_width = max(len(row[name]) for row in rows)
    console.print(table, crop=False)
    _line(console, "judges", ", ".join(judges))


def _percent(share: str) -> str:
    return f"{100 * float(share):.1f}" if share else "n/a"


def print_skip_counts(console: Console, counts: Sequence[SkipCount]) -> None:
    """Rows and notes of the source that were left out, by reason."""
    for count in counts:
        _line(console, "not used", f"{count.count} x {count.table}: {count.reason}")


def print_oddities(console: Console, counts: Sequence[OddityCount]) -> None:
    """Odd records that were kept, by what is odd."""
    for count in counts:
        _line(console, "kept", f"{count.count} x {count.table}: {count.oddity}")


def print_audit(console: Console, report: AuditReport, verdict: GateResult) -> None:
    """The main figures of every audit, and the bounds that are not met with the first ids."""
    from flows.audit_figures import headline, written

    table = _table(("audit", "verdict", "figure"), ("value", "n"))
    for one in headline(report):
        table.add_row(one.audit, one.verdict, one.name, written(one.value), str(one.n))
    console.print(table)
    for line in verdict.results:
        if not line.success:
            more = ", …" if line.failed_rows > len(line.first_ids) else ""
            ids = f": {', '.join(line.first_ids)}{more}" if line.first_ids else ""
            audit = line.table.removeprefix("audits_").partition("_")[0]
            _line(console, f"{audit}, not met", f"{line.notes} {line.failed_rows} items{ids}")


def print_trace(console: Console, trace: AnswerTrace) -> None:
    """A question, its answer, the cited turns and what in the record is behind each."""
    question = trace.question
    _line(console, f"{question.qa_id}, {question.question_type}", question.question)
    _line(console, "answer", question.answer)
    for turn in trace.turns:
        line = turn.line
        head = f"admission {turn.hadm_id}, turn {line.turn_number}, {format_time(line.time)}"
        _line(console, f"{head}, {line.speaker}", line.text)
        for source in turn.sources:
            _line(console, f"    {source.where}", source.text)
        if not turn.known:
            _line(
                console, "    not traced", "the release lacks formed_packet.json or evidence.json"
            )
        elif not turn.sources:
            _line(console, "    not traced", "the turn says nothing of the record")
    if not trace.turns:
        console.print("no turn is cited", highlight=False)


def print_problems(console: Console, problems: Sequence[Problem]) -> None:
    """What is wrong with a release, one problem a line."""
    for problem in problems:
        place = ", ".join(part for part in (problem.path or "release", problem.where) if part)
        _line(console, place, f"{problem.what}; {problem.remedy}")


def _line(console: Console, name: str, text: str) -> None:
    console.print(f"{name}: {text}", soft_wrap=True, markup=False, highlight=False)


def _table(words: Sequence[str], numbers: Sequence[str]) -> Table:
    table = Table(box=None, pad_edge=False)
    for name in words:
        table.add_column(name)
    for name in numbers:
        table.add_column(name, justify="right")
    return table
