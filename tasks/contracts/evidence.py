"""Where in the record each turn comes from (``evidence.json``)."""

from __future__ import annotations

from typing import Any, cast

from pydantic import Field

from tasks.contracts.base import Contract

PREVIOUS = "previous:"
"""Prefix of the source of a turn that repeats problem N, from 0, of the previous summary."""


def follow(packet: Any, pointer: str) -> Any:
    """What a JSON pointer leads to in a packet, or None where it leads nowhere."""
    value = packet
    for part in pointer.split("/")[1:]:
        if isinstance(value, list):
            rows = cast("list[Any]", value)
            value = rows[int(part)] if part.isdigit() and int(part) < len(rows) else None
        else:
            value = cast("dict[str, Any]", value).get(part) if isinstance(value, dict) else None
    return value


class EvidenceItem(Contract):
    """One item of the bundle behind a turn.

    ``pointers`` are JSON pointers (RFC 6901) into the admission's formed_packet.json; of a note
    ``start`` and ``end`` give the characters of its text.
    """

    fact_id: str = Field(description="Fact of the record, for example lab:3, or previous:0")
    whole: bool = Field(description="The turn states the fact in full; else it speaks of it")
    table: str = Field(description="discharge, radiology, diagnoses_icd, …, admissions, summary")
    pointers: tuple[str, ...] = Field(min_length=1, description="Where it stands in the packet")
    section: str = Field(default="", description="Heading of the note section; empty elsewhere")
    start: int | None = Field(default=None, description="First character in the note's text")
    end: int | None = Field(default=None, description="One past the last character")


class TurnEvidence(Contract):
    """The items behind one turn."""

    turn_number: int = Field(ge=1, description="The turn")
    items: tuple[EvidenceItem, ...] = Field(min_length=1, description="In the order of the turn")


class AdmissionEvidence(Contract):
    """``evidence.json``: turns that say nothing of the record are left out."""

    subject_id: str = Field(description="MIMIC patient id")
    hadm_id: str = Field(description="MIMIC admission id")
    turns: tuple[TurnEvidence, ...] = Field(description="By turn number")
