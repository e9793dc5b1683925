"""What a judge is asked, and what it replies."""

from __future__ import annotations

from functools import partial
from string import Template

from pydantic import Field, StrictBool

from tasks.adapters.prompts import fenced
from tasks.adapters.resources import read_prompt
from tasks.contracts.base import Contract
from tasks.contracts.chat import ChatRequest

OUTPUT_TOKENS = 1_024
"""What a verdict may take at most (spec section 9)."""


class VerdictTask(Contract):
    """One answer to judge. It doesn't say which system gave the answer. Patient text."""

    question: str = Field(description="The question")
    gold: str = Field(description="The right answer")
    candidate: str = Field(description="The answer to judge")


class VerdictReply(Contract):
    """A judge's verdict."""

    correct: StrictBool = Field(description="Whether the answer agrees with the gold answer")


def verdict_request(task: VerdictTask, attempt: int) -> ChatRequest[VerdictReply]:
    """The request for one verdict; each attempt is a request of its own, with its own seed."""
    return ChatRequest(
        partial(_render, task),
        task,
        VerdictReply,
        attempt=attempt,
        maximum_output_tokens=OUTPUT_TOKENS,
    )


def _render(task: VerdictTask) -> tuple[str, str]:
    asked = Template(read_prompt("judging", "task.md")).substitute(
        question=fenced(task.question, "the question"),
        gold=fenced(task.gold, "the gold answer"),
        candidate=fenced(task.candidate, "the answer to judge"),
    )
    return read_prompt("judging", "system.md"), asked
