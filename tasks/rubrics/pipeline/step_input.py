"""What a step of the pipeline is given, and the frame of what it makes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tasks.contracts.rubric_trace import RoleOutput
from tasks.contracts.rubrics import (
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
from tasks.rubrics.asking import Asked, name_of
from tasks.rubrics.retrieval.searching import EvidenceSearch


@dataclass(frozen=True)
class StepInput:
    """What a step is given: the query, the outputs it reads, its model, the search."""

    query: Query
    variant: Variant
    given: Mapping[Role, RoleOutput]
    asked: Asked
    search: EvidenceSearch | None = None

    @property
    def plan(self) -> SearchPlan:
        """The router's plan; without a router the query as it is."""
        routed = self.given.get("router")
        if routed is not None and routed.plan is not None:
            return routed.plan
        return SearchPlan(intent_category="", search_queries=(self.query.question,))

    @property
    def hits(self) -> tuple[SearchHit, ...]:
        """What the searches found."""
        return self.given["search"].hits or ()

    @property
    def sources(self) -> tuple[SourceText, ...]:
        """The main texts that were read."""
        found = self.given.get("extraction")
        return (found.sources or ()) if found else ()

    @property
    def evidence(self) -> EvidenceBlock | None:
        """The evidence block, where this step reads it."""
        found = self.given.get("evidence")
        return found.evidence if found else None

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The facts: those after the relevance filter where this step reads them."""
        found = self.given.get("relevance") or self.given.get("facts")
        return (found.facts or ()) if found else ()

    @property
    def intent(self) -> tuple[IntentItem, ...]:
        """The intent items."""
        found = self.given.get("intent")
        return (found.intent or ()) if found else ()

    @property
    def known_ids(self) -> frozenset[str]:
        """Ids that a criterion may rest on."""
        ids = {one.fact_id for one in self.facts} | {one.intent_id for one in self.intent}
        if self.evidence is not None:
            ids |= {id for one in self.evidence.evidence_sources for id in one.passage_ids}
        return frozenset(ids)


def output(step: StepInput, role: Role, **made: object) -> RoleOutput:
    """What a step made, with who made it."""
    generator = name_of(step.asked.model)
    return RoleOutput.model_validate(
        {"role": role, "query_id": step.query.query_id, "generator": generator, **made}
    )
