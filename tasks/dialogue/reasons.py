"""When a treatment's reason was known: not before the result that it names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from tasks.contracts.records import Fact, FactKind
from tasks.dialogue.exchanges import known_from

_STEM_LETTERS = 5
_SHARED_STEMS = 2
_WORD = re.compile(r"[a-z]{4,}")
_BLOOD_INFECTION = re.compile(r"\b(?:bacteremia|candidemia|fungemia)\b", re.IGNORECASE)
_CULTURED = re.compile(r"\bcultur", re.IGNORECASE)
_TESTED = re.compile(r"\b(?:resistan|sensitiv|susceptib)", re.IGNORECASE)
_NEGATIVE = re.compile(r"^(?:no|without|negative)\b", re.IGNORECASE)
_SPECIMENS = frozenset(
    {
        "blood",
        "urine",
        "sputum",
        "respiratory",
        "routine",
        "fluid",
        "gram",
        "stain",
        "screen",
        "test",
        "antibody",
        "stool",
        "swab",
        "tissue",
        "wound",
        "abscess",
        "pleural",
        "peritoneal",
    }
)
_UNSPECIFIC = frozenset(
    {
        "left",
        "right",
        "upper",
        "lower",
        "acute",
        "chronic",
        "mild",
        "moderate",
        "severe",
        "small",
        "large",
        "unchanged",
        "evidence",
        "with",
        "without",
        "from",
        "this",
        "that",
        "concern",
        "suspected",
        "possible",
        "likely",
        "consistent",
        "secondary",
        "status",
        "new",
        "seen",
        "noted",
        "positive",
        "growth",
        "culture",
        "infection",
        "stable",
        "size",
        "increased",
    }
)


def reason_known_from(treatment: Fact, events: Sequence[Fact]) -> datetime | None:
    """When the first result that a treatment's reason names was known; null if it names none.

    A reason names a result when it shares the organism's name with it, or two telling words, or
    its only one.
    """
    times = [known_from(event) for event in events if _named(treatment.value, event)]
    return min((time for time in times if time), default=None)


def _named(reason: str, event: Fact) -> bool:
    if event.kind is FactKind.SUSCEPTIBILITY:
        return bool(_TESTED.search(reason) and _stems(reason) & _stems(event.label))
    if event.kind is FactKind.CULTURE:
        return not _TESTED.search(reason) and _names_culture(reason, event)
    words = _stems(reason)
    if event.kind is not FactKind.IMAGING or not words or _NEGATIVE.match(event.value):
        return False
    return len(words & _stems(event.value)) >= min(_SHARED_STEMS, len(words))


def _names_culture(reason: str, event: Fact) -> bool:
    label = event.label.casefold()
    grown_in_blood = event.detail.get("result") == "organism" and "blood" in label
    if grown_in_blood and _BLOOD_INFECTION.search(reason):
        return True
    specimens = set(_WORD.findall(label)) & _SPECIMENS
    if _CULTURED.search(reason) and specimens.intersection(_WORD.findall(reason.casefold())):
        return True
    return bool(_stems(reason) & _stems(f"{label} {event.value}", _SPECIMENS))


def _stems(text: str, without: frozenset[str] = frozenset()) -> set[str]:
    """The beginnings of a text's telling words, so that forms of one word agree."""
    words = _WORD.findall(text.casefold())
    return {word[:_STEM_LETTERS] for word in words if word not in _UNSPECIFIC | without}
