"""Does a text state a fact in full? One rule for those who write turns and those who cite them."""

from __future__ import annotations

import re

from tasks.contracts.records import Fact, FactKind
from tasks.terminology.normalization import says

HEADINGS = frozenset(
    {FactKind.STAY, FactKind.CHIEF_COMPLAINT, FactKind.DISPOSITION, FactKind.CONDITION}
)
"""Kinds whose label is the heading of a form, such as ``chief complaint``, that nobody speaks."""

MEASUREMENTS = frozenset({FactKind.EXAM, FactKind.LAB})
"""Kinds whose label is a point of the stay and a test, such as ``admission hemoglobin``."""

_POINTS = {
    "admission": re.compile(r"\b(?:admission|admitted|arriv(?:al|ed)|came in)\b", re.IGNORECASE),
    "first": re.compile(r"\b(?:first|admission|arriv(?:al|ed)|came in)\b", re.IGNORECASE),
    "discharge": re.compile(r"\b(?:discharge|before you (?:go|leave)|leaving)\b", re.IGNORECASE),
}


def states(text: str, fact: Fact) -> bool:
    """Whether a text holds the fact's value verbatim, and says what it is the value of.

    That is the label verbatim, but for a heading's value, which speaks for itself, and for a
    measurement, of which the test and the point of the stay may be said apart.
    """
    return says(text, fact.value) and names(text, fact)


def names(text: str, fact: Fact) -> bool:
    """Whether a text says what a fact is about."""
    if fact.kind in HEADINGS or says(text, fact.label):
        return True
    point = _POINTS.get(fact.detail.get("point", ""))
    if fact.kind not in MEASUREMENTS or point is None:
        return False
    return says(text, test_of(fact)) and point.search(text) is not None


def test_of(fact: Fact) -> str:
    """What was measured: a measurement's label without the point of the stay."""
    return fact.detail.get("test") or fact.label.removeprefix(f"{fact.detail.get('point', '')} ")
