"""How a run begins and ends: its lock, its report, whatever happens."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import httpx
from prefect.runtime import flow_run

from flows.build_run import BuildRun
from flows.cache_cleaning import note_used
from flows.history import close_killed_run
from flows.item_failures import is_prefects
from flows.model_access import access_to_model, data_class_of, refuse_unusable_model
from flows.progress_artifact import publishing_progress
from flows.reporting import publish_report, write_report
from flows.run import Run
from flows.run_settings import RunSettings
from flows.settings import Settings
from tasks.adapters.failures import describe, keep_traceback
from tasks.adapters.files import remove
from tasks.adapters.retrying import patiently
from tasks.adapters.run_lock import output_lock, unusable_output
from tasks.adapters.workspace import Workspace
from tasks.contracts.build import Outcome, RunReport
from tasks.contracts.errors import AnamnesisError, RunFailed, ServerLost, UserError

AnyRun = TypeVar("AnyRun", bound=Run[Any])

INTERRUPTED = "the run was ended from outside: finished work is kept, the same command resumes"

_log = logging.getLogger(__name__)
_open_runs: list[Run[Any]] = []


@contextmanager
def open_run(settings: Settings) -> Generator[BuildRun]:
    """Hold the output folder for a build, with access to its model."""
    data_class = data_class_of(settings)
    refuse_unusable_model(settings)

    def begin(workspace: Workspace) -> BuildRun:
        return BuildRun(
            settings=settings,
            workspace=workspace,
            spec=settings.model_spec(),
            data_class=data_class,
            started=datetime.now(UTC),
        )

    with (
        open_output(settings.build_paths().out, settings, begin) as run,
        access_to_model(settings, data_class, run.workspace.replies) as session,
    ):
        run.sessions = () if session is None else (session,)
        yield run


@contextmanager
def open_output(
    out: Path, settings: RunSettings, begin: Callable[[Workspace], AnyRun]
) -> Generator[AnyRun]:
    """Hold an output folder for the run that ``begin`` makes, and report how it ended.

    Bad input leaves no output folder behind where there was none.
    """
    try:
        workspace = Workspace(out=os.path.realpath(out))
        workspace.refuse_foreign()
        workspace.refuse_unusable()
        before = set(out.iterdir()) if out.is_dir() else None
    except OSError as error:
        raise unusable_output(out, error) from None
    run_id = flow_run.get_id()
    with output_lock(out, wait_seconds=settings.lock_wait_seconds, flow_run_id=run_id) as killed:
        try:
            workspace.prepare()
        except OSError as error:
            raise unusable_output(out, error) from None
        if killed is not None and killed.flow_run_id:
            close_killed_run(killed.flow_run_id, killed.pid, killed.host)
        run = begin(workspace)
        with (
            _reporting_its_end(run, out, before),
            publishing_progress(),
            _current(run),
        ):
            yield run


@contextmanager
def _reporting_its_end(run: Run[Any], out: Path, before: set[Path] | None) -> Generator[None]:
    try:
        yield
    except UserError as error:
        if run.is_costly:
            _report_end(run, "failed", describe(error))
        else:
            with suppress(Exception):
                publish_report(run.report("failed", str(error)))
            _leave_no_trace(out, before)
        raise
    except AnamnesisError as error:
        _report_end(run, "failed", describe(error))
        raise
    except OSError as error:
        _report_end(run, "failed", describe(error))
        raise RunFailed(
            f"{describe(error)}: finished work is kept, the same command resumes"
        ) from None
    except Exception as error:  # noqa: BLE001 - none may reach Prefect as it is
        if is_prefects(error):
            _report_end(run, "failed", str(ServerLost()))
            raise ServerLost from None
        # Neither the message nor the traceback of an error that isn't ours is free of data.
        _report_end(run, "failed", describe(error))
        _log.error("%s; the details are in %s", describe(error), keep_traceback())
        raise RunFailed(
            f"{describe(error)}: finished work is kept, the same command resumes"
        ) from None
    except BaseException:
        # Ctrl-C, a kill that asks, a cancelled deployment run.
        _report_end(run, "interrupted", INTERRUPTED)
        raise
    finally:
        remove(run.workspace.scratch)


@contextmanager
def _current(run: Run[Any]) -> Generator[None]:
    _open_runs.append(run)
    try:
        yield
    finally:
        _open_runs.remove(run)


def report_open_run(message: str) -> None:
    """Report the run of this process as failed, for whoever is about to end the process."""
    for run in _open_runs:
        with suppress(Exception):
            write_report(run.workspace.report, run.report("failed", message))


def close_run(run: Run[Any], release: Path | None = None) -> RunReport:
    """Report a run that came to its end; raises TooManyFailed above the allowed share."""
    run.stop_if_too_many_failed()
    report = run.report("completed_with_failures" if run.failures() else "completed")
    write_report(run.workspace.report, report, release=release)
    if release is not None:
        note_used(run.workspace, run.used)
    with suppress(ServerLost, httpx.HTTPError):
        # The page of a run that did its work is worth waiting for, but no failure.
        patiently(lambda: publish_report(report))
    return report


def _leave_no_trace(out: Path, before: set[Path] | None) -> None:
    """Take away what this run put into the output folder; ``before`` is None where it made it."""
    if before is None:
        remove(out)
        return
    for made in set(out.iterdir()) - before:
        remove(made)


def _report_end(run: Run[Any], outcome: Outcome, message: str) -> None:
    report = run.report(outcome, message)
    for publish in (partial(write_report, run.workspace.report), publish_report):
        # What ended the run matters more than a full disk or a lost server on the way out.
        with suppress(Exception):
            publish(report)
