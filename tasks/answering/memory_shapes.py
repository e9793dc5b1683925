"""What a memory strategy asks a model, and the shapes in which it answers."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from tasks.answering.replies import Draft
from tasks.answering.timeline import ContextLine

MOST_CANDIDATES = 32
MOST_SUMMARY_CHARACTERS = 1_200


class Candidate(Draft):
    """Something worth remembering."""

    time: str = Field(description="Time of the line it comes from: YYYY-MM-DD HH:MM:SS")
    text: str = Field(description="One sentence that can be understood alone")


class TypedCandidate(Candidate):
    """The same with its kind."""

    kind: str = Field(
        description="core, episodic or semantic",
        json_schema_extra={"enum": ["core", "episodic", "semantic"]},
    )


class CandidatesReply(Draft):
    """What is worth remembering of some lines."""

    candidates: list[Candidate] = Field(
        description="In time order; none where nothing is",
        json_schema_extra={"maxItems": MOST_CANDIDATES},
    )


class TypedCandidatesReply(Draft):
    """The same with kinds."""

    candidates: list[TypedCandidate] = Field(
        description="In time order; none where nothing is",
        json_schema_extra={"maxItems": MOST_CANDIDATES},
    )


class Decision(Draft):
    """What is to be done with one observation."""

    observation: int = Field(description="Number of the observation")
    operation: str = Field(
        description="ADD, UPDATE, DELETE or NOOP",
        json_schema_extra={"enum": ["ADD", "UPDATE", "DELETE", "NOOP"]},
    )
    memory: int | None = Field(default=None, description="Number of the memory; null for ADD")
    text: str = Field(default="", description="For UPDATE: the memory's new text; else empty")


class DecisionsReply(Draft):
    """What is to be done with all of them."""

    decisions: list[Decision] = Field(
        description="One for each observation, in their order",
        json_schema_extra={"maxItems": MOST_CANDIDATES},
    )


class SummaryReply(Draft):
    """The running summary."""

    summary: str = Field(description="One paragraph")


class _Input(BaseModel):
    model_config = ConfigDict(frozen=True, arbitrary_types_allowed=True)


class ExtractInput(_Input):
    """What candidates are taken from."""

    summary: str = Field(description="The running summary")
    existing: tuple[ContextLine, ...] = Field(description="Memories shown; none for most")
    lines: tuple[ContextLine, ...] = Field(description="The turns of a chunk")


class DecideInput(_Input):
    """What is decided about; both are numbered from 1."""

    memories: tuple[ContextLine, ...] = Field(description="Memories like the candidates")
    candidates: tuple[ContextLine, ...] = Field(description="The new observations")


class SummaryInput(_Input):
    """What the summary has to cover."""

    summary: str = Field(description="The running summary so far")
    added: tuple[ContextLine, ...] = Field(description="The new observations")
