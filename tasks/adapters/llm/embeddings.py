"""An endpoint's embeddings, by the connections, limits, retries and data-use guard of chat."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from tasks.adapters.embedders import EmbedderSpec, Vectors
from tasks.adapters.llm.asking import Asker, Trial
from tasks.adapters.llm.budget import Spending
from tasks.adapters.llm.ledger import Tokens
from tasks.adapters.llm.open_sessions import OpenSessions
from tasks.adapters.llm.outcomes import Failed, Finished, Judgement, Rejected, judge
from tasks.adapters.llm.rejections import rejection
from tasks.adapters.llm.session import SessionOptions, open_asker
from tasks.adapters.llm.sizes import EXACT_SERVERS, FIRST_RATIO_ELSEWHERE
from tasks.adapters.llm.transport import EMBEDDINGS, NoResponse
from tasks.adapters.llm.vector_reading import read_vectors
from tasks.adapters.llm.vector_store import VectorStore
from tasks.adapters.llm.waiting import Patience
from tasks.adapters.models import ModelSpec, WorkItem
from tasks.adapters.recipe import digest
from tasks.adapters.tokens import count_tokens
from tasks.contracts.errors import ModelFailed
from tasks.contracts.usage import UsageReport

MOST_TEXTS = 128
MOST_TOKENS = 60_000
"""Of one request; servers take more, but a large one fails as a whole."""


class TextsToVectors(Protocol):
    """What embeds the texts of one request."""

    @property
    def spec(self) -> EmbedderSpec:
        """Names the embedder."""
        ...

    def vectors(self, texts: Sequence[str], subject_id: str) -> Vectors:
        """One vector a text."""
        ...


@dataclass(frozen=True)
class EndpointEmbedder:
    """The embedder of a session, asked for one patient; safe to use from threads."""

    session: TextsToVectors
    subject_id: str

    @property
    def window_tokens(self) -> int:
        """Longest text embedded in one piece."""
        return self.session.spec.window_tokens

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One vector of length one a text, kept ones where there are; blank texts have length 0.

        Raises ModelFailed for texts that the server doesn't take, and ProviderUnavailable.
        """
        held = [place for place, text in enumerate(texts) if text.strip()]
        found = [
            self.session.vectors([texts[place] for place in batch], self.subject_id)
            for batch in _batches(texts, held)
        ]
        if not found:
            return np.zeros((len(texts), 1), dtype=np.float32)
        vectors = np.zeros((len(texts), found[0].shape[1]), dtype=np.float32)
        vectors[held] = np.concatenate(found)
        return vectors


class EmbeddingSession:
    """An open connection to a server of embeddings."""

    def __init__(self, spec: EmbedderSpec, asker: Asker, store: VectorStore) -> None:
        self._spec = spec
        self._asker = asker
        self._store = store

    @property
    def spec(self) -> EmbedderSpec:
        """Names the embedder."""
        return self._spec

    def handle(self, subject_id: str) -> EndpointEmbedder:
        """The embedder, asked for one patient's texts."""
        return EndpointEmbedder(self, subject_id)

    def usage(self) -> UsageReport:
        """What the requests of this session took so far."""
        return self._asker.accounts.ledger.report()

    def vectors(self, texts: Sequence[str], subject_id: str) -> Vectors:
        """The vectors of the texts of one request, from the disk where they are kept."""
        work = WorkItem(stage="embeddings", subject_id=subject_id, item=self.spec.model)
        key = vectors_key(self.spec, texts)
        kept = self._store.get(subject_id, key, len(texts))
        if kept is not None:
            self._asker.accounts.ledger.replayed(work)
            return kept
        vectors = self._ask(texts, work)
        self._store.put(subject_id, key, vectors)
        return vectors

    def _ask(self, texts: Sequence[str], work: WorkItem) -> Vectors:
        asker = self._asker
        trial = Trial(work, Patience(asker.limits.deadline_seconds, asker.clocks.random))
        counted = sum(map(count_tokens, texts))
        while True:
            found, judgement = self._attempt(texts, counted, trial)
            if found is not None:
                return found
            match judgement:
                case Rejected() as rejected:
                    raise rejection(rejected, asker.asked, asker.health)
                case Failed() as failed:
                    asker.wait(trial, failed)
                case _:
                    raise ModelFailed("a content filter stopped the texts", "filtered")

    def _attempt(
        self, texts: Sequence[str], counted: int, trial: Trial
    ) -> tuple[Vectors | None, Judgement]:
        asker = self._asker
        with asker.limiter.permit() as permit:
            asker.health.check()
            worst = self._spending(int(counted * self._ratio) + 1)
            asker.accounts.budget.reserve(worst)
            actual = worst
            try:
                vectors, judgement = self._send(texts, trial)
                actual = self._account(judgement, counted, worst, trial.work)
            finally:
                asker.accounts.budget.settle(worst, actual)
            asker.judge_load(permit, judgement)
        return vectors, judgement

    def _send(self, texts: Sequence[str], trial: Trial) -> tuple[Vectors | None, Judgement]:
        clocks, limits = self._asker.clocks, self._asker.limits
        body = {"model": self.spec.model, "input": list(texts), "encoding_format": "float"}
        began = clocks.monotonic()
        timeout = min(limits.timeout_seconds, trial.patience.left_seconds)
        try:
            response = self._asker.transport.send(body, timeout, EMBEDDINGS)
        except NoResponse as lost:
            return None, Failed(lost.kind, lost.what)
        finally:
            trial.patience.used_seconds += clocks.monotonic() - began
        if not 200 <= response.status < 300:
            return None, judge(response, (), clocks.now())
        found = read_vectors(response, len(texts))
        if found is None:
            return None, Failed("unreadable", "an answer without a vector for each text")
        return found[0], Finished("ok", usage=found[1])

    def _account(
        self, judgement: Judgement, counted: int, worst: Spending, work: WorkItem
    ) -> Spending:
        ledger = self._asker.accounts.ledger
        match judgement:
            case Finished(outcome="ok", usage=usage):
                given = usage.input_tokens if usage else counted
                ledger.answered(work, Tokens(given, estimated=usage is None))
                return self._spending(given)
            case Failed(cause="unanswered" | "unreadable"):
                ledger.failed(work)
                return worst
            case _:
                ledger.failed(work)
                return Spending()

    def _spending(self, tokens: int) -> Spending:
        prices = self._asker.accounts.prices
        return Spending.of(tokens, prices.cost_usd(self.spec.model, tokens, 0) if prices else 0.0)

    @property
    def _ratio(self) -> float:
        return 1.0 if self.spec.server in EXACT_SERVERS else FIRST_RATIO_ELSEWHERE


def vectors_key(spec: EmbedderSpec, texts: Sequence[str]) -> str:
    """Digest of all that decides the vectors of one request."""
    return digest([spec.model_dump_json(exclude={"base_url", "window_tokens"}), *texts])


_sessions: OpenSessions[EmbedderSpec, EmbeddingSession] = OpenSessions(
    "embedder", "embedding_session"
)


@contextmanager
def embedding_session(spec: EmbedderSpec, options: SessionOptions) -> Generator[EmbeddingSession]:
    """Open the session of an embedder for this process; vectors are kept in ``options.replies``.

    Raises SettingError, before anything is connected, for a setting that can't be used and for a
    host that the data may not go to.
    """
    model = ModelSpec(
        provider="openai",
        model=spec.model,
        base_url=spec.base_url,
        server=spec.server,
        family="chat",
        deployment=spec.deployment,
        output_tokens=1,
    )
    with open_asker(model, options) as asker:
        session = EmbeddingSession(spec, asker, VectorStore(options.replies))
        with _sessions.hold(spec, session):
            yield session


def embeddings_of(spec: EmbedderSpec) -> EmbeddingSession:
    """The open session of a specification; raises SettingError where there is none."""
    return _sessions.of(spec)


def _batches(texts: Sequence[str], places: Sequence[int]) -> Iterator[list[int]]:
    batch: list[int] = []
    held = 0
    for place in places:
        tokens = count_tokens(texts[place])
        if batch and (len(batch) == MOST_TEXTS or held + tokens > MOST_TOKENS):
            yield batch
            batch, held = [], 0
        batch.append(place)
        held += tokens
    if batch:
        yield batch
