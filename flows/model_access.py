"""Whether and how a run may use its language model: data use, key, prices, session."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from flows.model_settings import OPENAI_URL
from flows.settings import Settings
from tasks.adapters.data_class import read_data_class
from tasks.adapters.llm.destination import check_destination
from tasks.adapters.llm.prices import PriceTable, read_prices
from tasks.adapters.llm.servers import family_named, server_named
from tasks.contracts.build import DataClass

if TYPE_CHECKING:
    from tasks.adapters.llm.session import ModelSession, SessionOptions


def data_class_of(settings: Settings) -> DataClass:
    """Who may see the data; raises SettingError for a marker that names no class."""
    paths = settings.build_paths()
    return settings.data_class or read_data_class(paths.mimic / "hosp", paths.note)


def refuse_unusable_model(settings: Settings) -> None:
    """Raise SettingError where the data may not go to the model, or a key or price is missing.

    Nothing is connected and nothing is written. An address with a password in it is refused even
    where nothing is asked: it would travel as a parameter.
    """
    if settings.base_url is not None:
        check_destination(settings.base_url, "open", (), resolve=lambda _name: ())
    if settings.asks_a_model:
        _options(settings, data_class_of(settings), Path())


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

    with model_session(settings.model_spec(), _options(settings, data_class, replies)) as session:
        yield session


def prices_of(settings: Settings) -> PriceTable | None:
    """The user's price table, where one is given; it has to name the model."""
    if settings.prices is None:
        return None
    prices = read_prices(settings.prices)
    prices.cost_usd(settings.model or "", 0, 0)
    return prices


def _options(settings: Settings, data_class: DataClass, replies: Path) -> SessionOptions:
    from tasks.adapters.llm.session import SessionOptions

    destination = check_destination(
        settings.base_url or OPENAI_URL, data_class, settings.allow_host
    )
    spec = settings.model_spec()
    server_named(spec.server)
    family_named(spec.family)
    key = settings.api_key(required=not destination.is_local)
    return SessionOptions(
        replies=replies,
        key=key.get_secret_value(),
        key_variable=settings.key_variable,
        concurrency=settings.concurrency,
        timeout_seconds=settings.request_seconds,
        deadline_seconds=settings.deadline_seconds,
        data_class=data_class,
        allowed_hosts=settings.allow_host,
        max_usd=settings.max_usd,
        max_tokens=settings.max_tokens,
        prices=prices_of(settings),
        azure_api_version=settings.azure_api_version,
    )
