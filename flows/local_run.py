"""A build on this machine."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from rich.console import Console

from flows.cli_output import print_cohort, print_estimate
from flows.local_flow import (
    LocalJob,
    hush_prefect,
    refuse_file,
    refuse_unreadable_names,
    run_job,
)
from flows.model_access import refuse_unusable_model
from flows.prefect_server import ensure_server
from flows.settings import BuildPaths, Settings
from tasks.adapters.run_lock import unusable_output
from tasks.contracts.build import RunReport


def run_build(
    settings: Settings,
    out: Console,
    err: Console,
    prepare: Callable[[], object] | None = None,
) -> int:
    """Run the flow against a local server and print what it did; returns the exit code.

    ``prepare`` makes the input, once it is known that a server answers. Raises what the flow
    raised, after its history is recorded and its summary printed.
    """

    def say(text: str) -> None:
        err.print(text, highlight=False)

    paths = settings.build_paths()
    hush_prefect()
    if prepare is None:
        # What can't work is refused before a server is started.
        _check(paths)
        refuse_unusable_model(settings)
        server = ensure_server(say)
    else:
        server = ensure_server(say)
        prepare()
        _check(paths)
    return run_job(_job(settings, paths), server, out, err, say)


def _job(settings: Settings, paths: BuildPaths) -> LocalJob:
    from flows.build_benchmark import build_benchmark

    def show(report: RunReport, out: Console) -> list[tuple[str, str | Path]]:
        if report.estimate is not None:
            print_estimate(out, report.estimate)
        if settings.until == "bundles":
            from flows.cohort_summary import read_cohort

            print_cohort(out, read_cohort(paths.report))
        whole = settings.until is None and not settings.estimate
        return [("release", paths.release)] if whole else []

    return LocalJob(
        call=lambda: build_benchmark(**settings.flow_parameters(), return_state=True),
        report=paths.report,
        show=show,
        history_wait_seconds=settings.history_wait_seconds,
    )


def _check(paths: BuildPaths) -> None:
    try:
        _check_folders(paths)
    except OSError as error:
        raise unusable_output(paths.out, error) from None


def _check_folders(paths: BuildPaths) -> None:
    """Refuse what can't work before a server is started; raises UserError."""
    from tasks.adapters.mimic_folders import hosp_folder, note_folder

    refuse_unreadable_names((paths.mimic, paths.note, paths.out))
    hosp_folder(paths.mimic)
    note_folder(paths.mimic, paths.note)
    refuse_file(paths.out)
