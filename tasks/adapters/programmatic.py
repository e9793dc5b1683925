"""The embedded provider: replies derived from the record by rules. Not a language model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from pydantic import BaseModel

from tasks.contracts.chat import ChatReply, ChatRequest, Reply
from tasks.contracts.dialogue import TokenUsage
from tasks.contracts.errors import ItemFailed

Rules = Callable[[Any], BaseModel]


@dataclass(frozen=True)
class ProgrammaticModel:
    """Answers a request by the rules registered for its response model; no network, no key.

    Deterministic: the reply depends on the request's payload alone.
    """

    rules: Mapping[type[BaseModel], Rules]
    version: str

    @property
    def provider(self) -> str:
        """Always ``programmatic``."""
        return "programmatic"

    @property
    def model(self) -> str:
        """Name and version of the rules."""
        return f"programmatic-{self.version}"

    @property
    def temperature(self) -> float | None:
        """None: nothing is sampled."""
        return None

    @property
    def used(self) -> TokenUsage:
        """Nothing: no tokens are read or written."""
        return TokenUsage()

    def complete(self, request: ChatRequest[Reply]) -> ChatReply[Reply]:
        """Apply the rules to the payload; raises ItemFailed where none are registered."""
        # A shape with bounds for servers is answered as the shape it was made of.
        known = (self.rules.get(shape) for shape in request.response_model.__mro__)
        rules = next((one for one in known if one is not None), None)
        if rules is None:
            raise ItemFailed(
                f"the programmatic provider has no rules for {request.response_model.__name__}"
            )
        return ChatReply(parsed=cast("Reply", rules(request.payload)), usage=TokenUsage())
