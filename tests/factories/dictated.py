"""A chat model whose every reply is dictated, and which keeps what it was asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, cast

from tasks.contracts.chat import ChatReply, ChatRequest, Reply
from tasks.contracts.dialogue import TokenUsage
from tasks.contracts.errors import AnamnesisError, ReplyMalformed

Said = dict[str, Any] | str | AnamnesisError


@dataclass
class DictatedModel:
    """Replies by a function of the request and its number.

    A text that isn't a reply of the shape is raised as a malformed reply.
    """

    says: Callable[[ChatRequest[Any], int], Said]
    requests: list[ChatRequest[Any]] = field(default_factory=list[ChatRequest[Any]])
    provider: str = "openai"
    model: str = "scripted"
    temperature: float | None = 0.0

    @property
    def used(self) -> TokenUsage:
        return TokenUsage()

    def complete(self, request: ChatRequest[Reply]) -> ChatReply[Reply]:
        said = self.says(request, len(self.requests))
        self.requests.append(request)
        if isinstance(said, AnamnesisError):
            raise said
        if isinstance(said, str):
            raise ReplyMalformed("no JSON", said, ("the reply holds no JSON object",))
        parsed = request.response_model.model_validate(said)
        return ChatReply(parsed=cast("Reply", parsed), usage=TokenUsage())


def dictated(*script: Said) -> DictatedModel:
    """A model that says these, in order."""
    return DictatedModel(lambda _request, number: script[number])
