"""Whether and how an evaluation may use its models: data use, keys, prices, sessions."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from flows.data_classes import UNKNOWN, stated_data_class
from flows.evaluation_settings import EvaluationSettings
from flows.evaluation_systems import embedder_of
from flows.model_sessions import (
    Endpoint,
    open_sessions,
    prices_of,
    refuse_password_in,
    session_options,
    vectors_folder,
)
from tasks.adapters.llm.prices import PriceTable
from tasks.adapters.models import ModelSpec
from tasks.contracts.build import DataClass

if TYPE_CHECKING:
    from flows.evaluation_run import EvaluationRun


def release_data_class(settings: EvaluationSettings, release: Path) -> DataClass:
    """Who may see a release: as set, else by its manifest and its marker, the stricter of them.

    One that says nothing is credentialed. Raises SettingError for a marker that names no class.
    """
    return settings.data_class or stated_data_class(release) or UNKNOWN


def refuse_unusable_models(settings: EvaluationSettings, data_class: DataClass) -> None:
    """Raise SettingError where the data may not go to a model, or a key or price is missing.

    Nothing is connected and nothing is written. An address with a password in it is refused even
    where nothing is asked: it would travel as a parameter.
    """
    refuse_passwords(settings)
    for endpoint in _endpoints(settings):
        session_options(settings, endpoint, data_class, Path())
    prices_of_models(settings)


def refuse_passwords(settings: EvaluationSettings) -> None:
    """Raise SettingError for an address with a password in it."""
    for name in ("base_url", "judge_base_url", "embeddings_url"):
        refuse_password_in(getattr(settings, name), name)


@contextmanager
def access_to_models(run: EvaluationRun) -> Generator[None]:
    """Open the sessions of every model, of the judge and of the embeddings; one budget for all."""
    if not run.settings.asks_a_model:
        yield
        return
    # The SDK takes a second to import.
    from tasks.adapters.llm.budget import Budget
    from tasks.adapters.llm.embeddings import embedding_session

    settings, replies = run.settings, run.workspace.replies
    budget = Budget(settings.max_usd, settings.max_tokens)
    with ExitStack() as opened:
        asked = _model_endpoints(settings)
        run.sessions = opened.enter_context(
            open_sessions(settings, asked, run.data_class, replies, budget)
        )
        for endpoint in _embedding_endpoints(settings):
            folder = vectors_folder(replies)
            options = session_options(settings, endpoint, run.data_class, folder)
            embedder = embedding_session(embedder_of(settings), replace(options, budget=budget))
            run.embeddings = opened.enter_context(embedder)
        yield


def prices_of_models(settings: EvaluationSettings) -> PriceTable | None:
    """The user's price table, where one is given; it has to name every model that is asked."""
    return prices_of(settings, (one.spec.model for one in _endpoints(settings)))


def _endpoints(settings: EvaluationSettings) -> Iterator[Endpoint]:
    yield from _model_endpoints(settings)
    yield from _embedding_endpoints(settings)


def _model_endpoints(settings: EvaluationSettings) -> list[Endpoint]:
    """Every language model once, the judge with them."""
    found: dict[ModelSpec, Endpoint] = {}
    for spec in settings.model_specs():
        found[spec] = Endpoint(spec, settings.key_variable)
    judge = settings.judge_spec()
    key_variable = settings.judge_key_variable or settings.key_variable
    setting = "judge_base_url" if settings.judge_base_url else "base_url"
    found.setdefault(judge, Endpoint(judge, key_variable, setting))
    return [one for one in found.values() if one.spec.provider == "openai"]


def _embedding_endpoints(settings: EvaluationSettings) -> list[Endpoint]:
    embedder = embedder_of(settings)
    if embedder.provider != "openai":
        return []
    spec = ModelSpec(
        provider="openai",
        model=embedder.model,
        base_url=embedder.base_url,
        server=embedder.server,
        family="chat",
    )
    setting = "embeddings_url" if settings.embeddings_url else "base_url"
    return [Endpoint(spec, settings.key_variable, setting)]
