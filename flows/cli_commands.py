"""The commands behind the command line; heavy imports wait until a command needs them."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from rich.console import Console

from flows.cli_output import print_places, print_problems, print_trace
from flows.settings import Settings, load_settings
from tasks.contracts.errors import SettingError

SAMPLE_PATIENTS = 100
MOST_DAYS = 36_500
_NO_SETTINGS = ("command", "action")


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


def evaluate(given: argparse.Namespace, out: Console, err: Console) -> int:
    """Evaluate models on a release."""
    from flows.evaluation_settings import EvaluationSettings, load_evaluation_settings
    from flows.local_evaluation import run_evaluation

    fields = EvaluationSettings.model_fields
    settings = load_evaluation_settings(
        **{name: getattr(given, name) for name in fields if hasattr(given, name)}
    )
    return run_evaluation(settings, out, err)


def rubrics(given: argparse.Namespace, out: Console, err: Console) -> int:
    """Generate or evaluate rubrics."""
    from flows.rubric_local import run_rubric_evaluation, run_rubric_generation
    from flows.rubric_settings import load_generation_settings, load_rubric_evaluation_settings

    asked = {name: value for name, value in vars(given).items() if name not in _NO_SETTINGS}
    if given.action == "generate":
        return run_rubric_generation(load_generation_settings(**asked), out, err)
    return run_rubric_evaluation(load_rubric_evaluation_settings(**asked), out, err)


def preconsult(given: argparse.Namespace, out: Console, err: Console) -> int:
    """Evaluate doctors, let a person interview, or export interviews."""
    from flows.cli_preconsult import settings_of
    from flows.prefect_server import quiet_environment

    settings = settings_of(given)
    quiet_environment()
    if given.action == "interview":
        from flows.interviewing import interview_patients

        return interview_patients(settings, given.name, given.pid, out)
    if given.action == "export":
        from flows.interviewing import export_interviews

        return export_interviews(settings, given.evaluated, given.file, out)
    from flows.local_preconsult import run_preconsultation

    return run_preconsultation(settings, out, err)


def verify(given: argparse.Namespace, out: Console, err: Console) -> int:
    """Check a release."""
    return _verify(given.release, out)


def audit(given: argparse.Namespace, out: Console, err: Console) -> int:
    """Audit a release."""
    # Great Expectations asks for this before it is imported.
    os.environ["GX_ANALYTICS_ENABLED"] = "false"
    from flows.audit_files import audit_places, write_audit
    from flows.audit_release import audit_release
    from flows.cli_output import print_audit
    from flows.progress_console import counting

    places = audit_places(given.release, given.out)
    with counting(err) as tell:
        found = audit_release(given.release, tell)
    print_audit(out, found.report, found.verdict)
    if places is not None:
        page = write_audit(places, found.report, found.verdict, found.patients)
        print_places(out, [("report", page), ("findings, with words", places.findings)])
    failed = [name for name, passed in found.report.passed.items() if not passed]
    verdict = f"NOT passed: {', '.join(failed)}" if failed else "passed"
    print_places(out, [(verdict, given.release)])
    return 1 if failed else 0


def trace(given: argparse.Namespace, out: Console, err: Console) -> int:
    """Follow an answer back to the record."""
    from tasks.audit.tracing import trace_answer

    print_trace(out, trace_answer(given.release, given.qa_id))
    return 0


def clean(given: argparse.Namespace, out: Console, err: Console) -> int:
    """Remove from a cache what is no longer used."""
    from flows.cache_cleaning import clean_cache

    cleaned = clean_cache(given.out, everything=given.all, dry_run=given.dry_run)
    what = "would be removed" if given.dry_run else "removed"
    print_places(out, [(what, f"{cleaned.files} files, {cleaned.bytes} bytes")])
    if cleaned.unfinished:
        out.print("the last build did not finish: its work is kept; --all removes it")
    return 0


def server(given: argparse.Namespace, out: Console, err: Console) -> int:
    """Start, stop, ask for and use the background server."""
    if given.action == "prune":
        return _server_prune(given, out, err)
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
    _tell_of_another_server(out)
    if running is None:
        out.print("Prefect's server is not running; `anamnesis server start` starts it")
        return 1
    places = [("running", running.ui_url), ("PREFECT_API_URL", running.api_url)]
    print_places(out, [*places, ("log", server_log())])
    return 0


def _server_stop(out: Console, err: Console) -> int:
    from flows.prefect_server import stop_server

    _tell_of_another_server(out)
    out.print(
        "Prefect's server was stopped" if stop_server() else "Prefect's server was not running"
    )
    return 0


def _tell_of_another_server(out: Console) -> None:
    """Say that runs use a server of the user's own, which is not this program's to stop."""
    from flows.prefect_server import configured_url

    if url := configured_url():
        print_places(out, [("runs use the server you configured, which stays as it is", url)])


def _server_prune(given: argparse.Namespace, out: Console, err: Console) -> int:
    from flows.prefect_server import ensure_server, own_database
    from flows.retention import compact, prune_history

    if not 0 <= given.older_than_days <= MOST_DAYS:
        raise SettingError(
            f"--older-than-days: a number outside 0 to {MOST_DAYS}; give one of them"
        )
    server = ensure_server(err.print)
    pruned = prune_history(given.older_than_days, dry_run=given.dry_run)
    what = "would be deleted" if given.dry_run else "deleted"
    counts = f"{pruned.flow_runs} flow runs, {pruned.task_runs} task runs"
    print_places(out, [(what, f"{counts}, {pruned.artifacts} artifacts, and their logs")])
    if given.dry_run or server.configured or not own_database().is_file():
        return 0
    sizes = compact(own_database())
    if sizes is None:
        out.print("The database is in use: run this again once no run is going on")
        return 1
    print_places(out, [(str(own_database()), f"{sizes[0]} bytes before, {sizes[1]} after")])
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
