"""Word lists of the record: what counts as a drug, a diagnosis, a finding, a test and so on.

Every line of ``drugs.json`` and its neighbours holds the spellings of one and the same thing:
generic and brand names, abbreviations, lay words. Lines under ``kinds`` name a kind of thing first,
then spellings of things of that kind: a COPD is a lung disease, not the other way round. Short
spellings with capitals (``PE``, ``US``) are other words without and count as written.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from tasks.contracts.base import Contract
from tasks.terminology.normalization import words

VocabularyName = Literal[
    "drugs", "diagnoses", "findings", "procedures", "organisms", "measurements"
]
_FOLDER = Path(__file__).parent
_SHORT = len("NCHCT")


class Vocabulary(Contract):
    """One of the word lists."""

    groups: tuple[tuple[Annotated[str, Field(min_length=1)], ...], ...] = Field(
        min_length=1, description="Spellings of one and the same thing, the usual one first"
    )
    kinds: tuple[tuple[str, ...], ...] = Field(
        default=(), description="The first spelling of a group, then things of that kind"
    )


@cache
def vocabulary(name: VocabularyName) -> Vocabulary:
    """A list that ships with the code."""
    return Vocabulary.model_validate_json((_FOLDER / f"{name}.json").read_bytes())


def as_written_only(spelling: str) -> bool:
    """Whether a spelling counts only as it is written: ``PE``, ``Mg`` and ``T`` are short."""
    return spelling.casefold() != spelling and len(spelling) <= _SHORT


def things_named(name: VocabularyName, label: str, *, short: bool) -> frozenset[str]:
    """The things of a list that a label names, each by its usual spelling.

    With ``short``, spellings that count only as written (``ASA``) count in any case: for labels
    that are known to name something of the list.
    """
    said = words(label)
    return frozenset(
        thing
        for length, known in _by_length(name, short).items()
        for start in range(len(said) - length + 1)
        for thing in known.get(said[start : start + length], ())
    )


@cache
def _by_length(
    name: VocabularyName, short: bool
) -> dict[int, dict[tuple[str, ...], frozenset[str]]]:
    """The things that spellings mean, by the number of their words and the words."""
    found: dict[int, dict[tuple[str, ...], frozenset[str]]] = {}
    for group in vocabulary(name).groups:
        for spelling in group:
            if short or not as_written_only(spelling):
                said = words(spelling)
                known = found.setdefault(len(said), {})
                known[said] = known.get(said, frozenset()) | {group[0]}
    return found
