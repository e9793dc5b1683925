"""A chat model with a script: it answers from the programmatic rules, changed reply by reply."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel

from tasks.adapters.programmatic import ProgrammaticModel, Rules
from tasks.contracts.chat import ChatModel, ChatReply, ChatRequest, Reply
from tasks.contracts.dialogue import TokenUsage

Change = Callable[[Any], BaseModel]


@dataclass
class ScriptedModel:
    """Stands for a language model: spoils its first replies as told, then answers rightly."""

    rules: Mapping[type[BaseModel], Rules]
    spoil: list[Change]
    messages: list[str] = field(default_factory=list[str])
    provider: str = "openai"
    model: str = "scripted"
    temperature: float | None = 0.2

    @property
    def used(self) -> TokenUsage:
        return TokenUsage(input_tokens=10, output_tokens=5)

    def complete(self, request: ChatRequest[Reply]) -> ChatReply[Reply]:
        """The right reply, spoilt while the script lasts."""
        self.messages.append(request.task_message)
        shape = request.response_model
        (rule,) = [rule for base, rule in self.rules.items() if issubclass(shape, base)]
        parsed = ProgrammaticModel({shape: rule}, "test").complete(request).parsed
        turn = len(self.messages) - 1
        if turn < len(self.spoil):
            parsed = request.response_model.model_validate(self.spoil[turn](parsed).model_dump())
        return ChatReply(
            parsed=parsed,
            usage=TokenUsage(input_tokens=10, output_tokens=5),
            request_timestamp="2026-01-02T03:04:05Z",
            response_id=f"reply-{turn + 1}",
            latency_ms=7,
        )


@dataclass
class WatchedModel:
    """Another model, and somebody who is told of each request before it and may raise."""

    inner: ChatModel
    on_request: Callable[[ChatRequest[Any]], None]

    @property
    def provider(self) -> str:
        return self.inner.provider

    @property
    def model(self) -> str:
        return self.inner.model

    @property
    def temperature(self) -> float | None:
        return self.inner.temperature

    @property
    def used(self) -> TokenUsage:
        return self.inner.used

    def complete(self, request: ChatRequest[Reply]) -> ChatReply[Reply]:
        self.on_request(request)
        return self.inner.complete(request)
