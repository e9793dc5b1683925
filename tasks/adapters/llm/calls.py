"""A request as a server gets it: messages, shape of the reply, parameters."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from pydantic import BaseModel

from tasks.adapters.llm.dialects import Dialect
from tasks.adapters.llm.schema import response_format, schema_instruction
from tasks.adapters.models import ModelSpec, WorkItem
from tasks.adapters.recipe import digest
from tasks.adapters.tokens import count_tokens
from tasks.contracts.chat import ChatRequest

Messages = list[dict[str, str]]

TOKENS_A_MESSAGE = 16
"""More than any chat template adds to a message."""

# Repairs and second attempts send the same messages again; counting one can take milliseconds.
_count = lru_cache(maxsize=256)(count_tokens)


@dataclass(frozen=True)
class Call:
    """One request to the model of a specification. Patient text."""

    spec: ModelSpec
    system_message: str = field(repr=False)
    conversation: tuple[tuple[str, str], ...] = field(repr=False)
    response_model: type[BaseModel]
    attempt: int
    output_limit: int
    task_tokens: int | None = None

    @classmethod
    def of(cls, spec: ModelSpec, request: ChatRequest[Any], output_limit: int) -> Call:
        """The call that a domain's request makes."""
        said = [("user", request.task_message)]
        for exchange in request.exchanges:
            said += [("assistant", exchange.reply), ("user", exchange.answer)]
        return cls(
            spec=spec,
            system_message=request.system_message,
            conversation=tuple(said),
            response_model=request.response_model,
            attempt=request.attempt,
            output_limit=output_limit,
            task_tokens=request.task_tokens,
        )

    def key(self, work: WorkItem, dialect: Dialect) -> str:
        """Digest of all that decides the reply; ``dialect`` is the configured one, so that what is
        learnt of a server in between changes no key.
        """
        spec = self.spec.model_dump_json(
            exclude={"base_url", "context_tokens", "output_tokens", "turns"}
        )
        schema = response_format(self.response_model, dialect.server)
        return digest(
            [
                spec,
                json.dumps(self.messages(dialect), ensure_ascii=True),
                json.dumps(schema, sort_keys=True),
                json.dumps(dialect.family.model_dump(mode="json"), sort_keys=True),
                f"{self.response_model.__name__} {self.attempt} {self.output_limit}",
                work.model_dump_json(),
            ]
        )

    def messages(self, dialect: Dialect) -> Messages:
        """The messages as the server reads them."""
        instruction = schema_instruction(self.response_model, dialect.server)
        system = f"{self.system_message}\n\n{instruction}" if instruction else self.system_message
        said = [("system", system), *self.conversation]
        return [{"role": role, "content": content} for role, content in said]

    def body(self, dialect: Dialect, output_limit: int) -> Mapping[str, Any]:
        """The JSON body of the HTTP request."""
        family = dialect.family
        body: dict[str, Any] = {"model": self.spec.model, "messages": self.messages(dialect)}
        shape = response_format(self.response_model, dialect.server)
        if shape is not None:
            body["response_format"] = shape
        body[family.output_parameter] = output_limit
        if family.temperature and self.spec.temperature is not None:
            body["temperature"] = self.spec.temperature
        if family.temperature and self.spec.top_p is not None:
            body["top_p"] = self.spec.top_p
        if family.seed:
            body["seed"] = self.spec.seed + self.attempt
        return body | family.extra_parameters

    def prompt_tokens(self, dialect: Dialect) -> int:
        """Tokens of the messages alone, by the o200k_base vocabulary."""
        system, task, *others = (message["content"] for message in self.messages(dialect))
        counted = self.task_tokens if self.task_tokens is not None else _count(task)
        return _count(system) + counted + sum(map(_count, others))

    def overhead_tokens(self, dialect: Dialect) -> int:
        """What a server may count beside the messages: their frames and the shape of the reply."""
        shape = response_format(self.response_model, dialect.server)
        schema = _count(json.dumps(shape)) if shape is not None else 0
        return schema + TOKENS_A_MESSAGE * (1 + len(self.conversation))
