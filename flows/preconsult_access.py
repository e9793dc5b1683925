"""Whether and how a pre-consultation may use its models: data use, keys, prices, sessions."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from flows.model_sessions import Endpoint, open_sessions, refuse_password_in, session_options
from flows.preconsult_settings import PreconsultSettings
from tasks.adapters.data_class import read_data_class
from tasks.adapters.models import ModelSpec
from tasks.adapters.workspace import Workspace
from tasks.contracts.build import DataClass

if TYPE_CHECKING:
    from flows.preconsult_run import PreconsultRun
    from tasks.adapters.llm.session import ModelSession


def profiles_data_class(settings: PreconsultSettings) -> DataClass:
    """Who may see the profiles: as set, else by the marker of their folder, else credentialed."""
    if settings.data_class is not None:
        return settings.data_class
    return read_data_class(settings.preconsult_paths().profiles.parent)


def refuse_unusable_models(settings: PreconsultSettings, data_class: DataClass) -> None:
    """Raise SettingError where profiles may not go to a model, or a key or price is missing.

    Nothing is connected and nothing is written. An address with a password in it is refused even
    where nothing is asked: it would travel as a parameter.
    """
    refuse_password_in(settings.base_url)
    refuse_password_in(settings.doctor_base_url, "doctor_base_url")
    for endpoint in _endpoints(settings):
        session_options(settings, endpoint, data_class, Path())


@contextmanager
def access_to_models(run: PreconsultRun) -> Generator[None]:
    """Open the sessions of every doctor and of the other roles; one budget for all."""
    endpoints = _endpoints(run.settings)
    with _sessions(run.settings, endpoints, run.data_class, run.workspace) as sessions:
        run.sessions = sessions
        yield


@contextmanager
def open_roles(settings: PreconsultSettings, workspace: Workspace) -> Generator[None]:
    """Open the session of the other roles alone, for a person who asks.

    Raises SettingError where profiles may not go to the model.
    """
    endpoints = _asked([_role(settings)])
    with _sessions(settings, endpoints, profiles_data_class(settings), workspace):
        yield


@contextmanager
def _sessions(
    settings: PreconsultSettings,
    endpoints: Sequence[Endpoint],
    data_class: DataClass,
    workspace: Workspace,
) -> Generator[tuple[ModelSession, ...]]:
    if not endpoints:
        yield ()
        return
    # The SDK takes a second to import.
    from tasks.adapters.llm.budget import Budget

    budget = Budget(settings.max_usd, settings.max_tokens)
    with open_sessions(settings, endpoints, data_class, workspace.replies, budget) as sessions:
        yield sessions


def _endpoints(settings: PreconsultSettings) -> list[Endpoint]:
    """Every language model once, with the other roles' first: a doctor may be the same."""
    setting = "doctor_base_url" if settings.doctor_base_url else "base_url"
    key_variable = settings.doctor_key_variable or settings.key_variable
    doctors = [Endpoint(spec, key_variable, setting) for spec in settings.doctor_specs()]
    return _asked([_role(settings), *doctors])


def _role(settings: PreconsultSettings) -> Endpoint:
    return Endpoint(settings.role_spec(), settings.key_variable)


def _asked(endpoints: Iterable[Endpoint]) -> list[Endpoint]:
    """Those of language models, each model once."""
    found: dict[ModelSpec, Endpoint] = {}
    for one in endpoints:
        if one.spec.provider == "openai":
            found.setdefault(one.spec, one)
    return list(found.values())
