"""What the fact extractors share: a statement of the record, and wording fit to be spoken."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from tasks.contracts.characters import has_odd_character
from tasks.contracts.records import FactKind, SourceSpan

MAXIMUM_WORDS = 10
"""Most words of a value that can be an answer (spec section 7)."""

COURSE_WORDS = 12
"""Most words of what was done about a problem, which may be told in full."""

_REMOVED = re.compile(r"_{2,}")
_LONG_NUMBER = re.compile(r"\d{7,}")
_PERSON = re.compile(
    r"\b(?:he|she|his|her|hers|him|himself|herself|patient|patients?'s?|pt)\b", re.I
)
_MARKUP = re.compile(
    r"</?[a-zA-Z!][^<>]*>|&(?:#x?\w+|amp|lt|gt|nbsp|quot|apos)\b|[{}\\`|]|\*\*|[\u2190-\U0010ffff]"
)
"""Tags, entities, code and pictures: what a note may hold and nobody says."""
_TO_A_MODEL = re.compile(
    r"\b(?:ignore|disregard|forget)\b.{0,40}\binstructions?\b|\bsystem prompt\b", re.IGNORECASE
)
_LAST = ".,;:-*#= \t"
_DEATH = re.compile(
    r"\b(?:died|death|deceased|expired|passed away|brain dead|comfort measures|CMO|"
    r"withdraw\w*|hospice|autopsy|pronounced|asystol\w*)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Statement:
    """A fact before it has a number; the fields mean what they mean in ``Fact``."""

    kind: FactKind
    label: str
    value: str
    source: SourceSpan
    time: datetime | None = None
    detail: Mapping[str, str] = field(default_factory=dict[str, str])


def speakable(text: str, maximum_words: int = MAXIMUM_WORDS) -> str:
    """The text on one line without stray punctuation at its ends.

    Empty if it can't be spoken: removed identifiers, long numbers, too many words, no letter or
    digit, or an unbalanced parenthesis.
    """
    line = " ".join(text.split()).strip(_LAST)
    if _REMOVED.search(line) or _LONG_NUMBER.search(line):
        return ""
    if line.count("(") != line.count(")") or line.count("[") != line.count("]"):
        return ""
    words = line.split()
    if len(words) > maximum_words or not any(character.isalnum() for character in line):
        return ""
    return line


def plain_english(text: str) -> bool:
    """Whether a text can be said as it is.

    Not so with markup, hidden characters, other scripts and words meant for a language model.
    """
    return not (_MARKUP.search(text) or _TO_A_MODEL.search(text) or has_odd_character(text))


def without_removed(text: str) -> str:
    """Text with bracketed parts that hold a removed identifier cut out."""
    return re.sub(r"\s*[\(\[][^()\[\]]*_{2,}[^()\[\]]*[\)\]]", "", text)


def names_person(text: str) -> bool:
    """Whether a clause speaks of the patient in the third person."""
    return _PERSON.search(text) is not None


def tells_death(text: str) -> bool:
    """Whether a text tells of the patient's death or of care that was turned to comfort alone."""
    return _DEATH.search(text) is not None


def lower_first(text: str) -> str:
    """Text with its first letter lowered unless the first word is an abbreviation."""
    first = text.split(" ", 1)[0]
    if sum(character.isupper() for character in first) > 1 or len(first) == 1:
        return text
    return text[:1].lower() + text[1:]


def calm_case(text: str) -> str:
    """Text in lower case if it is written in capitals throughout, else as it is."""
    letters = [character for character in text if character.isalpha()]
    shouted = len(letters) > 4 and all(character.isupper() for character in letters)
    return text.lower() if shouted else text
