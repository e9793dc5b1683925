"""How large a request is: what fits the context, what it may cost at most, what was cut off."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tasks.adapters.llm.calls import Call, Dialect
from tasks.contracts.errors import ModelFailed

EXACT_SERVERS = ("openai", "azure")
"""Servers whose models count tokens by the vocabulary used here."""

FIRST_RATIO_ELSEWHERE = 1.5
SMALLEST_SHARE_OF_LIMIT = 0.5
"""The output limit gives way to a long prompt, down to this share of what was asked for."""

SMALLEST_SHARE_READ = 0.7
SMALLEST_PROMPT_JUDGED = 500


@dataclass(frozen=True)
class SizedCall:
    """A call with its output limit and the tokens its prompt is expected to take."""

    call: Call
    dialect: Dialect
    prompt_tokens: int
    overhead_tokens: int
    output_limit: int

    def body(self) -> Mapping[str, Any]:
        """The JSON body of the HTTP request."""
        return self.call.body(self.dialect, self.output_limit)


def size_call(call: Call, dialect: Dialect) -> SizedCall:
    """Count a call's prompt and fit its output limit into the context that prompt leaves.

    Raises ModelFailed (context_too_long) where less than half of the asked limit is left.
    """
    prompt, context = call.prompt_tokens(dialect), call.spec.context_tokens
    limit = min(call.output_limit, context - prompt) if context else call.output_limit
    if limit < call.output_limit * SMALLEST_SHARE_OF_LIMIT:
        raise ModelFailed(
            f"the prompt takes about {prompt} tokens and the reply {call.output_limit}, the "
            f"context holds {context}: raise context_tokens where the server has more, lower "
            "output_tokens, or use a model with a larger context",
            "context_too_long",
        )
    return SizedCall(call, dialect, prompt, call.overhead_tokens(dialect), limit)


def largest_call(call: Call, dialect: Dialect) -> SizedCall:
    """A call whose prompt is longer than the one that will be sent: at most what a context takes,
    with the whole output limit, which a shorter prompt would leave.
    """
    prompt, context, limit = (
        call.prompt_tokens(dialect),
        call.spec.context_tokens,
        call.output_limit,
    )
    if context:
        prompt = min(prompt, context - int(limit * SMALLEST_SHARE_OF_LIMIT))
    return SizedCall(call, dialect, prompt, call.overhead_tokens(dialect), limit)


def refuse_cut_prompt(sized: SizedCall, reported_tokens: int) -> None:
    """Raise ModelFailed (prompt_cut) where a server read clearly less than it was sent."""
    expected = sized.prompt_tokens
    if expected > SMALLEST_PROMPT_JUDGED and reported_tokens < SMALLEST_SHARE_READ * expected:
        raise ModelFailed(
            f"the server read {reported_tokens} of about {expected} prompt tokens: it cuts long "
            "prompts. Raise its context (Ollama num_ctx, llama.cpp -c for each slot, vLLM "
            "--max-model-len) and set context_tokens to it",
            "prompt_cut",
        )


class PromptBound:
    """Most tokens a prompt may take: the count here, by the largest ratio that a server reported
    so far; other vocabularies than this one take more.
    """

    def __init__(self, server: str) -> None:
        self._ratio = 1.0 if server in EXACT_SERVERS else FIRST_RATIO_ELSEWHERE
        self._lock = threading.Lock()

    def of(self, sized: SizedCall) -> int:
        """Upper bound of a prompt's tokens."""
        return int(sized.prompt_tokens * self._ratio) + 1 + sized.overhead_tokens

    def learn(self, sized: SizedCall, reported_tokens: int) -> None:
        """Take a server's own count into account."""
        beyond = reported_tokens - sized.overhead_tokens
        with self._lock:
            self._ratio = max(self._ratio, beyond / max(1, sized.prompt_tokens))
