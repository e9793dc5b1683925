"""How a run opens the sessions of its models: where text may go, key, prices, one budget."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from flows.model_settings import OPENAI_URL
from flows.run_settings import RunSettings
from tasks.adapters.llm.destination import check_destination
from tasks.adapters.llm.prices import PriceTable, read_prices
from tasks.adapters.llm.servers import family_named, server_named
from tasks.adapters.models import ModelSpec
from tasks.adapters.recipe import digest
from tasks.contracts.build import DataClass

if TYPE_CHECKING:
    from tasks.adapters.llm.budget import Budget
    from tasks.adapters.llm.session import ModelSession, SessionOptions


@dataclass(frozen=True)
class Endpoint:
    """A model that is asked, the variable that holds the key to it, and what says where it is."""

    spec: ModelSpec
    key_variable: str
    setting: str = "base_url"


def refuse_password_in(url: str | None, setting: str = "base_url") -> None:
    """Raise SettingError for an address with a password in it, even where nothing is asked.

    It would travel as a parameter.
    """
    if url is not None:
        check_destination(url, "open", (), resolve=lambda _name: (), setting=setting)


def prices_of(settings: RunSettings, models: Iterable[str]) -> PriceTable | None:
    """The user's price table, where one is given; it has to name the models."""
    if settings.prices is None:
        return None
    prices = read_prices(settings.prices)
    for model in models:
        prices.cost_usd(model, 0, 0)
    return prices


def refuse_unusable_settings(settings: RunSettings, spec: ModelSpec) -> None:
    """Raise SettingError for an unknown server or family, and for prices that lack the model."""
    server_named(spec.server)
    family_named(spec.family)
    prices_of(settings, (spec.model,))


def session_options(
    settings: RunSettings, endpoint: Endpoint, data_class: DataClass, replies: Path
) -> SessionOptions:
    """How a model is asked; ``replies`` is the folder where what it says is kept.

    Raises SettingError where the data may not go there, or a key or price is missing.
    """
    from tasks.adapters.llm.session import SessionOptions

    spec = endpoint.spec
    destination = check_destination(
        spec.base_url or OPENAI_URL, data_class, settings.allow_host, setting=endpoint.setting
    )
    refuse_unusable_settings(settings, spec)
    named = settings.model_copy(update={"key_variable": endpoint.key_variable})
    return SessionOptions(
        replies=replies,
        key=named.api_key(required=not destination.is_local).get_secret_value(),
        key_variable=endpoint.key_variable,
        concurrency=settings.concurrency,
        timeout_seconds=settings.request_seconds,
        deadline_seconds=settings.deadline_seconds,
        data_class=data_class,
        allowed_hosts=settings.allow_host,
        max_usd=settings.max_usd,
        max_tokens=settings.max_tokens,
        prices=prices_of(settings, (spec.model,)),
        azure_api_version=settings.azure_api_version,
    )


@contextmanager
def open_sessions(
    settings: RunSettings,
    endpoints: Iterable[Endpoint],
    data_class: DataClass,
    replies: Path,
    budget: Budget,
) -> Generator[tuple[ModelSession, ...]]:
    """Open the session of each model; they share a budget and keep their replies apart."""
    from tasks.adapters.llm.session import model_session

    with ExitStack() as opened:
        sessions: list[ModelSession] = []
        for endpoint in endpoints:
            folder = replies_folder(replies, endpoint.spec)
            options = session_options(settings, endpoint, data_class, folder)
            session = model_session(endpoint.spec, replace(options, budget=budget))
            sessions.append(opened.enter_context(session))
        yield tuple(sessions)


def vectors_folder(replies: Path) -> Path:
    """Where the vectors of an embeddings endpoint are kept."""
    return replies / "embeddings"


def replies_folder(replies: Path, spec: ModelSpec) -> Path:
    """Where a model's replies are kept: apart from another's, so that each is counted alone."""
    return replies / digest([spec.model_dump_json(exclude={"base_url"})])[:16]
