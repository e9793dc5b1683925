"""Sections of free-text notes: known headings, tolerant of odd spelling, with offsets kept."""

from __future__ import annotations

import re
from dataclasses import dataclass

_DISCHARGE_HEADINGS = {
    "allergies": ("allergies", "allergies/adverse drug reactions", "allergy"),
    "chief complaint": ("chief complaint", "chief complaint/reason for admission", "cc"),
    "procedures": (
        "major surgical or invasive procedure",
        "major surgical or invasive procedures",
        "major surgical/invasive procedures",
    ),
    "history": (
        "history of present illness",
        "history of the present illness",
        "present illness",
        "hpi",
    ),
    "past history": ("past medical history", "past medical/surgical history", "pmh", "pmhx"),
    "surgical history": ("past surgical history", "psh"),
    "social history": ("social history", "social hx"),
    "family history": ("family history", "family hx"),
    "exam": ("physical exam", "physical examination", "pe"),
    "admission exam": (
        "admission physical exam",
        "admission physical examination",
        "admission exam",
        "physical exam on admission",
        "admission pe",
    ),
    "discharge exam": (
        "discharge physical exam",
        "discharge physical examination",
        "discharge exam",
        "physical exam on discharge",
        "physical exam at discharge",
        "discharge pe",
    ),
    "results": ("pertinent results", "pertinent labs", "results"),
    "course": ("brief hospital course", "hospital course", "summary of hospital course"),
    "transitional issues": ("transitional issues", "transitional issue"),
    "admission medications": (
        "medications on admission",
        "admission medications",
        "home medications",
        "preadmission medications",
    ),
    "discharge medications": ("discharge medications", "medications on discharge"),
    "disposition": ("discharge disposition", "disposition"),
    "facility": ("facility",),
    "diagnosis": ("discharge diagnosis", "discharge diagnoses", "final diagnosis"),
    "condition": ("discharge condition", "condition on discharge"),
    "instructions": ("discharge instructions", "patient instructions"),
    "follow-up": (
        "followup instructions",
        "follow-up instructions",
        "follow up instructions",
        "followup",
        "follow-up",
    ),
    "addendum": ("addendum",),
    "header": ("name", "unit no", "admission date", "date of birth", "service", "attending", "sex"),
}
_RADIOLOGY_HEADINGS = {
    "examination": ("examination", "exam", "study", "procedure"),
    "indication": ("indication", "clinical indication", "clinical information", "history"),
    "reason": ("reason for examination", "reason for exam"),
    "technique": ("technique",),
    "comparison": ("comparison", "comparisons", "comparison studies"),
    "findings": ("findings", "finding", "report"),
    "impression": ("impression", "impressions", "conclusion"),
    "notification": ("notification", "recommendation", "recommendations", "wet read"),
}

_LONE_RETURN = re.compile(r"\r(?!\n)")
_PLAIN_BLANKS = str.maketrans(
    {**dict.fromkeys("\v\f\x85\u2028\u2029", "\n"), **dict.fromkeys("\u00a0\u2007\u202f", " ")}
)

_BARE_HEADING_MINIMUM = 12
"""Fewest characters of a heading that may stand on its line without a colon."""


@dataclass(frozen=True)
class Section:
    """A part of a note; ``start`` and ``end`` bound its body in the note's text.

    ``name`` is the canonical name, ``opening`` for text before the first heading, ``whole`` for a
    note without headings; ``heading`` is the spelling found.
    """

    name: str
    heading: str
    start: int
    end: int


def even_lines(text: str) -> str:
    """The note with every kind of line end and blank written as one that is looked for.

    It has as many characters as before, so that places in it are places in the note.
    """
    return _LONE_RETURN.sub("\n", text.translate(_PLAIN_BLANKS))


def split_discharge(text: str) -> tuple[Section, ...]:
    """Sections of a discharge summary in the order they stand; repeated headings stay apart."""
    return _split(text, _DISCHARGE_NAMES, _DISCHARGE_PATTERN)


def split_radiology(text: str) -> tuple[Section, ...]:
    """Sections of a radiology report: examination, indication, findings, impression and others."""
    return _split(text, _RADIOLOGY_NAMES, _RADIOLOGY_PATTERN)


def named(sections: tuple[Section, ...], *names: str) -> tuple[Section, ...]:
    """The sections that carry one of the canonical names, in the order they stand."""
    return tuple(section for section in sections if section.name in names)


def _split(text: str, names: dict[str, str], pattern: re.Pattern[str]) -> tuple[Section, ...]:
    found = [match for match in pattern.finditer(text) if _stands_alone(match)]
    if not found:
        return (Section("whole", "", 0, len(text)),)
    sections: list[Section] = []
    if text[: found[0].start()].strip():
        sections.append(Section("opening", "", 0, found[0].start()))
    ends = [*(match.start() for match in found[1:]), len(text)]
    for match, end in zip(found, ends, strict=True):
        heading = match["heading"]
        sections.append(Section(names[_fold(heading)], heading, match.end(), end))
    return tuple(sections)


def _stands_alone(match: re.Match[str]) -> bool:
    """A heading has a colon, or is long, starts with a capital and fills its line."""
    heading = match["heading"]
    return bool(match["colon"]) or (len(heading) >= _BARE_HEADING_MINIMUM and heading[0].isupper())


def _fold(heading: str) -> str:
    return " ".join(heading.casefold().split())


def _names(headings: dict[str, tuple[str, ...]]) -> dict[str, str]:
    return {spelling: name for name, spellings in headings.items() for spelling in spellings}


def _pattern(names: dict[str, str]) -> re.Pattern[str]:
    spellings = sorted(names, key=lambda spelling: (-len(spelling), spelling))
    words = "|".join(r"[ \t]+".join(map(re.escape, spelling.split())) for spelling in spellings)
    return re.compile(
        rf"^[ \t]*(?:#{{3,6}}[ \t]+|(?P<bold>(?:#{{1,6}}[ \t]+)?\*\*))?(?P<heading>{words})[ \t]*"
        r"(?:(?P<colon>:(?:\*\*)?|\*\*:?)|(?=\r?$))",
        re.IGNORECASE | re.MULTILINE,
    )


_DISCHARGE_NAMES = _names(_DISCHARGE_HEADINGS)
_DISCHARGE_PATTERN = _pattern(_DISCHARGE_NAMES)
_RADIOLOGY_NAMES = _names(_RADIOLOGY_HEADINGS)
_RADIOLOGY_PATTERN = _pattern(_RADIOLOGY_NAMES)
