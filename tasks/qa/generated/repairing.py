"""Asks a language model, and sends back what is wrong with its reply."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from string import Template

from tasks.adapters.resources import read_prompt
from tasks.contracts.chat import ChatModel, ChatRequest, Reply
from tasks.contracts.errors import ModelFailed, ReplyMalformed

MAXIMUM_REPAIRS = 3
_TOO_LONG = ("truncated", "context_too_long", "prompt_cut")


@dataclass(frozen=True)
class Violation:
    """A rule that a reply breaks: in public words, and in words that may quote the reply."""

    public: str
    told: str

    @classmethod
    def plain(cls, words: str) -> Violation:
        """A violation whose words repeat nothing of the reply."""
        return cls(words, words)


Judge = Callable[[Reply], tuple[Violation, ...]]
"""Takes what is sound in a reply and names what is wrong with the rest."""


def ask_with_repairs(
    request: ChatRequest[Reply], judge: Judge[Reply], model: ChatModel
) -> tuple[Violation, ...]:
    """Ask, with the exact violations sent back at most three times; returns those left.

    A reply that is the one before it once more ends it, and so does a request or reply too long for
    the model: it can't put it right. Refused and filtered requests raise ModelFailed.
    """
    before, broken = "", tuple[Violation, ...]()
    for _ in range(1 + MAXIMUM_REPAIRS):
        try:
            reply = model.complete(request).parsed
            content, broken = reply.model_dump_json(), judge(reply)
        except ReplyMalformed as error:
            content = error.content
            broken = tuple(
                Violation("the reply is not of the asked shape", told) for told in error.violations
            )
        except ModelFailed as error:
            if error.outcome not in _TOO_LONG:
                raise
            return (Violation.plain(f"the request failed: {error.outcome}"),)
        if not broken or content == before:
            break
        before = content
        request = request.answered(content, _answer(broken))
    return broken


def _answer(broken: tuple[Violation, ...]) -> str:
    listed = "\n".join(f"- {violation.told}" for violation in broken)
    return Template(read_prompt("qa", "repair.md")).substitute(violations=listed)
