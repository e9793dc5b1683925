"""Spellings of one and the same thing: generic and brand names, abbreviations, lay words."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from pydantic import Field

from tasks.contracts.base import Contract
from tasks.terminology.normalization import words
from tasks.terminology.vocabulary import VocabularyName, as_written_only, vocabulary

_NAMED: tuple[VocabularyName, ...] = ("drugs", "diagnoses", "procedures", "organisms")
_FILE = Path(__file__).with_suffix(".json")


class Synonyms(Contract):
    """``synonyms.json``."""

    generic_words: tuple[str, ...] = Field(description="Words that don't tell targets apart")
    synonyms: tuple[tuple[str, ...], ...] = Field(description="Spellings of one and the same thing")


@cache
def synonyms() -> Synonyms:
    """The spellings that ship with the code."""
    return Synonyms.model_validate_json(_FILE.read_bytes())


@cache
def generic_words() -> frozenset[str]:
    """Words too common in records to prove by themselves that a target is mentioned."""
    return frozenset(synonyms().generic_words)


@cache
def spellings(label: str) -> tuple[str, ...]:
    """The label and every synonym or abbreviation of it that is known."""
    flat = f" {' '.join(words(label))} "
    others = (
        spelling
        for group, known in _groups()
        if any(phrase in flat for phrase in known)
        for spelling in group
    )
    return tuple(dict.fromkeys((label, *others)))


@cache
def _groups() -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
    """Each group of synonyms, as it is written and as whole words between blanks."""
    lists = [vocabulary(name) for name in _NAMED]
    named = [group for one in lists for group in one.groups]
    # A kind goes with each of its things, but they don't go with one another.
    named += [(kind, case) for one in lists for kind, *cases in one.kinds for case in cases]
    return tuple(
        (group, tuple(f" {' '.join(words(known))} " for known in group))
        for group in (*synonyms().synonyms, *map(_in_any_case, named))
        if len(group) > 1
    )


def _in_any_case(group: tuple[str, ...]) -> tuple[str, ...]:
    """Without ``US`` and ``PE``: words are compared in lower case, where those are others."""
    return tuple(spelling for spelling in group if not as_written_only(spelling))
