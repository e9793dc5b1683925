"""The commands behind the command line; heavy imports wait until a command needs them."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from rich.console import Console

from flows.cli_output import print_places, print_problems
from flows.settings import Settings, load_settings
from tasks.contracts.errors import SettingError

SAMPLE_PATIENTS = 100


def demo(given: argparse.Namespace, out: Console, err: Console) -> int:
    """Sample, build, verify."""
    from flows.demo_data import PATIENTS, ensure_demo_data
    from flows.local_run import run_build

    folder: Path = given.out
    data = folder / "data"
    settings = load_settings(mimic=data, out=folder, note=data / "note", patients=PATIENTS)

    def prepare() -> None:
        if ensure_demo_data(data):
            err.print(f"synthetic data written to {data}", highlight=False, soft_wrap=True)

    code = run_build(settings, out, err, prepare)
    return code or _verify(settings.build_paths().release, out)


def sample(given: argparse.Namespace, out: Console, err: Console) -> int:
    """Write synthetic data."""
    from tasks.sample.writing import write_notes_for, write_sample

    if given.notes_for is None:
        report = write_sample(
            given.out,
            patients=SAMPLE_PATIENTS if given.patients is None else given.patients,
            seed=given.seed,
            quirks=bool(given.quirks),
            scale=1.0 if given.scale is None else given.scale,
        )
    else:
        _refuse_sample_options(given)
        report = write_notes_for(given.notes_for, given.out, seed=given.seed)
    print_places(
        out, [(str(report.folder / file.name), f"{file.rows} rows") for file in report.files]
    )
    return 0


def build(given: argparse.Namespace, out: Console, err: Console) -> int:
    """Build a benchmark."""
    from flows.local_run import run_build

    settings = load_settings(
        **{name: getattr(given, name) for name in Settings.model_fields if hasattr(given, name)}
    )
    return run_build(settings, out, err)


def verify(given: argparse.Namespace, out: Console, err: Console) -> int:
    """Check a release."""
    return _verify(given.release, out)


def server(given: argparse.Namespace, out: Console, err: Console) -> int:
    """Start, stop, ask for and use the background server."""
    return _SERVER_ACTIONS[given.action](out, err)


def _server_start(out: Console, err: Console) -> int:
    from flows.prefect_server import ensure_server

    info = ensure_server(err.print)
    state = "configured by you" if info.configured else "started" if info.started else "running"
    print_places(out, [(state, info.ui_url), ("PREFECT_API_URL", info.api_url)])
    return 0


def _server_status(out: Console, err: Console) -> int:
    from flows.prefect_server import running_server, server_log

    running = running_server()
    if running is None:
        out.print("Prefect's server is not running; `anamnesis server start` starts it")
        return 0
    places = [("running", running.ui_url), ("PREFECT_API_URL", running.api_url)]
    print_places(out, [*places, ("log", server_log())])
    return 0


def _server_stop(out: Console, err: Console) -> int:
    from flows.prefect_server import stop_server

    out.print(
        "Prefect's server was stopped" if stop_server() else "Prefect's server was not running"
    )
    return 0


def _server_deploy(out: Console, err: Console) -> int:
    from flows.deployments import deploy
    from flows.prefect_server import ensure_server

    ensure_server(err.print)
    return deploy()


def _server_worker(out: Console, err: Console) -> int:
    from flows.deployments import work
    from flows.prefect_server import ensure_server

    ensure_server(err.print)
    work()


_SERVER_ACTIONS = {
    "start": _server_start,
    "status": _server_status,
    "stop": _server_stop,
    "deploy": _server_deploy,
    "worker": _server_worker,
}


def _refuse_sample_options(given: argparse.Namespace) -> None:
    for name in ("patients", "quirks", "scale"):
        if getattr(given, name) is not None:
            raise SettingError(
                f"--{name} can't be combined with --notes-for, which follows the given hosp/: "
                "leave one of them out"
            )


def _verify(release: Path, out: Console) -> int:
    # Great Expectations asks for this before it is imported.
    os.environ["GX_ANALYTICS_ENABLED"] = "false"
    from flows.verify_release import verify_release

    problems = verify_release(release)
    print_problems(out, problems)
    verdict = f"NOT verified, {len(problems)} problems" if problems else "verified"
    print_places(out, [(verdict, release)])
    return 1 if problems else 0
