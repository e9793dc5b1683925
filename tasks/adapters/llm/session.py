"""A model's session: what a run needs beside the specification to ask it, from key to budget."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from random import Random

from tasks.adapters.llm.accounts import Accounts
from tasks.adapters.llm.asking import Asker, Clocks, Limits
from tasks.adapters.llm.budget import Budget
from tasks.adapters.llm.destination import Destination, check_destination
from tasks.adapters.llm.dialects import Dialect, Dialects
from tasks.adapters.llm.handle import LanguageModel
from tasks.adapters.llm.health import Health
from tasks.adapters.llm.ledger import Ledger
from tasks.adapters.llm.limiter import Limiter
from tasks.adapters.llm.open_sessions import OpenSessions
from tasks.adapters.llm.prices import PriceTable
from tasks.adapters.llm.rejections import Asked
from tasks.adapters.llm.reply_store import ReplyStore
from tasks.adapters.llm.servers import family_named, server_named
from tasks.adapters.llm.sizes import PromptBound
from tasks.adapters.llm.transport import Endpoint, Transport
from tasks.adapters.models import ModelSpec, WorkItem
from tasks.contracts.build import DataClass
from tasks.contracts.chat import ChatModel
from tasks.contracts.errors import SettingError
from tasks.contracts.usage import UsageCounts, UsageReport


def _utc_now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True)
class SessionOptions:
    """How a model is asked in one run; nothing of it changes a reply.

    ``sleep`` is how a request waits before it is sent again; null waits until then or until the
    session is over. Sessions with the same ``budget`` spend it together; null gives a session one
    of its own.
    """

    replies: Path
    key: str = field(default="", repr=False)
    key_variable: str = "OPENAI_API_KEY"
    data_class: DataClass = "credentialed"
    allowed_hosts: tuple[str, ...] = ()
    concurrency: int = 8
    deadline_seconds: float = 600.0
    timeout_seconds: float = 180.0
    max_usd: float | None = None
    max_tokens: int | None = None
    budget: Budget | None = None
    prices: PriceTable | None = None
    azure_api_version: str | None = None
    clock: Callable[[], float] = time.monotonic
    now: Callable[[], datetime] = _utc_now
    sleep: Callable[[float], None] | None = None
    random: Random = field(default_factory=Random)


class ModelSession:
    """An open connection to a model; gives handles on it, and says what was used."""

    def __init__(self, asker: Asker, store: ReplyStore, spec: ModelSpec) -> None:
        self._asker = asker
        self._store = store
        self._spec = spec

    def handle(self, work: WorkItem) -> ChatModel:
        """The model, asked for one item of work."""
        return LanguageModel(self._spec, work, self._asker, self._store)

    def kept_usage(self) -> UsageCounts:
        """What all kept replies took, of this run and of those before."""
        requests, given, cached, written = 0, 0, 0, 0
        for reply in self._store.replies():
            requests += 1
            given += reply.input_tokens
            cached += reply.cached_input_tokens
            written += reply.output_tokens
        prices = self._asker.accounts.prices
        usd = prices.cost_usd(self._spec.model, given, written, cached) if prices else None
        return UsageCounts(
            requests=requests,
            input_tokens=given,
            cached_input_tokens=cached,
            output_tokens=written,
            usd=usd,
        )

    def usage(self) -> UsageReport:
        """What the requests of this session took so far."""
        return self._asker.accounts.ledger.report()


_sessions: OpenSessions[ModelSpec, ModelSession] = OpenSessions("model", "model_session")


@contextmanager
def model_session(spec: ModelSpec, options: SessionOptions) -> Generator[ModelSession]:
    """Open the session of a model for this process.

    Raises SettingError, before anything is connected, for a setting that can't be used and for a
    host that the data may not go to.
    """
    with open_asker(spec, options) as asker:
        session = ModelSession(asker, ReplyStore(options.replies), spec)
        with _sessions.hold(spec, session):
            yield session


def session_of(spec: ModelSpec) -> ModelSession:
    """The open session of a specification; raises SettingError where there is none."""
    return _sessions.of(spec)


@contextmanager
def open_asker(spec: ModelSpec, options: SessionOptions) -> Generator[Asker]:
    """What asks a server: its connections, limits, accounts and clocks; closed at the end.

    Raises SettingError, before anything is connected, as ``model_session`` does.
    """
    destination = check_destination(spec.base_url, options.data_class, options.allowed_hosts)
    _refuse_unusable(spec, options)
    health = Health(destination.host, options.clock)
    asker = _asker(spec, options, destination, health)
    try:
        yield asker
    finally:
        health.stop()
        asker.transport.close()


def _refuse_unusable(spec: ModelSpec, options: SessionOptions) -> None:
    if not re.fullmatch(r"[!-~]*", options.key):
        raise SettingError(
            f"{options.key_variable}: the key holds blanks or letters outside ASCII; copy it again"
        )
    for name, found, needed in (
        ("model", spec.model, "the name of a model"),
        ("output_tokens", spec.output_tokens > 0, "most tokens of one reply"),
        ("azure_api_version", spec.server != "azure" or options.azure_api_version, "Azure's"),
        ("prices", options.max_usd is None or options.prices, "a price table for max_usd"),
        ("concurrency", options.concurrency > 0, "at least 1"),
    ):
        if not found:
            raise SettingError(f"{name} is not set: give {needed}")
    if options.prices is not None:
        options.prices.cost_usd(spec.model, 0, 0)


def _asker(
    spec: ModelSpec, options: SessionOptions, destination: Destination, health: Health
) -> Asker:
    endpoint = Endpoint(
        destination,
        options.key,
        (spec.deployment or spec.model) if spec.server == "azure" else "",
        options.azure_api_version or "",
    )
    dialect = Dialect(server_named(spec.server), family_named(spec.family))
    return Asker(
        transport=Transport(endpoint),
        dialects=Dialects(dialect),
        asked=Asked(destination.base_url, spec.model, options.key_variable, bool(options.key)),
        limiter=Limiter(options.concurrency, options.clock),
        accounts=Accounts(
            spec.model,
            options.budget or Budget(options.max_usd, options.max_tokens),
            Ledger(spec.model, options.prices),
            PromptBound(spec.server),
            options.prices,
        ),
        health=health,
        clocks=Clocks(options.clock, options.now, options.sleep or health.sleep, options.random),
        limits=Limits(options.deadline_seconds, options.timeout_seconds),
    )
