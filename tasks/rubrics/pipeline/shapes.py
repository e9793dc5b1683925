"""What each role of the pipeline is given, and what it replies."""

from __future__ import annotations

from pydantic import Field

from tasks.contracts.base import Contract
from tasks.contracts.rubrics import (
    LARGEST_WEIGHT,
    Axis,
    Criterion,
    EvidenceBlock,
    Fact,
    IntentItem,
    Query,
    SearchHit,
    SearchPlan,
    SourceText,
)
from tasks.rubrics.asking import Draft

FEWEST_SEARCHES = 3
MOST_SEARCHES = 5
MOST_POSITIVE = 14
MOST_NEGATIVE = 5
MOST_RED_FLAGS = 6
"""Red flags and prohibitions stay criteria of their own, and a rubric has room for 20."""


class RouterTask(Contract):
    """A query to be searched for."""

    query: Query


class RouterReply(Draft):
    """What the user wants, and what to search for."""

    intent_category: str = Field(min_length=1, description="Kind of the request, a few words")
    search_queries: list[str] = Field(description="3 to 5 search queries")


class RerankTask(Contract):
    """What the searches found."""

    query: Query
    hits: tuple[SearchHit, ...]


class RerankReply(Draft):
    """The sources to read."""

    best: list[int] = Field(description="Numbers of the five best sources, best first")


class EvidenceTask(Contract):
    """The main texts of the sources."""

    query: Query
    plan: SearchPlan
    sources: tuple[SourceText, ...]


class CitedSource(Draft):
    """What one source says on the query."""

    source: int = Field(description="Number of the source")
    relevance: str = Field(description="Why it matters to the query")
    passage_ids: list[str] = Field(description="Passages that matter, most important first")
    conflict_note: str = Field(description="Where it disagrees with another source; else empty")


class EvidenceReply(Draft):
    """The evidence, source by source and together."""

    sources: list[CitedSource] = Field(description="Sources that say something on the query")
    consensus: list[str] = Field(description="Statements that the sources share")
    contention: list[str] = Field(description="Where they disagree")
    red_flags: list[str] = Field(description="Signs that call for urgent care")
    regional_context: str = Field(description="What depends on the place; else empty")


class FactsTask(Contract):
    """The evidence with the passages that it cites."""

    query: Query
    evidence: EvidenceBlock
    sources: tuple[SourceText, ...]


class DraftFact(Draft):
    """One atomic fact."""

    text: str = Field(min_length=1, description="One fact in one sentence")
    passage_ids: list[str] = Field(description="Passages that state it")


class FactsReply(Draft):
    """Atomic facts in three lists."""

    positive_facts: list[DraftFact] = Field(description="What a good answer says")
    negative_constraints: list[DraftFact] = Field(description="What must not be done or advised")
    safety_red_flags: list[DraftFact] = Field(description="Signs that call for urgent care")


class RelevanceTask(Contract):
    """Facts that may have nothing to do with the query."""

    query: Query
    facts: tuple[Fact, ...]


class RelevanceReply(Draft):
    """What to leave out."""

    irrelevant: list[str] = Field(description="Ids of facts that have no bearing on the query")


class IntentTask(Contract):
    """A query whose user is to be understood."""

    query: Query


class IntentReply(Draft):
    """What a good answer heeds beside medical facts."""

    persona: str = Field(min_length=1, description="Who asks, in a few words")
    missing_context: list[str] = Field(description="What has to be asked first, most important")
    tone: str = Field(min_length=1, description="How to speak to this user")
    requests: list[str] = Field(description="What the user asks of form, length, language, limits")


class RubricTask(Contract):
    """What a rubric is written from; evidence where there are no facts."""

    query: Query
    facts: tuple[Fact, ...] = ()
    intent: tuple[IntentItem, ...] = ()
    evidence: EvidenceBlock | None = None


class DraftCriterion(Draft):
    """One criterion."""

    criterion: str = Field(min_length=1, description="What a judge answers with yes or no")
    axis: Axis = Field(description="One of the five axes")
    points: int = Field(
        ge=-LARGEST_WEIGHT, le=LARGEST_WEIGHT, description="Weight from -10 to 10, never 0"
    )
    support: list[str] = Field(description="Ids of facts, intent items or passages behind it")


class RubricReply(Draft):
    """A draft rubric."""

    criteria: list[DraftCriterion] = Field(description="At most 20 criteria")


class AuditTask(Contract):
    """A draft rubric with all that it should rest on."""

    query: Query
    draft: tuple[Criterion, ...]
    facts: tuple[Fact, ...] = ()
    intent: tuple[IntentItem, ...] = ()
    evidence: EvidenceBlock | None = None


class AuditReply(Draft):
    """The audited rubric."""

    criteria: list[DraftCriterion] = Field(description="At most 20 criteria")


class DirectTask(Contract):
    """A query alone."""

    query: Query


class PlainCriterion(Draft):
    """One criterion that rests on nothing but the query."""

    criterion: str = Field(min_length=1, description="What a judge answers with yes or no")
    axis: Axis = Field(description="One of the five axes")
    points: int = Field(
        ge=-LARGEST_WEIGHT, le=LARGEST_WEIGHT, description="Weight from -10 to 10, never 0"
    )


class DirectReply(Draft):
    """A rubric in one step."""

    criteria: list[PlainCriterion] = Field(description="At most 20 criteria")
