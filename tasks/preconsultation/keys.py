"""The fields that the drifting keys of a profile mean."""

from __future__ import annotations

import re

_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_SPLIT = re.compile(r"[\W_]+")
_UNITS = frozenset({"cm", "kg"})

_EXACT = {
    "age": "age",
    "gender": "sex",
    "sex": "sex",
    "department": "department",
    "chief complaint": "chief_complaint",
    "height": "height",
    "weight": "weight",
    "나이": "age",
    "성별": "sex",
    "키": "height",
    "체중": "weight",
    "분과": "department",
    "주증상": "chief_complaint",
    "증상기간": "duration",
    "증상부위": "areas",
}
_DURATION = frozenset({"duration"})
_AREAS = frozenset({"area", "areas", "location", "locations", "region", "regions", "site", "sites"})
_HISTORY = {
    "location": "location",
    "quality": "quality",
    "severity": "severity",
    "duration": "duration",
    "timing": "timing",
    "context": "context",
    "modifying factors": "modifying",
    "associated signs and symptoms": "associated",
}


def plain_key(key: str) -> str:
    """A key's words alone: ``Past-History`` and ``pastHistory`` are ``past_history``."""
    return "_".join(_words(key))


def basic_field(key: str) -> str | None:
    """The field of basic information that a key means; None for a key of no field or of two.

    Only words count, not what divides them, nor the units cm and kg. A key with the word *duration*
    is the duration; one that speaks of an area, location, region or site is the areas.
    """
    words = [word for word in _words(key) if word not in _UNITS]
    if (exact := _EXACT.get(" ".join(words))) is not None:
        return exact
    found = [name for name, own in (("duration", _DURATION), ("areas", _AREAS)) if own & set(words)]
    return found[0] if len(found) == 1 else None


def history_section(key: str) -> str | None:
    """The section of the history of present illness that a key means; None for none."""
    return _HISTORY.get(" ".join(_words(key)))


def _words(key: str) -> list[str]:
    """Words of a key, divided by blanks, punctuation or a capital within (``SymptomArea``)."""
    return [word for word in _SPLIT.split(_CAMEL.sub(" ", key).casefold()) if word]
