"""Queries, searches, models and traces for the tests of rubrics."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from pydantic import BaseModel

from tasks.adapters.programmatic import ProgrammaticModel, Rules
from tasks.contracts.chat import ChatModel, ChatReply, ChatRequest, Reply
from tasks.contracts.dialogue import TokenUsage
from tasks.contracts.errors import AnamnesisError
from tasks.contracts.rubric_trace import RoleOutput
from tasks.contracts.rubrics import Message, Query, Role, Variant
from tasks.rubrics.language import language_of
from tasks.rubrics.pipeline.rules import RULES
from tasks.rubrics.pipeline.running import run_role
from tasks.rubrics.pipeline.variants import reads_of, roles_of
from tasks.rubrics.retrieval.corpus import CorpusSearch
from tasks.rubrics.retrieval.pages import Page

GOUT = Page(
    "gout.md",
    "Gout",
    "Gout\n\nGout is caused by uric acid in the joints. Drink enough water with gout. "
    "Do not take aspirin in high doses with gout.\n\n"
    "A hot swollen joint with fever is an emergency and must be seen the same day.",
)
ASTHMA = Page("asthma.md", "Asthma", "Asthma\n\nAsthma narrows the airways. Inhale slowly.")


def query(text: str = "what helps against gout", query_id: str = "7") -> Query:
    return Query(
        query_id=query_id,
        language=language_of(text),
        messages=(Message(speaker="user", text=text),),
    )


def corpus() -> CorpusSearch:
    return CorpusSearch([GOUT, ASTHMA], "bm25")


def programmatic() -> ProgrammaticModel:
    return ProgrammaticModel(RULES, "1")


def run_variant(
    variant: Variant, asked: Query | None = None, model: ChatModel | None = None
) -> dict[Role, RoleOutput]:
    """All steps of a variant over the little corpus."""
    made: dict[Role, RoleOutput] = {}
    for role in roles_of(variant):
        given: Mapping[Role, RoleOutput] = {one: made[one] for one in reads_of(role, variant)}
        made[role] = run_role(
            role, asked or query(), variant, given, model or programmatic(), corpus()
        )
    return made


Said = BaseModel | AnamnesisError | Callable[[Any], BaseModel]


@dataclass
class ScriptedRoles:
    """A model that follows a script for some shapes of replies and the rules for the others.

    A script's entry is a reply, an error, or a change of what the rules reply; the last entry
    stays. Keeps what it was asked.
    """

    script: Mapping[type[BaseModel], Sequence[Said]]
    rules: Mapping[type[BaseModel], Rules] = field(default_factory=lambda: RULES)
    requests: list[ChatRequest[Any]] = field(default_factory=list[ChatRequest[Any]])
    provider: str = "openai"
    model: str = "scripted"
    temperature: float | None = 0.1

    @property
    def used(self) -> TokenUsage:
        asked = len(self.requests)
        return TokenUsage(input_tokens=10 * asked, output_tokens=5 * asked)

    def complete(self, request: ChatRequest[Reply]) -> ChatReply[Reply]:
        """What the script says, else what the rules say."""
        shape = request.response_model
        before = sum(one.response_model is shape for one in self.requests)
        self.requests.append(request)
        request.render()
        said = self.script.get(shape, ())
        entry = said[min(before, len(said) - 1)] if said else None
        if isinstance(entry, AnamnesisError):
            raise entry
        if isinstance(entry, BaseModel):
            parsed = entry
        else:
            parsed = self.rules[shape](request.payload)
            parsed = parsed if entry is None else entry(parsed)
        return ChatReply(
            parsed=cast("Reply", parsed),
            usage=TokenUsage(input_tokens=10, output_tokens=5),
            latency_ms=500,
        )
