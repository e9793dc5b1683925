"""A pre-consultation on this machine: the flow, interviews by people, and the export."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.console import Console

from flows.local_flow import (
    LocalJob,
    hush_prefect,
    refuse_file,
    refuse_unreadable_names,
    run_job,
)
from flows.preconsult_access import profiles_data_class, refuse_unusable_models
from flows.preconsult_files import (
    INTERVIEWS,
    PAGE,
    SUMMARY_FILE,
    Doctor,
    by_doctor,
)
from flows.preconsult_marks import read_human_scores
from flows.preconsult_settings import PreconsultPaths, PreconsultSettings
from flows.prefect_server import ensure_server
from flows.score_lines import SCORES, read_scores
from tasks.adapters.run_lock import unusable_output
from tasks.contracts.build import RunReport
from tasks.contracts.preconsultation import ScoreLine
from tasks.preconsultation.summaries import View, mean_of

_HEAD = (
    *("", "doctor", "other roles"),
    *("turns", "n", "clean", "weighted", "coverage", "top-1", "top-5"),
)
_WORDS = 3
"""Columns of words; the others are of numbers."""

_SHARES = ("coverage", "top_1", "top_k")


def run_preconsultation(settings: PreconsultSettings, out: Console, err: Console) -> int:
    """Run the flow against a local server and print what it did; returns the exit code.

    What can't work is refused before a server is started. Raises what the flow raised, after its
    history is recorded and its summary printed.
    """

    def say(text: str) -> None:
        err.print(text, highlight=False)

    paths = settings.preconsult_paths()
    hush_prefect()
    _check(paths)
    if settings.human_scores is not None:
        read_human_scores(settings.human_scores)
    say(_placed(settings))
    refuse_unusable_models(settings, profiles_data_class(settings))
    server = ensure_server(say)
    return run_job(_job(settings, paths), server, out, err, say)


def _placed(settings: PreconsultSettings) -> str:
    """How the profiles found their diseases; raises SourceError for unusable input."""
    from flows.preconsult_reading import read_inputs

    read, guidelines = read_inputs(settings)
    counts = ", ".join(f"{number} {how}" for how, number in sorted(read.placed.items()))
    return (
        f"profiles by disease name: {counts}, {len(read.refused)} refused; "
        f"{len(guidelines)} guidelines"
    )


def _check(paths: PreconsultPaths) -> None:
    refuse_unreadable_names((paths.profiles, paths.guidelines, paths.out))
    try:
        refuse_file(paths.out)
    except OSError as error:
        raise unusable_output(paths.out, error) from None


def _job(settings: PreconsultSettings, paths: PreconsultPaths) -> LocalJob:
    from flows.evaluate_preconsultation import evaluate_preconsultation

    def show(_report: RunReport, out: Console) -> list[tuple[str, str | Path]]:
        if settings.until is not None:
            return [("interviews, with patient text", paths.out / "cache" / INTERVIEWS)]
        print_doctors(by_doctor(read_scores(paths.out, ScoreLine)), out)
        sheet = settings.human_sheet
        return [
            ("scores", paths.out / SCORES),
            ("summary", paths.out / SUMMARY_FILE),
            ("figures", paths.out / PAGE),
            *([("dialogues to mark, with patient text", sheet)] if sheet else []),
        ]

    return LocalJob(
        call=lambda: evaluate_preconsultation(**settings.flow_parameters(), return_state=True),
        report=paths.report,
        show=show,
        history_wait_seconds=settings.history_wait_seconds,
    )


def print_doctors(doctors: Mapping[Doctor, Sequence[ScoreLine]], out: Console) -> None:
    """A row for each doctor and number of turns: means of clean dialogues, shares in percent.

    Rows are as wide as they have to be: a name that is cut can't be told from another.
    """
    rows: list[tuple[str, ...]] = [_HEAD]
    for (language, doctor, roles, turns), lines in doctors.items():
        counted = (turns, len(lines), sum(one.status == "clean" for one in lines))
        shares = (_mean(lines, name, 100) for name in _SHARES)
        weighted = _mean(lines, "weighted", 1)
        rows.append((language, doctor, roles, *map(str, counted), weighted, *shares))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        words = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)][:_WORDS]
        numbers = [cell.rjust(width) for cell, width in zip(row, widths, strict=True)][_WORDS:]
        out.print("  ".join((*words, *numbers)), soft_wrap=True, markup=False, highlight=False)


def _mean(lines: Sequence[ScoreLine], measure: str, scale: int) -> str:
    found = mean_of(lines, measure, View())
    return "n/a" if found is None else f"{scale * found:.1f}"
