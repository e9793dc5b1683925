"""The inspectable trace of a rubric: every intermediate of the pipeline. Patient text."""

from __future__ import annotations

from pydantic import Field

from tasks.contracts.base import Contract
from tasks.contracts.rubrics import (
    Criterion,
    Dropped,
    EvidenceBlock,
    Fact,
    IntentItem,
    Query,
    Role,
    SearchHit,
    SearchPlan,
    SourceText,
    Variant,
)


class RoleCost(Contract):
    """What one step took of a model; zeros where none was asked."""

    calls: int = Field(default=0, ge=0, description="Replies of the model")
    input_tokens: int = Field(default=0, ge=0, description="Prompt tokens")
    output_tokens: int = Field(default=0, ge=0, description="Completion tokens")
    seconds: float = Field(default=0.0, ge=0, description="Latency that the replies report")

    def __add__(self, other: RoleCost) -> RoleCost:
        """Both together."""
        return RoleCost(
            calls=self.calls + other.calls,
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            seconds=round(self.seconds + other.seconds, 3),
        )


class RoleOutput(Contract):
    """What one step made of a query; the field of its role is set."""

    role: Role = Field(description="The step")
    query_id: str = Field(description="The query")
    generator: str = Field(description="Model that made it; programmatic for rules")
    cost: RoleCost = Field(default=RoleCost(), description="What it took")
    plan: SearchPlan | None = Field(default=None, description="router")
    hits: tuple[SearchHit, ...] | None = Field(default=None, description="search")
    picked: tuple[int, ...] | None = Field(
        default=None, description="reranker: places of hits, best first"
    )
    sources: tuple[SourceText, ...] | None = Field(default=None, description="extraction")
    evidence: EvidenceBlock | None = Field(default=None, description="evidence")
    facts: tuple[Fact, ...] | None = Field(default=None, description="facts, relevance")
    intent: tuple[IntentItem, ...] | None = Field(default=None, description="intent")
    criteria: tuple[Criterion, ...] | None = Field(default=None, description="rubric, auditor")
    dropped: tuple[Dropped, ...] = Field(default=(), description="What it left out")


class Trace(Contract):
    """All that led to one query's rubric, role by role."""

    query: Query = Field(description="The query")
    variant: Variant = Field(description="The whole pipeline, an ablation or a baseline")
    outputs: tuple[RoleOutput, ...] = Field(description="In the order of the steps that ran")
    criteria: tuple[Criterion, ...] = Field(description="The rubric")

    def of(self, role: Role) -> RoleOutput | None:
        """What a step made, or None where it didn't run."""
        return next((one for one in self.outputs if one.role == role), None)

    @property
    def support_ids(self) -> frozenset[str]:
        """Ids that a criterion may rest on: facts after the relevance filter, intents, passages."""
        facts = self.of("relevance")
        intent = self.of("intent")
        sources = self.of("extraction")
        known = [one.fact_id for one in (facts.facts if facts and facts.facts else ())]
        known += [one.intent_id for one in (intent.intent if intent and intent.intent else ())]
        for source in sources.sources if sources and sources.sources else ():
            known += [one.passage_id for one in source.passages]
        return frozenset(known)
