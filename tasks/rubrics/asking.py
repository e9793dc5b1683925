"""Asks a model for a structured reply: judges it, has faults mended, counts what it took."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from string import Template
from typing import TypeVar

from pydantic import BaseModel, ConfigDict

from tasks.adapters.models import ModelSpec
from tasks.adapters.resources import read_prompt
from tasks.contracts.chat import ChatModel, ChatRequest
from tasks.contracts.errors import ReplyInvalid, ReplyMalformed
from tasks.contracts.rubric_trace import RoleCost

MAXIMUM_REPAIRS = 3

_SENT_BACK_CHARACTERS = 20_000
_TOLD_AT_ONCE = 20

Answer = TypeVar("Answer", bound=BaseModel)

Faults = tuple[str, ...]


class Draft(BaseModel):
    """What a model may send: fields beyond the asked ones are left unread."""

    model_config = ConfigDict(frozen=True, extra="ignore", hide_input_in_errors=True)


@dataclass
class Asked:
    """A model that is asked on behalf of one role; adds up what it took."""

    model: ChatModel
    _calls: int = field(default=0, init=False)
    _milliseconds: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        """Remember what the model's earlier replies took."""
        self._before = self.model.used

    @property
    def cost(self) -> RoleCost:
        """What it took since; tokens of replies that could not be read too, their latency not."""
        used = self.model.used
        return RoleCost(
            calls=self._calls,
            input_tokens=(used.input_tokens or 0) - (self._before.input_tokens or 0),
            output_tokens=(used.output_tokens or 0) - (self._before.output_tokens or 0),
            seconds=self._milliseconds / 1_000,
        )

    def reply(
        self,
        prompt: str,
        texts: Mapping[str, str],
        payload: BaseModel,
        shape: type[Answer],
        faults: Callable[[Answer], Faults] = lambda _reply: (),
        attempt: int = 0,
    ) -> Answer:
        """A reply without a fault; ``prompt`` names the task's file, ``texts`` fill it.

        Raises ReplyInvalid after three repairs, and ModelFailed for a request that the model
        doesn't answer.
        """
        request = ChatRequest(partial(render, prompt, dict(texts)), payload, shape, attempt=attempt)
        found: Faults = ()
        for _ in range(1 + MAXIMUM_REPAIRS):
            try:
                came = self.model.complete(request)
            except ReplyMalformed as error:
                self._count(None)
                found = error.violations or ("the reply is no JSON of the asked shape",)
                said = error.content
            else:
                self._count(came.latency_ms)
                found = faults(came.parsed)
                if not found:
                    return came.parsed
                said = came.parsed.model_dump_json()
            request = _sent_back(request, said, found)
        raise ReplyInvalid(
            f"{prompt}: the reply breaks {len(found)} rules after {MAXIMUM_REPAIRS} repairs",
            tuple(_public(one) for one in found),
        )

    def _count(self, latency_ms: int | None) -> None:
        if self.model.provider != "programmatic":
            self._calls += 1
            self._milliseconds += latency_ms or 0


def name_of(model: ChatModel | ModelSpec) -> str:
    """Name of a model as traces and tables state it; programmatic for rules."""
    return "programmatic" if model.provider == "programmatic" else model.model


def render(prompt: str, texts: Mapping[str, str]) -> tuple[str, str]:
    """System message and task message of a prompt file."""
    task = Template(read_prompt("rubrics", f"{prompt}.md")).substitute(texts)
    return read_prompt("rubrics", "system.md"), task


def _sent_back(
    request: ChatRequest[Answer], said: str, found: Sequence[str]
) -> ChatRequest[Answer]:
    if not said.strip():
        # Nothing to mend: another try, with another seed.
        return replace(request, attempt=request.attempt + 1_000)
    violations = "\n".join(f"- {one}" for one in found[:_TOLD_AT_ONCE])
    told = Template(read_prompt("rubrics", "repair.md")).substitute(violations=violations)
    return request.answered(said[:_SENT_BACK_CHARACTERS], told)


def _public(fault: str) -> str:
    """A fault's rule, without what it quotes."""
    return fault.partition(":")[0]
