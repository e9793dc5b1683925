"""The chat-model protocol: structured output in, a validated object and its usage out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Generic, Protocol, TypeVar

from pydantic import BaseModel

from tasks.contracts.dialogue import TokenUsage

Reply = TypeVar("Reply", bound=BaseModel)


@dataclass(frozen=True)
class Exchange:
    """A reply of the model and what it was answered: patient text, never log it."""

    reply: str
    answer: str


@dataclass(frozen=True)
class ChatRequest(Generic[Reply]):
    """One request for a structured reply.

    ``render`` makes the system and the task message of ``payload``, the structured input: a
    language model reads the messages, the programmatic provider reads the payload. ``exchanges``
    follow the two messages when a reply is sent back. ``attempt`` counts regenerations from 0 and
    decides the seed; ``maximum_output_tokens`` is what the reply may take at most, null for the
    provider's own limit. ``task_tokens`` is the o200k_base count of the task message where whoever
    wrote it knows it: counting a long one again takes longer than anything else about it.
    """

    render: Callable[[], tuple[str, str]]
    payload: BaseModel
    response_model: type[Reply]
    exchanges: tuple[Exchange, ...] = ()
    attempt: int = 0
    maximum_output_tokens: int | None = None
    task_tokens: int | None = None

    def answered(self, reply: str, answer: str) -> ChatRequest[Reply]:
        """The request that sends a reply back with an answer, for example what is wrong with it."""
        return replace(self, exchanges=(*self.exchanges, Exchange(reply, answer)))

    @property
    def system_message(self) -> str:
        """What the model is and has to heed."""
        return self._messages[0]

    @property
    def task_message(self) -> str:
        """What it is asked for now."""
        return self._messages[1]

    @cached_property
    def _messages(self) -> tuple[str, str]:
        return self.render()


@dataclass(frozen=True)
class ChatReply(Generic[Reply]):
    """A validated reply; the last three are null where the provider has none."""

    parsed: Reply
    usage: TokenUsage
    request_timestamp: str | None = None
    response_id: str | None = None
    latency_ms: int | None = None


class ChatModel(Protocol):
    """A provider of structured replies; safe to call from several threads."""

    @property
    def provider(self) -> str:
        """``programmatic`` or ``openai``."""
        ...

    @property
    def model(self) -> str:
        """Name and version of the model, as records and recipes state it."""
        ...

    @property
    def temperature(self) -> float | None:
        """Sampling temperature, or null where none applies."""
        ...

    @property
    def used(self) -> TokenUsage:
        """Tokens of everything this handle was answered, also from replies kept before."""
        ...

    def complete(self, request: ChatRequest[Reply]) -> ChatReply[Reply]:
        """Answer one request.

        Raises ReplyMalformed for a reply that is not of the response model's shape, which can be
        sent back; another ModelFailed for a request that this model doesn't answer; and
        ProviderUnavailable for a provider that answers nobody.
        """
        ...
