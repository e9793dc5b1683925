"""Titles of diagnosis and procedure codes as people say them.

A title is said whole, or without words at its ends that name nothing: nothing is struck out of the
middle and no phrase is cut, so that what is said is always a run of the title's own words.
"""

from __future__ import annotations

import re

from tasks.ehr.statements import MAXIMUM_WORDS, speakable

TITLE_WORDS = 30
"""Most words of a title that is said; of those above ten none is an answer."""

_VAGUE_HEAD = re.compile(r"^unspecified (?=\w)|^other (?:and unspecified |specified )", re.I)
_OTHER = re.compile(r"^other (?!and\b|or\b|than\b)(?=\w)", re.IGNORECASE)
_KIND_ALONE = re.compile(
    r"\b(?:abnormalit\w+|abnormal|aftercare|changes|complications?|conditions?|defects?|"
    r"deformit\w+|devices?|diseases?|disorders?|disturbances?|effects?|examinations?|factors?|"
    r"findings?|forms?|injur\w+|lesions?|manifestations?|operations?|organs?|parts?|problems?|"
    r"procedures?|reactions?|repair|sensations?|signs?|sites?|states?|status|symptoms?|"
    r"syndromes?|types?)\b",
    re.IGNORECASE,
)
"""Words for a kind of thing: with “other” before them they name one that has no name."""

_CLAUSE = re.compile(r", (?!and\b|or\b)| with ")
_LISTED = re.compile(r", (?:and|or) ", re.IGNORECASE)

_APPROACH = (
    r"(?:percutaneous|open|external|anterior|posterior)(?: endoscopic)? approach|"
    r"via natural or artificial opening(?: endoscopic)?"
)
_VAGUE_TAIL = re.compile(
    r",\s*(?:other|unspecified|not otherwise specified|not elsewhere classified|"
    r"(?:unspecified )?organism(?: unspecified)?|site (?:not specified|unspecified)|sequela|"
    r"(?:initial|subsequent) encounter(?: for [^,]+)?|"
    r"(?:initial|subsequent) episode of care|episode of care unspecified|"
    r"(?:type ii or unspecified type, )?not stated as uncontrolled|"
    r"not specified as [^,]*|unspecified (?!with\b|in\b|and\b|or\b)[^,]+|so stated|"
    rf"(?:(?:{_APPROACH}), )?(?:anterior|posterior) column|"
    rf"(?:{_APPROACH})(?:, diagnostic)?)$|"
    r",?\s+without mention of [^,()]+$|\s+\(without mention of [^()]+\)$|"
    r",\s*unspecified (?:whether|as to)\b[^,]+(?:, [^,]+)?$|"
    r"\s+with unspecified (?:severity|complications?)$|"
    r"\s+in (?:conditions|diseases) classified elsewhere(?: and of unspecified site)?$|"
    r"(?<! and)\s+of unspecified (?:sites?|type|origin|cause)$|"
    r"\s+(?:due to|caused by) (?:an )?unspecified \w+$",
    re.IGNORECASE,
)


def title_words(title: str) -> str:
    """A code title as it is said: whole, or without coders' words at its beginning and end.

    Empty where it is too long to be said or can't be.
    """
    return speakable(_without_vague_head(_without_vague_tail(" ".join(title.split()))), TITLE_WORDS)


def procedure_words(title: str) -> str:
    """A procedure's title in ten words at most, since questions choose between procedures.

    A longer one ends before its last clauses, which add the device or the manner; empty where it
    has none.
    """
    line = title_words(title)
    while len(line.split()) > MAXIMUM_WORDS:
        clauses = [] if _LISTED.search(line) else list(_CLAUSE.finditer(line))
        line = line[: clauses[-1].start()] if clauses else ""
    return line


def _without_vague_head(line: str) -> str:
    """“Other” stays where what follows names only a kind of thing, as in “other disorders of …”."""
    for head in (_VAGUE_HEAD, _OTHER):
        rest = head.sub("", line)
        unspecified = line.casefold().startswith("unspecified")
        if rest != line and (unspecified or not _KIND_ALONE.search(rest)):
            return rest
    return line


def _without_vague_tail(line: str) -> str:
    while (shorter := _VAGUE_TAIL.sub("", line)) and shorter != line:
        line = shorter
    return line
