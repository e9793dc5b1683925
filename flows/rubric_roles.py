"""Who plays which role in a flow of rubrics, and who may see what it reads."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from flows.data_classes import UNKNOWN, stated_data_class, strictest
from flows.rubric_role_settings import EVALUATION_ROLES
from flows.rubric_settings import GenerationSettings, RubricEvaluationSettings
from flows.run_settings import required
from tasks.adapters.data_class import read_data_class
from tasks.adapters.models import ModelSpec
from tasks.contracts.build import DataClass
from tasks.contracts.errors import SettingError
from tasks.rubrics.pipeline.variants import MODEL_ROLES, roles_of

EXAMPLE_CORPUS = Path(__file__).resolve().parent.parent / "tasks" / "rubrics" / "corpus_example"


def generation_specs(settings: GenerationSettings) -> dict[str, ModelSpec]:
    """Who plays each role that some variant asks a model for."""
    ran = {role for variant in settings.variants for role in roles_of(variant)}
    return {role: settings.role_spec(role) for role in MODEL_ROLES if role in ran}


def evaluation_specs(settings: RubricEvaluationSettings) -> tuple[ModelSpec, ...]:
    """Who plays the roles of an evaluation, every judge with them."""
    roles = tuple(settings.role_spec(role) for role in EVALUATION_ROLES if role != "judge")
    return (*roles, *settings.judge_specs())


def generation_class(settings: GenerationSettings) -> DataClass:
    """Who may see queries and pages; raises SettingError where there are no queries.

    As set, else what the folder of the queries says, or that of the pages where it is stricter. A
    folder of queries that says nothing is credentialed.
    """
    release = settings.release
    queries = release or required(settings.queries, "queries", "a file of queries").parent
    if settings.data_class is not None:
        return settings.data_class
    read = read_data_class(queries) if release is None else stated_data_class(release) or UNKNOWN
    pages = [settings.corpus] if settings.corpus and settings.search == "corpus" else []
    return _or_stricter(read, pages)


def evaluation_class(settings: RubricEvaluationSettings) -> DataClass:
    """Who may see queries, answers and rubrics; raises SettingError for what is not set."""
    files = [required(settings.reference, "reference", "the gold rubrics")]
    files.append(required(settings.queries, "queries", "the queries that the rubrics are for"))
    if not settings.sets:
        raise SettingError(
            "rubrics is not set: give files of rubrics as --rubrics NAME=FILE (ANAMNESIS_RUBRICS)"
        )
    if "discrimination" in settings.measure:
        needed = "reference answers (or leave discrimination out of --measure)"
        files.append(required(settings.answers, "answers", needed))
    if settings.base is not None:
        files.append(settings.base)
    if settings.data_class is not None:
        return settings.data_class
    read = read_data_class(*{one.parent for one in files})
    return _or_stricter(read, {one.parent for one in settings.sets.values()})


def _or_stricter(read: DataClass, folders: Iterable[Path]) -> DataClass:
    """What was read, or what a folder says where that is stricter."""
    return strictest([read, *(stated_data_class(one) or read for one in folders)])
