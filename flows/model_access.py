"""Whether and how a run may use its language model: data use, key, prices, session."""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from flows.model_sessions import (
    Endpoint,
    refuse_password_in,
    refuse_unusable_settings,
    session_options,
)
from flows.settings import Settings
from tasks.adapters.data_class import read_data_class
from tasks.adapters.side_processes import MOST_PROCESSES, side_processes
from tasks.contracts.build import DataClass

if TYPE_CHECKING:
    from tasks.adapters.llm.session import ModelSession

_MANY_REQUESTS = 8


def data_class_of(settings: Settings) -> DataClass:
    """Who may see the data; raises SettingError for a marker that names no class."""
    paths = settings.build_paths()
    return settings.data_class or read_data_class(paths.mimic / "hosp", paths.note)


def refuse_unusable_model(settings: Settings) -> None:
    """Raise SettingError where the data may not go to the model, or a key or price is missing.

    Nothing is connected and nothing is written. Where nothing is asked, settings that can't be used
    are refused all the same: before the data is read, and a password would travel as a parameter.
    """
    refuse_password_in(settings.base_url)
    if settings.provider == "openai":
        refuse_unusable_settings(settings, settings.model_spec())
    if settings.asks_a_model:
        session_options(settings, _endpoint(settings), data_class_of(settings), Path())


@contextmanager
def access_to_model(
    settings: Settings, data_class: DataClass, replies: Path
) -> Generator[ModelSession | None]:
    """Open the session that a run's requests go through; none for the programmatic provider."""
    if not settings.asks_a_model:
        yield None
        return
    # The SDK takes a second to import.
    from tasks.adapters.llm.session import model_session

    options = session_options(settings, _endpoint(settings), data_class, replies)
    with (
        side_processes(_processes(settings)),
        model_session(settings.model_spec(), options) as session,
    ):
        yield session


def _endpoint(settings: Settings) -> Endpoint:
    return Endpoint(settings.model_spec(), settings.key_variable)


def _processes(settings: Settings) -> int:
    """Processes for the checks of replies: a few requests at once need none."""
    if settings.concurrency < _MANY_REQUESTS:
        return 0
    return min(MOST_PROCESSES, os.cpu_count() or 1)
