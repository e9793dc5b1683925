"""A language model as domains see it: one request in, one validated reply out."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod

from tasks.adapters.llm.asking import Asker
from tasks.adapters.llm.calls import Call
from tasks.adapters.llm.dialects import Dialect
from tasks.adapters.llm.reading import read_reply
from tasks.adapters.llm.reply_store import KeptReply, ReplyStore
from tasks.adapters.models import ModelSpec, WorkItem
from tasks.contracts.chat import ChatReply, ChatRequest, Reply
from tasks.contracts.dialogue import TokenUsage
from tasks.contracts.errors import ModelFailed

_UNANSWERED = {
    "refused": "the model declined the request",
    "filtered": "a content filter stopped the request or its reply",
    "truncated": "the reply was cut at its output limit",
}


class AskedModel(ABC):
    """What a language model's reply is taken for, wherever the reply comes from.

    ``dialect`` is the configured one.
    """

    def __init__(self, spec: ModelSpec, dialect: Dialect) -> None:
        self._spec = spec
        self._dialect = dialect
        self._lock = threading.Lock()
        self._input_tokens = 0
        self._output_tokens = 0

    @property
    def provider(self) -> str:
        """Always ``openai``: the protocol, whoever runs the server."""
        return "openai"

    @property
    def model(self) -> str:
        """Name of the model as it is asked for."""
        return self._spec.model

    @property
    def temperature(self) -> float | None:
        """Sampling temperature; None where the model's family takes none."""
        return self._spec.temperature if self._dialect.family.temperature else None

    @property
    def used(self) -> TokenUsage:
        """Tokens of everything this handle was answered, also from replies kept before."""
        return TokenUsage(input_tokens=self._input_tokens, output_tokens=self._output_tokens)

    def complete(self, request: ChatRequest[Reply]) -> ChatReply[Reply]:
        """Answer one request, from a kept reply where there is one.

        A reply that is cut at its output limit is asked for once more with twice that. Raises
        ReplyMalformed, another ModelFailed, or ProviderUnavailable.
        """
        limit = self._spec.output_tokens
        if request.maximum_output_tokens is not None and not self._dialect.family.thinks:
            limit = min(limit, request.maximum_output_tokens)
        kept = self._taken(Call.of(self._spec, request, limit))
        if kept.outcome == "truncated":
            kept = self._larger_reply(request, 2 * limit) or kept
        if kept.outcome != "ok":
            raise ModelFailed(
                f"{_UNANSWERED[kept.outcome]} ({kept.input_tokens} prompt tokens, "
                f"{kept.output_tokens} of the reply)",
                kept.outcome,
            )
        return ChatReply(
            parsed=read_reply(kept.content, request.response_model),
            usage=TokenUsage(input_tokens=kept.input_tokens, output_tokens=kept.output_tokens),
            request_timestamp=kept.request_timestamp,
            response_id=kept.response_id,
            latency_ms=kept.latency_ms,
        )

    def _larger_reply(self, request: ChatRequest[Reply], limit: int) -> KeptReply | None:
        """The reply with a larger output limit; None where neither context nor model take one."""
        try:
            return self._taken(Call.of(self._spec, request, limit))
        except ModelFailed as failure:
            if failure.outcome in ("context_too_long", "permanent"):
                return None
            raise

    def _taken(self, call: Call) -> KeptReply:
        kept = self._reply(call)
        with self._lock:
            self._input_tokens += kept.input_tokens
            self._output_tokens += kept.output_tokens
        return kept

    @abstractmethod
    def _reply(self, call: Call) -> KeptReply:
        """The finished reply to a call, however it ended; raises as ``complete`` does."""


class LanguageModel(AskedModel):
    """The model of a session, asked for one item of work; safe to use from threads."""

    def __init__(self, spec: ModelSpec, work: WorkItem, asker: Asker, store: ReplyStore) -> None:
        super().__init__(spec, asker.dialects.configured)
        self._work = work
        self._asker = asker
        self._store = store

    def _reply(self, call: Call) -> KeptReply:
        key = call.key(self._work, self._dialect)
        ledger = self._asker.accounts.ledger
        with self._store.exclusively(key):
            kept = self._store.get(self._work.subject_id, key)
            if kept is not None:
                ledger.replayed(self._work)
            else:
                kept = self._asker.ask(call, self._work)
                self._store.put(self._work.subject_id, key, kept)
        return kept
