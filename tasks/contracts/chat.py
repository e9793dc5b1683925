"""The chat-model protocol: structured output in, a validated object and its usage out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, Protocol, TypeVar

from pydantic import BaseModel

from tasks.contracts.dialogue import TokenUsage

Reply = TypeVar("Reply", bound=BaseModel)


@dataclass(frozen=True)
class ChatRequest(Generic[Reply]):
    """One request for a structured reply.

    ``render`` makes the system and the task message of ``payload``, the structured input: a
    language model reads the messages, the programmatic provider reads the payload.
    """

    render: Callable[[], tuple[str, str]]
    payload: BaseModel
    response_model: type[Reply]

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

    def complete(self, request: ChatRequest[Reply]) -> ChatReply[Reply]:
        """Answer one request.

        Raises ItemFailed for a request that can never be answered and ProviderUnavailable for a
        provider that can't be reached.
        """
        ...
