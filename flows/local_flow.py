"""A flow on this machine: server, flow, history, summary."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
from pydantic import ValidationError
from rich.console import Console

from flows.cli_output import print_places, print_run
from flows.history import drain_history
from flows.prefect_server import ServerInfo
from flows.progress_console import showing_progress
from flows.server_watch import ServerWatch
from tasks.adapters.files import read_model
from tasks.contracts.build import RunReport
from tasks.contracts.errors import AnamnesisError, RunFailed, ServerLost, SettingError

if TYPE_CHECKING:
    from prefect import State


ATTEMPTS = 3
LOST_HISTORY_SECONDS = 10.0


class RunStopped(AnamnesisError):
    """The flow run was ended from outside."""


@dataclass(frozen=True)
class LocalJob:
    """A flow that this machine runs for its user.

    ``call`` runs the flow and returns its state. ``show`` prints what a finished run brought and
    returns the places to look at. ``report`` is the run's report/ folder.
    """

    call: Callable[[], State[RunReport]]
    report: Path
    show: Callable[[RunReport, Console], list[tuple[str, str | Path]]]
    history_wait_seconds: float


def run_job(
    job: LocalJob, server: ServerInfo, out: Console, err: Console, say: Callable[[str], None]
) -> int:
    """Run a flow against a local server and print what it did; returns the exit code.

    Raises what the flow raised, after its history is recorded and its summary printed.
    """
    leaving = _Leaving(err)
    watch = ServerWatch(server, say, leaving.give_up)
    watch.start()
    try:
        with showing_progress(err):
            state = _run_flow(job, server, watch, say)
        run_id = str(state.state_details.flow_run_id)
        _wait_for_history(run_id, job.history_wait_seconds, watch, say)
        code = _finish(job, state, _run_address(server, run_id), out)
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
    job: LocalJob, server: ServerInfo, watch: ServerWatch, say: Callable[[str], None]
) -> State[RunReport]:
    """Run the flow; again where it lost a server that has been started again since."""
    for left in reversed(range(ATTEMPTS)):
        try:
            state = job.call()
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


def _finish(job: LocalJob, state: State[RunReport], address: str, out: Console) -> int:
    page = job.report / "index.html"
    if not state.is_completed():
        report = _own_report(job.report, str(state.state_details.flow_run_id))
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
    places = job.show(report, out)
    print_run(out, report)
    print_places(out, [*places, ("report", page), ("run", address)])
    return 0 if report.outcome == "completed" else 1


def _own_report(folder: Path, run_id: str) -> RunReport | None:
    """The failed run's own report; an earlier run's is not shown."""
    try:
        report = read_model(folder / "run.json", RunReport)
    except (OSError, ValidationError):
        return None
    return report if report.flow_run_id == run_id else None


def _run_address(server: ServerInfo, run_id: str) -> str:
    return f"{server.ui_url}/runs/flow-run/{run_id}"


def refuse_unreadable_names(folders: Iterable[Path]) -> None:
    """Raise SettingError for a folder's name that can't be written down."""
    for folder in folders:
        if any("\ud800" <= letter <= "\udfff" for letter in str(folder)):
            raise SettingError(f"{folder}: a folder's name isn't UTF-8 text; rename it")


def refuse_file(out: Path) -> None:
    """Raise SettingError where the output folder is a file."""
    if out.exists() and not out.is_dir():
        raise SettingError(f"out: {out} is a file: give a folder as --out (ANAMNESIS_OUT)")


def hush_prefect() -> None:
    """Keep Prefect's own lines off the console."""
    # Read when Prefect is imported. Failures reach the user as one message; Prefect's own lines
    # stay in the pages of its server.
    for name in ("PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL", "PREFECT_LOGGING_INTERNAL_LEVEL"):
        os.environ.setdefault(name, "CRITICAL")
    # Else each log line that a lost server doesn't take is told on the console.
    logging.raiseExceptions = False
