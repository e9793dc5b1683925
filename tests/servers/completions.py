"""Makes the response to a chat completion request, whole or spoilt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from tasks.adapters.tokens import count_tokens
from tests.servers.faults import Fault, Message
from tests.servers.spoiling import spoil

_REASONING = "Thinking about the order of the turns."
_REFUSAL = "I'm sorry, I can't help with that request."
_TOKENS_A_MESSAGE = 4

Count = Callable[[str], int]


@dataclass(frozen=True)
class Usage:
    """Tokens of a request and its reply."""

    prompt_tokens: int
    completion_tokens: int

    def body(self) -> dict[str, Any]:
        """As a response states it."""
        return {
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens,
            "total_tokens": self.prompt_tokens + self.completion_tokens,
            "prompt_tokens_details": {"cached_tokens": 0},
        }


@lru_cache(maxsize=4096)
def tokens_of(text: str) -> int:
    """o200k tokens of a text; those of a prompt that comes again are remembered."""
    return count_tokens(text)


def estimated_tokens(text: str) -> int:
    """A count that costs no time, for servers whose speed matters more than their usage."""
    return len(text) // 3


def prompt_tokens(messages: Sequence[Message], count: Count) -> int:
    """Tokens of all messages with what separates them."""
    return sum(count(message["content"]) + _TOKENS_A_MESSAGE for message in messages)


def complete(
    body: dict[str, Any], content: str, fault: Fault | None, count: Count
) -> tuple[dict[str, Any], Usage]:
    """The response's JSON, but for its id and time, and the usage it states.

    A reply longer than the request allows is cut, as by a real model.
    """
    content = spoil(content, fault)
    limit = body.get("max_completion_tokens") or body.get("max_tokens")
    written = count(content)
    finish_reason = "stop"
    if fault is Fault.LENGTH or (limit is not None and written > limit):
        allowed = min(limit or written, max(1, written * 2 // 3))
        content = content[: len(content) * allowed // written]
        written, finish_reason = allowed, "length"
    message, finish_reason = _message(content, fault, finish_reason)
    read = prompt_tokens(body["messages"], count)
    usage = Usage(read // 3 if fault is Fault.PROMPT_CUT else read, written)
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": finish_reason}
    response: dict[str, Any] = {
        "object": "chat.completion",
        "model": body["model"],
        "system_fingerprint": "fp_test",
        "choices": _choices(choice, fault),
    }
    if fault is not Fault.NO_USAGE:
        response["usage"] = usage.body()
    return response, usage


def _choices(choice: dict[str, Any], fault: Fault | None) -> list[dict[str, Any]] | None:
    if fault is Fault.CHOICES_NULL:
        return None
    return [] if fault is Fault.CHOICES_EMPTY else [choice]


def _message(content: str, fault: Fault | None, finish_reason: str) -> tuple[dict[str, Any], str]:
    message: dict[str, Any] = {"role": "assistant", "content": content, "refusal": None}
    if fault is Fault.REFUSAL:
        message.update(content=None, refusal=_REFUSAL)
    elif fault is Fault.CONTENT_NULL:
        message.update(content=None, reasoning_content=_REASONING)
    elif fault is Fault.CONTENT_EMPTY:
        message["content"] = ""
    elif fault is Fault.CONTENT_FILTER:
        message["content"] = content[: len(content) // 4]
        return message, "content_filter"
    elif fault is Fault.LENGTH_WHOLE:
        return message, "length"
    return message, finish_reason
