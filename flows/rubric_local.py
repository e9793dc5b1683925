"""Flows of rubrics on this machine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from rich.console import Console

from flows.local_flow import (
    LocalJob,
    hush_prefect,
    refuse_file,
    refuse_unreadable_names,
    run_job,
)
from flows.prefect_server import ensure_server
from flows.rubric_access import refuse_unusable_models
from flows.rubric_files import RUBRICS
from flows.rubric_roles import (
    evaluation_class,
    evaluation_specs,
    generation_class,
    generation_specs,
)
from flows.rubric_settings import (
    EVALUATION_PARAMETERS,
    GENERATION_PARAMETERS,
    GenerationSettings,
    RubricEvaluationSettings,
    parameters_of,
)
from tasks.adapters.run_lock import unusable_output
from tasks.contracts.errors import SettingError


def run_rubric_generation(settings: GenerationSettings, out: Console, err: Console) -> int:
    """Generate rubrics and print where they are; returns the exit code.

    What can't work is refused before a server is started. Raises what the flow raised.
    """
    folder = settings.output()
    hush_prefect()
    _check(folder, [one for one in (settings.queries, settings.release, settings.corpus) if one])
    specs = generation_specs(settings).values()
    refuse_unusable_models(settings, specs, generation_class(settings))

    def job() -> LocalJob:
        from flows.generate_rubrics import generate_rubrics

        return LocalJob(
            call=lambda: generate_rubrics(
                **parameters_of(settings, GENERATION_PARAMETERS), return_state=True
            ),
            report=folder / "report",
            show=lambda _report, _out: _places(folder, [("rubrics", RUBRICS)]),
            history_wait_seconds=settings.history_wait_seconds,
        )

    return _run(job, out, err)


def run_rubric_evaluation(settings: RubricEvaluationSettings, out: Console, err: Console) -> int:
    """Evaluate rubrics and print where the figures are; returns the exit code.

    What can't work is refused before a server is started. Raises what the flow raised.
    """
    folder = settings.output()
    hush_prefect()
    single = (settings.reference, settings.queries, settings.answers, settings.base)
    _check(folder, [*settings.sets.values(), *(one for one in single if one)])
    data_class = evaluation_class(settings)
    refuse_unusable_models(settings, evaluation_specs(settings), data_class)

    def job() -> LocalJob:
        from flows.evaluate_rubrics import evaluate_rubrics

        return LocalJob(
            call=lambda: evaluate_rubrics(
                **parameters_of(settings, EVALUATION_PARAMETERS), return_state=True
            ),
            report=folder / "report",
            show=lambda _report, _out: _places(folder, []),
            history_wait_seconds=settings.history_wait_seconds,
        )

    return _run(job, out, err)


def _run(job: Callable[[], LocalJob], out: Console, err: Console) -> int:
    def say(text: str) -> None:
        err.print(text, highlight=False)

    server = ensure_server(say)
    return run_job(job(), server, out, err, say)


def _check(folder: Path, inputs: Sequence[Path]) -> None:
    refuse_unreadable_names((folder, *inputs))
    for one in inputs:
        _refuse_missing(one)
    try:
        refuse_file(folder)
    except OSError as error:
        raise unusable_output(folder, error) from None


def _refuse_missing(path: Path) -> None:
    try:
        found = path.exists()
    except OSError as error:
        raise SettingError(f"{path}: can't be read ({error.strerror}); correct the path") from None
    if not found:
        raise SettingError(f"{path}: there is no such file or folder; correct the path")


def _places(folder: Path, files: Iterable[tuple[str, str]]) -> list[tuple[str, str | Path]]:
    from flows.rubric_publishing import PAGE

    written: list[tuple[str, str | Path]] = [(name, folder / file) for name, file in files]
    return [*written, ("figures", folder / PAGE)]
