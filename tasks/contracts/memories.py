"""What a memory strategy keeps of a timeline, and how it came to that. Patient text."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from tasks.contracts.base import Contract
from tasks.contracts.clock import Timestamp

MemoryKind = Literal["core", "episodic", "semantic", "fact"]
"""Kinds of mem-alpha; every other strategy keeps facts."""


class Memory(Contract):
    """One thing remembered of one admission."""

    memory_id: int = Field(ge=1, description="Position in the order of creation, from 1")
    text: str = Field(min_length=1, description="What is remembered")
    time: Timestamp = Field(description="When it was said")
    hadm_id: str = Field(description="The admission it was said in")
    kind: MemoryKind = Field(default="fact", description="Kind, where a strategy has several")
    created_by: int = Field(ge=1, description="Number of the update that made it")
    superseded_by: int | None = Field(
        default=None, description="Number of the update that replaced or deleted it"
    )

    @property
    def is_active(self) -> bool:
        """Whether it may still be recalled."""
        return self.superseded_by is None


class MemoryUpdate(Contract):
    """One line of the log: what was to be done with a candidate, and whether it was."""

    number: int = Field(ge=1, description="Position in the log, from 1")
    hadm_id: str = Field(description="The admission the candidate comes from")
    chunk: int = Field(ge=1, description="Chunk of that admission, from 1")
    operation: str = Field(description="ADD, UPDATE, DELETE or NOOP; else the word that came")
    applied: bool = Field(description="False where the operation was refused")
    reason: str = Field(default="", description="Why it was refused, or why nothing was decided")
    candidate: str = Field(description="The candidate's text")
    memory_id: int | None = Field(
        default=None, description="The memory made, replaced, deleted or found to say the same"
    )


class FailedChunk(Contract):
    """A part of an admission of which nothing could be remembered."""

    hadm_id: str = Field(description="MIMIC admission id")
    chunk: int = Field(ge=1, description="Chunk of that admission, from 1")
    reason: str = Field(description="Why, without patient text")


class MemoryStore(Contract):
    """All a memory strategy knows of one patient when questions are asked."""

    subject_id: str = Field(description="MIMIC patient id")
    system: str = Field(description="Name of the system that made it")
    summary: str = Field(default="", description="The running summary")
    memories: tuple[Memory, ...] = Field(default=(), description="By memory_id, superseded too")
    updates: tuple[MemoryUpdate, ...] = Field(default=(), description="Every operation, in order")
    refused_updates: int = Field(default=0, ge=0, description="Those that were refused")
    failed_chunks: tuple[FailedChunk, ...] = Field(default=(), description="Parts not remembered")
    requests: int = Field(default=0, ge=0, description="Replies of the model behind it")
    input_tokens: int = Field(default=0, ge=0, description="Prompt tokens by the server's count")
    output_tokens: int = Field(default=0, ge=0, description="Completion tokens, likewise")

    @property
    def active(self) -> tuple[Memory, ...]:
        """The memories that may be recalled."""
        return tuple(one for one in self.memories if one.is_active)
