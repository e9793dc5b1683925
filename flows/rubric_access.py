"""Whether and how rubrics may use their models and the search of the web."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flows.model_sessions import Endpoint, open_sessions, refuse_password_in, session_options
from flows.rubric_settings import GenerationSettings, RubricSettings
from tasks.adapters.llm.destination import check_destination
from tasks.adapters.models import ModelSpec
from tasks.contracts.build import DataClass
from tasks.contracts.errors import SettingError

if TYPE_CHECKING:
    from flows.rubric_run import RubricRun

TAVILY_KEY_VARIABLE = "TAVILY_API_KEY"


def refuse_unusable_models(
    settings: RubricSettings, specs: Iterable[ModelSpec], data_class: DataClass
) -> None:
    """Raise SettingError where text may not go to a model or a search, or a key is missing."""
    refuse_password_in(settings.base_url)
    for endpoint in _asked(settings, specs):
        session_options(settings, endpoint, data_class, Path())
    if isinstance(settings, GenerationSettings):
        refuse_password_in(settings.tavily_url, "tavily_url")
        if settings.search == "tavily":
            _tavily_key(settings, data_class)


@contextmanager
def access_to_roles(run: RubricRun[Any], specs: Iterable[ModelSpec]) -> Generator[None]:
    """Open the session of every model that plays a role; one budget for all."""
    settings, asked = run.settings, _asked(run.settings, specs)
    if not asked:
        yield
        return
    # The SDK takes a second to import.
    from tasks.adapters.llm.budget import Budget

    budget = Budget(settings.max_usd, settings.max_tokens)
    replies = run.workspace.replies
    with open_sessions(settings, asked, run.data_class, replies, budget) as sessions:
        run.sessions = (*run.sessions, *sessions)
        yield


@contextmanager
def access_to_search(settings: GenerationSettings, data_class: DataClass) -> Generator[None]:
    """Open the search of the web, where one is asked for."""
    if settings.search != "tavily":
        yield
        return
    from tasks.rubrics.retrieval.web import open_web_search

    key, is_local = _tavily_key(settings, data_class)
    url = settings.tavily_url.rstrip("/")
    with open_web_search(key, url, settings.request_seconds, is_local):
        yield


def _asked(settings: RubricSettings, specs: Iterable[ModelSpec]) -> list[Endpoint]:
    """The language models among the roles, each once."""
    asked = (one for one in dict.fromkeys(specs) if one.provider == "openai")
    return [Endpoint(one, settings.key_variable) for one in asked]


def _tavily_key(settings: GenerationSettings, data_class: DataClass) -> tuple[str, bool]:
    """The key, if queries of this class may be sent there, and whether that is a local address."""
    destination = check_destination(
        settings.tavily_url, data_class, settings.allow_host, setting="tavily_url"
    )
    key = os.environ.get(TAVILY_KEY_VARIABLE, "").strip()
    if not key and not destination.is_local:
        raise SettingError(
            f"no key for Tavily: set {TAVILY_KEY_VARIABLE} in the environment, or search a folder "
            "of pages (--corpus)"
        )
    return key or "none", destination.is_local
