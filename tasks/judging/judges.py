"""Judges by name: a language model, or the rules."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import BaseModel

from tasks.adapters.models import ModelSpec, model_name
from tasks.adapters.programmatic import Rules
from tasks.judging.request import VerdictReply
from tasks.judging.rules import RULES_VERSION, judge_by_rules

RULES: Mapping[type[BaseModel], Rules] = {VerdictReply: judge_by_rules}
"""What the programmatic provider judges by."""


def judge_name(judge: ModelSpec) -> str:
    """Name of a judge as scores and reports state it."""
    if judge.provider == "programmatic":
        return f"programmatic-rules-{RULES_VERSION}"
    return model_name(judge)
