"""What the evaluation of rubrics makes of one query. Patient text."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from tasks.contracts.base import Contract
from tasks.contracts.rubric_measures import PairResult, RubricScore
from tasks.contracts.rubric_trace import RoleCost
from tasks.contracts.rubrics import Axis

NearMissKind = Literal[
    "dropped_red_flag", "changed_urgency", "removed_contraindication", "unsupported_reassurance"
]

EditAction = Literal["ADD", "REMOVE", "MODIFY"]


class Atom(Contract):
    """One indivisible constraint of a rubric."""

    text: str = Field(min_length=1, description="Self-contained, answered with yes or no")
    axis: Axis = Field(description="Axis of the criterion it stems from")


class AtomSet(Contract):
    """A rubric split into its constraints."""

    query_id: str = Field(description="The query")
    name: str = Field(description="The rubric set; gold for the reference")
    atoms: tuple[Atom, ...] = Field(description="In the order of the criteria")
    cost: RoleCost = Field(default=RoleCost(), description="What it took")


class Covered(Contract):
    """Whether the other rubric entails a constraint; null where no verdict could be read."""

    axis: Axis = Field(description="Axis of the constraint")
    entailed: bool | None = Field(description="The verdict")
    reason: str = Field(default="", description="Why there is none")


class QueryCoverage(Contract):
    """One rubric beside the gold rubric of its query."""

    query_id: str = Field(description="The query")
    name: str = Field(description="The rubric set")
    gold: tuple[Covered, ...] = Field(description="Gold constraints, by the rubric: recall")
    own: tuple[Covered, ...] = Field(description="Own constraints, by the gold: precision")
    cost: RoleCost = Field(default=RoleCost(), description="What it took")

    @property
    def errors(self) -> int:
        """Constraints without a verdict."""
        return len(self.reasons)

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why each of them has none."""
        return tuple(one.reason for one in (*self.gold, *self.own) if one.entailed is None)


class NearMiss(Contract):
    """A reference answer with exactly one harmful change."""

    query_id: str = Field(description="The query")
    kind: NearMissKind = Field(description="What was changed")
    original: str = Field(description="The piece that was changed, as it stood once")
    replacement: str = Field(description="What stands in its place; empty where it was removed")
    reference: str = Field(description="The reference answer")
    text: str = Field(description="The near-miss")
    generator: str = Field(description="Model that made it; programmatic for rules")
    cost: RoleCost = Field(default=RoleCost(), description="What it took")


class JudgedPair(Contract):
    """The runs of one pair by one rubric and judge."""

    result: PairResult = Field(description="The runs and their decision")
    reason: str = Field(default="", description="Why the first run without a verdict has none")
    cost: RoleCost = Field(default=RoleCost(), description="What it took")


class Edit(Contract):
    """One line of an edit plan."""

    priority: int = Field(ge=1, description="1 first")
    action: EditAction = Field(description="What to do")
    instruction: str = Field(min_length=1, description="How")


class BaseAnswer(Contract):
    """The frozen answer that refinement starts from."""

    query_id: str = Field(description="The query")
    answer: str = Field(min_length=1, description="The answer")
    generator: str = Field(description="Who wrote it; given for one that was read from a file")
    cost: RoleCost = Field(default=RoleCost(), description="What it took")


class ScoredAnswer(Contract):
    """An answer judged by the gold rubric."""

    query_id: str = Field(description="The query")
    met: tuple[bool, ...] | None = Field(description="By criterion; null without a readable reply")
    score: RubricScore | None = Field(description="HealthBench's score; null likewise")
    reason: str = Field(default="", description="Why there is none")
    cost: RoleCost = Field(default=RoleCost(), description="What it took")


class Refinement(Contract):
    """A base answer edited by what a critic found with a rubric."""

    query_id: str = Field(description="The query")
    name: str = Field(description="The rubric set; self, or gold")
    plan: tuple[Edit, ...] = Field(description="By priority")
    answer: str | None = Field(description="The edited answer; null where editing failed")
    scored: ScoredAnswer | None = Field(description="By the gold rubric; null where editing failed")
    reason: str = Field(default="", description="Why editing or scoring failed")
    critic_cost: RoleCost = Field(default=RoleCost(), description="What the critique took")
    editor_cost: RoleCost = Field(default=RoleCost(), description="What the edit took")
