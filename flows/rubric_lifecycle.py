"""How runs of rubrics begin."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime

from flows.rubric_access import access_to_roles, access_to_search, refuse_unusable_models
from flows.rubric_roles import (
    evaluation_class,
    evaluation_specs,
    generation_class,
    generation_specs,
)
from flows.rubric_run import GenerationRun, RubricEvaluationRun
from flows.rubric_settings import GenerationSettings, RubricEvaluationSettings
from flows.run_lifecycle import open_output
from tasks.adapters.workspace import Workspace


@contextmanager
def open_generation(settings: GenerationSettings) -> Generator[GenerationRun]:
    """Hold the output folder for generating rubrics, with access to models and search."""
    out, data_class = settings.output(), generation_class(settings)
    specs = tuple(generation_specs(settings).values())
    refuse_unusable_models(settings, specs, data_class)

    def begin(workspace: Workspace) -> GenerationRun:
        return GenerationRun(
            settings=settings,
            workspace=workspace,
            data_class=data_class,
            started=datetime.now(UTC),
        )

    with (
        open_output(out, settings, begin) as run,
        access_to_roles(run, specs),
        access_to_search(settings, data_class),
    ):
        yield run


@contextmanager
def open_rubric_evaluation(settings: RubricEvaluationSettings) -> Generator[RubricEvaluationRun]:
    """Hold the output folder for evaluating rubrics, with access to its models."""
    out, data_class = settings.output(), evaluation_class(settings)
    specs = evaluation_specs(settings)
    refuse_unusable_models(settings, specs, data_class)

    def begin(workspace: Workspace) -> RubricEvaluationRun:
        return RubricEvaluationRun(
            settings=settings,
            workspace=workspace,
            data_class=data_class,
            started=datetime.now(UTC),
        )

    with open_output(out, settings, begin) as run, access_to_roles(run, specs):
        yield run
