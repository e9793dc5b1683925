"""Stage report: scores of this and earlier runs as files and artifacts; no patient text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from flows.evaluation_cells import FigureTable
from flows.preconsult_comparisons import HumanScores
from flows.preconsult_files import (
    INTERVIEWS,
    PAGE,
    write_interviews,
    write_summary,
)
from flows.preconsult_holding import Held, load_interviews
from flows.preconsult_marks import pick_dialogues, write_sheet
from flows.preconsult_page import render_report, report_markdown
from flows.preconsult_reading import Patients
from flows.preconsult_run import PreconsultRun
from flows.preconsult_tables import all_tables
from flows.score_lines import write_scores
from flows.table_artifacts import publish_table
from tasks.adapters.files import write_atomic
from tasks.contracts.preconsultation import Interview, ScoreLine

MARKDOWN = "report.md"


def write_dialogues(run: PreconsultRun, held: Sequence[Held]) -> None:
    """Write every doctor's interviews for people to read, into the private cache."""
    found: dict[str, list[Interview]] = {}
    for one in held:
        found.setdefault(one.doctor, []).extend(load_interviews(run, one).interviews)
    folder = run.workspace.cache / INTERVIEWS / run.settings.language
    for doctor, interviews in found.items():
        write_interviews(folder, doctor, interviews)


def write_human_sheet(
    run: PreconsultRun,
    patients: Patients,
    held: Sequence[Held],
    lines: Sequence[ScoreLine],
    file: Path,
) -> None:
    """Write the dialogues that people are to mark: of this run, one of each doctor and disease."""
    interviews = {
        (one.doctor, each.pid): each
        for one in held
        for each in load_interviews(run, one).interviews
    }
    picked = pick_dialogues(lines, run.settings.seed)
    write_sheet(file, picked, interviews, patients.guidelines, run.settings.language)


def publish_results(
    run: PreconsultRun, patients: Patients, lines: Sequence[ScoreLine], human: HumanScores
) -> Path:
    """Write scores, summary and report, and publish the tables; returns the page."""
    out = Path(run.workspace.out)
    with run.stage("report"):
        write_scores(out, lines)
        write_summary(out, lines)
        tables = [*all_tables(lines, human, run.settings.language), _placements(run, patients)]
        write_atomic(out / PAGE, render_report(lines, tables).encode())
        write_atomic(out / MARKDOWN, report_markdown(tables).encode())
        for table in tables:
            publish_table(table)
        run.count("report", "computed", len(lines))
    return out / PAGE


def _placements(run: PreconsultRun, patients: Patients) -> FigureTable:
    """How this run's profiles found their disease."""
    read = patients.read
    found = {**read.placed, "refused": len(read.refused)}
    rows = tuple((run.settings.language, name, number) for name, number in sorted(found.items()))
    head = ("language", "disease name", "profiles")
    return FigureTable("preconsult-placements", "Profiles by disease name", head, rows)
