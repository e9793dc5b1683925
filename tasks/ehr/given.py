"""What a terse note says was given: a drug with its dose, without a heading or a reason."""

from __future__ import annotations

import re

from tasks.contracts.records import FactKind
from tasks.ehr.history import complaint_statements
from tasks.ehr.passages import discharge_span, sentences
from tasks.ehr.sections import Section, named
from tasks.ehr.statements import (
    COURSE_WORDS,
    Statement,
    calm_case,
    lower_first,
    names_person,
    speakable,
    tells_death,
    without_removed,
)

_DOSE = (
    r"(?P<dose>\d[\d.,]*\s?(?:mg|mcg|g|grams?|units?|mL|ml|mEq|tabs?|tablets?|puffs?|L|liters?)\b"
)
_DRUG = r"(?P<drug>[A-Za-z][A-Za-z\-/]*(?: [A-Za-z\-/]+){0,3})"
_GIVEN_FIRST = re.compile(
    rf"^(?:was )?(?:given|received) {_DRUG} {_DOSE}[^.;]*(?:\.\d[^.;]*)*)", re.I
)
_GIVEN_LAST = re.compile(
    rf"(?:^|[,;.] ){_DRUG} {_DOSE}[^,;.]*?) (?:was |were )?given(?P<rest>[^,;.]*)", re.I
)
_ONCE = re.compile(r"\s*\bx\s?1\b", re.IGNORECASE)
_NO_DRUG = re.compile(r"^(?:total|dose|about|approximately|the|a|an|of|and)\b", re.IGNORECASE)


def given_statements(
    note_id: str, note: str, sections: tuple[Section, ...]
) -> tuple[Statement, ...]:
    """The first drug that the course says was given, as the course of the chief complaint.

    In a note without a complaint it is the course of the drug itself.
    """
    complaint = next((one.value for one in complaint_statements(note_id, note, sections)), "")
    for section in named(sections, "course", "whole"):
        for passage in sentences(note, section):
            text = without_removed(passage.text)
            drug, how = _given(text)
            if not drug or tells_death(text):
                continue
            label = complaint or drug
            value = _short(f"given {drug} {how}" if complaint else f"given {how}")
            if value:
                span = discharge_span(note_id, section, passage)
                return (Statement(FactKind.COURSE, label, value, span),)
    return ()


def _given(text: str) -> tuple[str, str]:
    """The drug, and its dose with how often it was given; empty where a text names none."""
    match = _GIVEN_FIRST.search(text) or _GIVEN_LAST.search(text)
    if not match or _NO_DRUG.match(match["drug"]) or names_person(match[0]):
        return "", ""
    written = match["dose"] + (match.groupdict().get("rest") or "")
    return lower_first(calm_case(match["drug"])), _ONCE.sub(" once", written).strip()


def _short(value: str) -> str:
    return speakable(value, COURSE_WORDS) or speakable(value.split(",")[0], COURSE_WORDS)
