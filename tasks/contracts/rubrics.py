"""Queries, rubrics and what a rubric rests on (arXiv 2601.15161, sections 1 and 2)."""

from __future__ import annotations

from typing import Literal, Self, get_args

from pydantic import Field, model_validator

from tasks.contracts.base import Contract

Axis = Literal[
    "accuracy",
    "completeness",
    "context_awareness",
    "communication_quality",
    "instruction_following",
]
AXES: tuple[Axis, ...] = get_args(Axis)

LARGEST_WEIGHT = 10
MOST_CRITERIA = 20

Speaker = Literal["user", "assistant"]

Role = Literal[
    "router",
    "search",
    "reranker",
    "extraction",
    "evidence",
    "facts",
    "relevance",
    "intent",
    "rubric",
    "auditor",
]
"""The steps of the pipeline, in their order; search and extraction ask no model."""
ROLES: tuple[Role, ...] = get_args(Role)

Variant = Literal[
    "full",
    "without-router",
    "without-atomic",
    "without-intent",
    "without-audit",
    "generic",
    "direct",
]
"""The whole pipeline, its four ablations, and the two baselines."""
VARIANTS: tuple[Variant, ...] = get_args(Variant)

GOLD = "gold"
"""The gold rubric among the sets: what may be reached at most."""
NONE = "none"
"""The direct comparison of answers without a rubric: decisions, no weights."""
SELF = "self"
"""The critique of an answer without a rubric: what may be reached at least."""
CONTROLS = frozenset({GOLD, NONE, SELF})

FactKind = Literal["positive", "negative", "red_flag"]

Language = Literal["en", "zh"]


class Message(Contract):
    """One turn of the conversation that a query is. Patient text."""

    speaker: Speaker = Field(description="Who speaks")
    text: str = Field(description="What is said")


class Query(Contract):
    """What an answer is asked for. Patient text."""

    query_id: str = Field(description="Plain id, also the name of files")
    language: Language = Field(description="zh where most letters are Chinese, else en")
    messages: tuple[Message, ...] = Field(min_length=1, description="The last one is the user's")

    @property
    def question(self) -> str:
        """The user's last turn."""
        return self.messages[-1].text

    @property
    def said(self) -> str:
        """All that the user said, in its order."""
        return "\n".join(one.text for one in self.messages if one.speaker == "user")

    @property
    def conversation(self) -> str:
        """The whole conversation, a speaker a paragraph."""
        return "\n".join(f"{one.speaker.capitalize()}: {one.text}" for one in self.messages)


class Criterion(Contract):
    """One criterion of a rubric; a negative weight names what a good answer must not do."""

    criterion: str = Field(min_length=1, description="What a judge answers with yes or no")
    axis: Axis = Field(description="One of HealthBench's axes")
    points: int = Field(ge=-LARGEST_WEIGHT, le=LARGEST_WEIGHT, description="Weight, never 0")
    support: tuple[str, ...] = Field(
        default=(),
        description="Ids of facts (f…), intent items (i…) or passages (p…) that it rests on",
    )

    @model_validator(mode="after")
    def _refuse_weightless(self) -> Self:
        if self.points == 0:
            raise ValueError("points: found 0, expected a whole number from -10 to 10 but 0")
        return self


class Rubric(Contract):
    """The criteria by which answers to one query are judged."""

    query_id: str = Field(description="The query")
    criteria: tuple[Criterion, ...] = Field(description="In their order")


class RubricSet(Contract):
    """Rubrics of one origin, for example a variant of the pipeline."""

    name: str = Field(description="Name in tables")
    variant: Variant | None = Field(default=None, description="Null for rubrics of other origin")
    rubrics: tuple[Rubric, ...] = Field(description="One a query")


class ReadingCount(Contract):
    """How often a rule repaired or refused something of a file."""

    source: str = Field(description="Name of the file")
    rule: str = Field(description="Rule, explained in docs/rubrics-data.md")
    action: Literal["repaired", "refused", "kept"] = Field(description="What came of it")
    count: int = Field(ge=1, description="How often")
    first: tuple[str, ...] = Field(description="Places of the first ones: line or query id")


class SearchPlan(Contract):
    """What the router makes of a query."""

    intent_category: str = Field(description="Kind of the request, a few words")
    search_queries: tuple[str, ...] = Field(description="What is searched for")


class SearchHit(Contract):
    """A place that a search found: a passage of the corpus, or a page of the web."""

    source_name: str = Field(description="Title of the page")
    url: str = Field(description="Address, or path below the corpus folder")
    snippet: str = Field(description="The passage found, or what the search engine shows of it")
    offset: int = Field(default=0, ge=0, description="Where it begins in the main text")
    score: float = Field(default=0.0, description="The search's own score, 0 where it gives none")


class Passage(Contract):
    """A piece of a source's main text."""

    passage_id: str = Field(description="p1, p2 … within a query")
    source: int = Field(ge=0, description="Place of its source in the list of sources")
    offset: int = Field(ge=0, description="Where it begins in the source's main text")
    text: str = Field(description="Its text, word for word")


class SourceText(Contract):
    """A picked source with its main text, cut into passages."""

    source_name: str = Field(description="Title of the page")
    url: str = Field(description="Address, or path below the corpus folder")
    fell_back: bool = Field(description="The main text could not be had: this is the snippet")
    characters: int = Field(ge=0, description="Length of the text that was read")
    passages: tuple[Passage, ...] = Field(description="In their order")


class EvidenceSource(Contract):
    """What one source says on a query."""

    source_name: str = Field(description="Title of the page")
    url: str = Field(description="Address, or path below the corpus folder")
    relevance: str = Field(description="Why it matters to the query")
    key_excerpt: str = Field(description="What it says, word for word")
    conflict_note: str = Field(default="", description="Where it disagrees with another source")
    passage_ids: tuple[str, ...] = Field(description="Where the excerpt stands")


class Synthesis(Contract):
    """What the sources say together."""

    consensus: tuple[str, ...] = Field(description="Statements that the sources share")
    contention: tuple[str, ...] = Field(default=(), description="Where they disagree")
    red_flags: tuple[str, ...] = Field(default=(), description="Signs that call for urgent care")
    regional_context: str = Field(default="", description="What depends on the place")


class EvidenceBlock(Contract):
    """The evidence for a query (section 2)."""

    intent_category: str = Field(description="Kind of the request")
    search_queries_used: tuple[str, ...] = Field(description="What was searched for")
    evidence_sources: tuple[EvidenceSource, ...] = Field(description="By source")
    synthesis: Synthesis = Field(description="What the sources say together")


class Fact(Contract):
    """One atomic medical fact with the passages that state it."""

    fact_id: str = Field(description="f1, f2 … within a query")
    kind: FactKind = Field(description="To be said, not to be done, or a danger sign")
    text: str = Field(description="The fact in one sentence")
    passage_ids: tuple[str, ...] = Field(min_length=1, description="Passages that state it")


class IntentItem(Contract):
    """One thing that a good answer heeds beside the medical facts."""

    intent_id: str = Field(description="i1, i2 … within a query")
    aspect: Literal["persona", "missing_context", "tone", "request"] = Field(
        description="What it is about"
    )
    text: str = Field(description="What it is")


class Dropped(Contract):
    """What a step left out, and why."""

    id: str = Field(description="Id of a fact, or place of a criterion")
    reason: str = Field(description="Why, in few words")
