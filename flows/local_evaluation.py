"""An evaluation on this machine."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from flows.cli_output import print_estimate, print_leaderboard
from flows.evaluation_access import (
    refuse_passwords,
    refuse_unusable_models,
    release_data_class,
)
from flows.evaluation_files import LEADERBOARD, newest_rows
from flows.evaluation_settings import EvaluationPaths, EvaluationSettings
from flows.local_flow import (
    LocalJob,
    hush_prefect,
    refuse_file,
    refuse_unreadable_names,
    run_job,
)
from flows.prefect_server import ensure_server
from flows.progress_console import counting
from flows.score_lines import SCORES
from tasks.adapters.run_lock import unusable_output
from tasks.audit.reading import patient_folders
from tasks.contracts.build import RunReport


def run_evaluation(settings: EvaluationSettings, out: Console, err: Console) -> int:
    """Run the flow against a local server and print what it did; returns the exit code.

    What can't work is refused before a server is started. Raises what the flow raised, after its
    history is recorded and its summary printed.
    """

    def say(text: str) -> None:
        err.print(text, highlight=False)

    paths = settings.evaluation_paths()
    hush_prefect()
    _check(paths)
    if settings.estimate:
        return _estimate(settings, out, err)
    refuse_unusable_models(settings, release_data_class(settings, paths.release))
    server = ensure_server(say)
    return run_job(_job(settings, paths), server, out, err, say)


def _estimate(settings: EvaluationSettings, out: Console, err: Console) -> int:
    """Print what the evaluation would ask; no server of Prefect's is needed for that."""
    from flows.evaluation_estimating import estimate_evaluation

    refuse_passwords(settings)
    with counting(err) as tell:
        estimate = estimate_evaluation(settings, tell)
    print_estimate(out, estimate)
    return 0


def _check(paths: EvaluationPaths) -> None:
    try:
        refuse_unreadable_names((paths.release, paths.out))
        patient_folders(paths.release)
        refuse_file(paths.out)
    except OSError as error:
        raise unusable_output(paths.out, error) from None


def _job(settings: EvaluationSettings, paths: EvaluationPaths) -> LocalJob:
    from flows.evaluate_benchmark import evaluate_benchmark
    from flows.evaluation_publishing import PAGE

    def show(_report: RunReport, out: Console) -> list[tuple[str, str | Path]]:
        if settings.until in ("answers", "judgments"):
            return [("answers, with patient text", paths.out / "cache" / "predictions")]
        print_leaderboard(out, newest_rows(paths.out))
        written = [("leaderboard", paths.out / LEADERBOARD), ("scores", paths.out / SCORES)]
        page = [] if settings.until else [("figures", paths.out / PAGE)]
        return [*written, *page]

    return LocalJob(
        call=lambda: evaluate_benchmark(**settings.flow_parameters(), return_state=True),
        report=paths.report,
        show=show,
        history_wait_seconds=settings.history_wait_seconds,
    )
