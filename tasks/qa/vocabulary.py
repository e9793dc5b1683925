"""The built-in vocabulary: spellings that prove a mention, and targets for very small cohorts."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from pydantic import Field

from tasks.contracts.base import Contract
from tasks.qa.normalization import words

_FILE = Path(__file__).with_suffix("") / "vocabulary.json"


class CommonTarget(Contract):
    """A target that is common in hospital records."""

    label: str = Field(description="As a question names it")
    weight: int = Field(ge=1, description="Rough frequency, relative to the others of its group")


class Vocabulary(Contract):
    """``vocabulary/vocabulary.json``."""

    generic_words: tuple[str, ...] = Field(description="Words that don't tell targets apart")
    synonyms: tuple[tuple[str, ...], ...] = Field(description="Spellings of one and the same thing")
    targets: dict[str, tuple[CommonTarget, ...]] = Field(description="Common targets by group")


@cache
def vocabulary() -> Vocabulary:
    """The vocabulary that ships with the code."""
    return Vocabulary.model_validate_json(_FILE.read_bytes())


@cache
def generic_words() -> frozenset[str]:
    """Words too common in records to prove by themselves that a target is mentioned."""
    return frozenset(vocabulary().generic_words)


@cache
def spellings(label: str) -> tuple[str, ...]:
    """The label and every synonym or abbreviation of it that the vocabulary knows."""
    flat = f" {' '.join(words(label))} "
    others = (
        spelling
        for group, known in _synonyms()
        if any(phrase in flat for phrase in known)
        for spelling in group
    )
    return tuple(dict.fromkeys((label, *others)))


@cache
def _synonyms() -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
    """Each group of synonyms, as it is written and as whole words between blanks."""
    return tuple(
        (group, tuple(f" {' '.join(words(known))} " for known in group))
        for group in vocabulary().synonyms
    )
