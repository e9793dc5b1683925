"""A build on this machine: server, flow, history, summary."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

import httpx
from pydantic import ValidationError
from rich.console import Console

from flows.cli_output import print_cohort, print_estimate, print_places, print_run
from flows.history import drain_history
from flows.model_access import refuse_unusable_model
from flows.prefect_server import ServerInfo, ensure_server
from flows.progress_console import showing_progress
from flows.server_watch import ServerWatch
from flows.settings import BuildPaths, Settings
from tasks.adapters.files import read_model
from tasks.adapters.run_lock import unusable_output
from tasks.contracts.build import RunReport
from tasks.contracts.errors import AnamnesisError, RunFailed, ServerLost, SettingError

if TYPE_CHECKING:
    from prefect import State


ATTEMPTS = 3
LOST_HISTORY_SECONDS = 10.0


class RunStopped(AnamnesisError):
    """The flow run was ended from outside."""


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
    _hush_prefect()
    if prepare is None:
        # What can't work is refused before a server is started.
        _check(paths)
        refuse_unusable_model(settings)
        server = ensure_server(say)
    else:
        server = ensure_server(say)
        prepare()
        _check(paths)
    leaving = _Leaving(err)
    watch = ServerWatch(server, say, leaving.give_up)
    watch.start()
    try:
        with showing_progress(err):
            state = _run_flow(settings, server, watch, say)
        run_id = str(state.state_details.flow_run_id)
        _wait_for_history(run_id, settings.history_wait_seconds, watch, say)
        code = _finish(settings, state, _run_address(server, run_id), out)
    except AnamnesisError as error:
        leaving.exit_code = error.exit_code
        raise
    except KeyboardInterrupt as error:
        leaving.exit_code = getattr(error, "exit_code", 130)
        raise
    else:
        leaving.exit_code = code
        return code
    finally:
        watch.stop()


def _wait_for_history(
    run_id: str, seconds: float, watch: ServerWatch, say: Callable[[str], None]
) -> None:
    if watch.revived:
        # What was on its way to the server that died never ends there.
        drain_history(run_id, timeout_seconds=min(seconds, LOST_HISTORY_SECONDS))
        say("Prefect's server died during the run: the run's page lacks some of its task runs")
    elif not drain_history(run_id, timeout_seconds=seconds):
        say("Prefect's server has not recorded all of the run's history")


class _Leaving:
    """Ends the process when the server is lost, also where only Prefect's exit waits for it."""

    def __init__(self, err: Console) -> None:
        self._err = err
        self.exit_code: int | None = None

    def give_up(self, message: str) -> None:
        """Say what happened where the run hasn't ended, and end the process as it stands."""
        if self.exit_code is None:
            from flows.run_lifecycle import report_open_run

            report_open_run(message)
            self._err.print(f"error: {message}", highlight=False, soft_wrap=True)
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(RunFailed.exit_code if self.exit_code is None else self.exit_code)


def _run_flow(
    settings: Settings, server: ServerInfo, watch: ServerWatch, say: Callable[[str], None]
) -> State[RunReport]:
    """Run the flow; again where it lost a server that has been started again since."""
    from flows.build_benchmark import build_benchmark

    for left in reversed(range(ATTEMPTS)):
        try:
            state = build_benchmark(**settings.flow_parameters(), return_state=True)
        except httpx.TransportError:
            if server.configured or not left:
                raise ServerLost from None
        else:
            if server.configured or not left or not _lost_its_server(state):
                return state
        watch.wait_for_answer()
        say("The run lost Prefect's server and is taken up where it stopped")
    raise AssertionError


def _lost_its_server(state: State[RunReport]) -> bool:
    return state.is_failed() and isinstance(state.result(raise_on_failure=False), ServerLost)


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
    if report.estimate is not None:
        print_estimate(out, report.estimate)
    if settings.until == "bundles":
        from flows.cohort_summary import read_cohort

        print_cohort(out, read_cohort(paths.report))
    print_run(out, report)
    whole = settings.until is None and not settings.estimate
    published = [("release", paths.release)] if whole else []
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


def _check(paths: BuildPaths) -> None:
    try:
        _check_folders(paths)
    except OSError as error:
        raise unusable_output(paths.out, error) from None


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
    for name in ("PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL", "PREFECT_LOGGING_INTERNAL_LEVEL"):
        os.environ.setdefault(name, "CRITICAL")
    # Else each log line that a lost server doesn't take is told on the console.
    logging.raiseExceptions = False
