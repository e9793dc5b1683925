"""The programmatic provider's rules for everything that answering asks a model."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import BaseModel

from tasks.adapters.programmatic import Rules
from tasks.answering.extracting import extract_answers
from tasks.answering.memory_rules import (
    decide_by_rules,
    extract_by_rules,
    extract_typed_by_rules,
    summarise_by_rules,
)
from tasks.answering.memory_shapes import (
    CandidatesReply,
    DecisionsReply,
    SummaryReply,
    TypedCandidatesReply,
)
from tasks.answering.replies import AnswersReply

RULES: Mapping[type[BaseModel], Rules] = {
    AnswersReply: extract_answers,
    CandidatesReply: extract_by_rules,
    TypedCandidatesReply: extract_typed_by_rules,
    DecisionsReply: decide_by_rules,
    SummaryReply: summarise_by_rules,
}
