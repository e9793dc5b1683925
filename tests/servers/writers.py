"""Simple writers for the test server."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from tests.servers.chat_app import Writer
from tests.servers.faults import Message


@dataclass
class FixedWriter:
    """Answers every request with the same object."""

    reply: dict[str, Any]

    def __call__(self, messages: Sequence[Message]) -> dict[str, Any]:
        return self.reply


@dataclass
class EchoWriter:
    """Answers with the last message, so that a client sees which reply belongs to what."""

    def __call__(self, messages: Sequence[Message]) -> dict[str, Any]:
        return {"text": messages[-1]["content"]}


@dataclass
class FirstOf:
    """Asks one writer after the other until one has an answer."""

    writers: Sequence[Writer]

    def __call__(self, messages: Sequence[Message]) -> str | dict[str, Any]:
        for writer in self.writers:
            with suppress(LookupError):
                return writer(messages)
        raise LookupError("no writer has an answer")


@dataclass
class ScriptWriter:
    """Answers with each reply in turn, then with the last one for ever."""

    replies: Sequence[str | dict[str, Any]]
    asked: list[Sequence[Message]] = field(default_factory=list[Sequence[Message]])

    def __call__(self, messages: Sequence[Message]) -> str | dict[str, Any]:
        self.asked.append(messages)
        return self.replies[min(len(self.asked), len(self.replies)) - 1]
