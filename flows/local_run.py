"""A build on this machine: server, flow, history, summary."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from pydantic import ValidationError
from rich.console import Console

from flows.cli_output import print_cohort, print_places, print_run
from flows.history import drain_history
from flows.prefect_server import ServerInfo, ensure_server
from flows.progress_console import showing_progress
from flows.settings import BuildPaths, Settings
from tasks.adapters.files import read_model
from tasks.contracts.build import RunReport
from tasks.contracts.errors import AnamnesisError, SettingError

if TYPE_CHECKING:
    from prefect import State


class RunStopped(AnamnesisError):
    """The flow run was ended from outside."""


def run_build(settings: Settings, out: Console, err: Console) -> int:
    """Run the flow against a local server and print what it did; returns the exit code.

    Raises what the flow raised, after its history is recorded and its summary printed.
    """
    paths = settings.build_paths()
    _check_folders(paths)
    _hush_prefect()
    server = ensure_server(lambda text: err.print(text, highlight=False))
    with showing_progress(err):
        state = _run_flow(settings)
    run_id = str(state.state_details.flow_run_id)
    if not drain_history(run_id, timeout_seconds=settings.history_wait_seconds):
        err.print("Prefect's server has not recorded all of the run's history", highlight=False)
    return _finish(settings, state, _run_address(server, run_id), out)


def _run_flow(settings: Settings) -> State[RunReport]:
    import httpx

    from flows.build_benchmark import build_benchmark

    try:
        return build_benchmark(**settings.flow_parameters(), return_state=True)
    except httpx.TransportError:
        raise RunStopped(
            "Prefect's server went away during the run; finished work is kept, the same command "
            "starts the server again and resumes"
        ) from None


def _finish(settings: Settings, state: State[RunReport], address: str, out: Console) -> int:
    paths = settings.build_paths()
    page = paths.report / "index.html"
    if not state.is_completed():
        report = _own_report(paths, str(state.state_details.flow_run_id))
        if report is not None:
            print_run(out, report)
            print_places(out, [("report", page)])
        print_places(out, [("run", address)])
        if state.is_failed():
            state.result(raise_on_failure=True)
        raise RunStopped(
            f"the run ended as {state.name}: it was killed or lost its server; finished work is "
            "kept, the same command resumes"
        )
    report = state.result(raise_on_failure=True)
    if settings.until == "bundles":
        from flows.cohort_summary import read_cohort

        print_cohort(out, read_cohort(paths.report))
    print_run(out, report)
    published = [("release", paths.release)] if settings.until is None else []
    print_places(out, [*published, ("report", page), ("run", address)])
    return 0 if report.outcome == "completed" else 1


def _own_report(paths: BuildPaths, run_id: str) -> RunReport | None:
    """The failed run's own report; an earlier run's is not shown."""
    try:
        report = read_model(paths.report / "run.json", RunReport)
    except (OSError, ValidationError):
        return None
    return report if report.flow_run_id == run_id else None


def _run_address(server: ServerInfo, run_id: str) -> str:
    return f"{server.ui_url}/runs/flow-run/{run_id}"


def _check_folders(paths: BuildPaths) -> None:
    """Refuse what can't work before a server is started; raises UserError."""
    from tasks.adapters.mimic_folders import hosp_folder, note_folder

    for folder in (paths.mimic, paths.note, paths.out):
        if any("\ud800" <= letter <= "\udfff" for letter in str(folder)):
            raise SettingError(f"{folder}: a folder's name isn't UTF-8 text; rename it")
    hosp_folder(paths.mimic)
    note_folder(paths.mimic, paths.note)
    if paths.out.exists() and not paths.out.is_dir():
        raise SettingError(f"out: {paths.out} is a file: give a folder as --out (ANAMNESIS_OUT)")


def _hush_prefect() -> None:
    # Read when Prefect is imported. Failures reach the user as one message; Prefect's own lines
    # stay in the pages of its server.
    os.environ.setdefault("PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL", "CRITICAL")
