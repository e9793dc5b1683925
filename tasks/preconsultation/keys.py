"""The fields that the drifting keys of a profile mean."""

from __future__ import annotations

import re
from collections.abc import Mapping

_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_SPLIT = re.compile(r"[\W_]+")
_PLAIN_WORDS = frozenset(
    [
        "cm",
        "kg",
        "year",
        "years",
        "yr",
        "yrs",
        "month",
        "months",
        "in",
        "of",
        "the",
        "s",
        "at",
        "birth",
        "patient",
        "biological",
        "chief",
        "main",
        "primary",
        "presenting",
        "medical",
        "visited",
    ]
)
"""Units, and words that only fill a key: *Age (years)*, *Patient sex*, *Main complaint*."""
_KOREAN_UNITS = re.compile(r"[\W\d_]|cm|kg")

_BASIC = {
    "age": frozenset({"age"}),
    "sex": frozenset({"sex", "gender"}),
    "height": frozenset({"height"}),
    "weight": frozenset({"weight"}),
    "department": frozenset({"department", "departments"}),
    "chief_complaint": frozenset({"complaint", "complaints"}),
}
_ANYHOW = {
    "duration": frozenset({"duration"}),
    "areas": frozenset(
        {"area", "areas", "location", "locations", "region", "regions", "site", "sites"}
    ),
}
_KOREAN = {
    "나이": "age",
    "연령": "age",
    "성별": "sex",
    "분과": "department",
    "진료과": "department",
    "진료과목": "department",
    "주증상": "chief_complaint",
    "주호소": "chief_complaint",
    "키": "height",
    "신장": "height",
    "체중": "weight",
    "몸무게": "weight",
    "기간": "duration",
    "증상기간": "duration",
    "증상지속기간": "duration",
    "지속기간": "duration",
    "부위": "areas",
    "증상부위": "areas",
    "통증부위": "areas",
}
_HISTORY = {
    "location": frozenset({"location", "locations", "site", "부위", "위치"}),
    "quality": frozenset({"quality", "character", "양상", "성격"}),
    "severity": frozenset({"severity", "intensity", "강도", "중증도"}),
    "duration": frozenset({"duration", "기간", "지속기간"}),
    "timing": frozenset({"timing", "시기", "시점"}),
    "context": frozenset({"context", "상황", "맥락"}),
    "modifying": frozenset(
        {
            "modifying",
            "aggravating",
            "relieving",
            "alleviating",
            "악화",
            "완화",
            "악화요인",
            "완화요인",
        }
    ),
    "associated": frozenset({"associated", "accompanying", "동반", "동반증상"}),
}


def plain_key(key: str) -> str:
    """A key's words alone: ``Past-History`` and ``pastHistory`` are ``past_history``."""
    return "_".join(_words(key))


def basic_field(key: str) -> str | None:
    """The field of basic information that a key means; None for a key of no field or of two.

    Only words count, not what divides them. A key is its field's word beside words that only fill
    it, such as units; one with the word *duration* is the duration, one that speaks of an area,
    location, region or site is the areas, whatever else it says. Korean words may stand apart.
    """
    if (
        korean := _KOREAN.get(_KOREAN_UNITS.sub("", key.casefold()).removesuffix("세"))
    ) is not None:
        return korean
    words = set(_words(key)) - _PLAIN_WORDS
    if (anyhow := _only(words, _ANYHOW)) is not None:
        return anyhow
    return next((name for name, own in _BASIC.items() if words and words <= own), None)


def history_section(key: str) -> str | None:
    """The section of the history of present illness that a key speaks of; None for none or two."""
    return _only(set(_words(key)), _HISTORY)


def _only(words: set[str], named: Mapping[str, frozenset[str]]) -> str | None:
    """The one name of which a key holds a word."""
    found = [name for name, own in named.items() if own & words]
    return found[0] if len(found) == 1 else None


def _words(key: str) -> list[str]:
    """Words of a key, divided by blanks, punctuation or a capital within (``SymptomArea``)."""
    return [word for word in _SPLIT.split(_CAMEL.sub(" ", key).casefold()) if word]
