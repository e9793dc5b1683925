"""How an evaluation begins and ends."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from prefect.runtime import flow_run

from flows.evaluation_access import (
    access_to_models,
    prices_of_models,
    refuse_unusable_models,
    release_data_class,
)
from flows.evaluation_files import LEADERBOARD
from flows.evaluation_publishing import PAGE
from flows.evaluation_run import EvaluationRun
from flows.evaluation_settings import EvaluationSettings
from flows.evaluation_systems import systems_of
from flows.run_lifecycle import close_run, open_output
from flows.table_artifacts import publish_estimate
from tasks.adapters.failures import guarded
from tasks.adapters.workspace import Workspace
from tasks.contracts.build import RunReport
from tasks.contracts.errors import GateFailed
from tasks.contracts.usage import RunUsage


@contextmanager
def open_evaluation(settings: EvaluationSettings) -> Generator[EvaluationRun]:
    """Hold the output folder for an evaluation, with access to its models.

    Raises SettingError before anything is written or connected.
    """
    paths = settings.evaluation_paths()
    data_class = release_data_class(settings, paths.release)
    refuse_unusable_models(settings, data_class)
    systems = systems_of(settings)
    prices = prices_of_models(settings)

    def begin(workspace: Workspace) -> EvaluationRun:
        return EvaluationRun(
            settings=settings,
            workspace=workspace,
            data_class=data_class,
            started=datetime.now(UTC),
            systems=systems,
            judge=settings.judge_spec(),
            prices=prices,
        )

    with open_output(paths.out, settings, begin) as run, access_to_models(run):
        yield run


def report_estimate(settings: EvaluationSettings) -> RunReport:
    """Publish what an evaluation would ask, without asking, and without a file in its folder."""
    # The SDK takes a second to import.
    from flows.evaluation_estimating import estimate_evaluation

    started = datetime.now(UTC)
    estimate = guarded(estimate_evaluation)(settings)
    publish_estimate(estimate)
    return RunReport(
        flow_run_id=flow_run.get_id(),
        flow_run_name=flow_run.get_name(),
        outcome="completed",
        started=started.isoformat(timespec="seconds"),
        seconds=round((datetime.now(UTC) - started).total_seconds(), 3),
        stages={},
        items=(),
        skip_counts=(),
        gates=(),
        usage=RunUsage(),
        estimate=estimate,
    )


def close_evaluation(run: EvaluationRun, invalid: GateFailed | None = None) -> RunReport:
    """Report an evaluation that came to its end.

    Raises ``invalid`` where errors make a system's run invalid, and TooManyFailed.
    """
    if invalid is not None:
        written = Path(run.workspace.out) / (LEADERBOARD if run.settings.until else PAGE)
        raise GateFailed(
            f"{invalid}\nthe figures are written, those of invalid runs marked: {written}",
            invalid.result,
        )
    return close_run(run)
