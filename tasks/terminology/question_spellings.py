"""Spellings with which questions and dialogues name what records call otherwise."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from pydantic import Field

from tasks.contracts.base import Contract

_FILE = Path(__file__).with_suffix(".json")


class QuestionSpellings(Contract):
    """``question_spellings.json``."""

    spellings: tuple[tuple[str, ...], ...] = Field(description="Spellings of the same thing")


@cache
def question_spellings() -> tuple[tuple[str, ...], ...]:
    """Groups of lay words, measurements and abbreviations that mean the same."""
    return QuestionSpellings.model_validate_json(_FILE.read_bytes()).spellings
