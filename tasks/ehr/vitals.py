"""Vital signs of the physical examinations at admission and at discharge."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from tasks.contracts.records import FactKind, SourceSpan
from tasks.ehr.sections import Section, named
from tasks.ehr.statements import Statement

_LABELLED = {
    "temperature": (
        r"\b(?:Temp(?:erature)?|T)[\s:=-]*(?P<v>(?:9\d|10\d|3[4-9]|4[01])(?:\.\d)?)(?![\d/])"
    ),
    "blood pressure": r"\b(?:BP)[\s:=-]*(?P<v>\d{2,3}/\d{2,3})(?!\d)",
    "heart rate": r"\b(?:HR|P|Pulse)[\s:=-]*(?P<v>\d{2,3})(?![\d/.])",
    "respiratory rate": r"\b(?:RR|R|Resp)[\s:=-]*(?P<v>\d{1,2})(?![\d/.])",
    "oxygen saturation": (
        r"\b(?:O2\s?-?\s?sat(?:uration)?|SpO2|SaO2|Sat|O2)[\s:=-]*(?P<v>(?:100|[5-9]\d)\s?%?)(?!\d)"
    ),
    "weight": r"\b(?:Weight|Wt)[\s:=-]*(?P<v>\d{2,3}(?:\.\d+)?\s?(?:kg|lbs?)?)(?![\d/])",
}
_ROW = re.compile(
    r"(?:^|[\s:])(?P<temperature>(?:9\d|10\d)(?:\.\d)?)\s?F?[\s,]+"
    r"(?:(?P<heart_first>\d{2,3})[\s,]+)?(?P<pressure>\d{2,3}/\d{2,3})[\s,]+"
    r"(?:(?P<heart>\d{2,3})[\s,]+)?(?P<breaths>\d{1,2})[\s,]+(?P<oxygen>(?:100|[5-9]\d)\s?%?)(?!\d)"
)
_VITALS_LINE = re.compile(r"^\s*(?:VS|Vitals?(?:\s+signs?)?|V/S|T|Temp)\b", re.IGNORECASE)
_POINTS = {"admission exam": "admission", "discharge exam": "discharge", "exam": "admission"}
_AT_DISCHARGE = re.compile(r"^.*\bdischarge\b.*$", re.IGNORECASE | re.MULTILINE)
_RANGE = re.compile(r"\d\s?-\s?\d")


def vital_statements(
    note_id: str, note: str, sections: tuple[Section, ...]
) -> tuple[Statement, ...]:
    """First vital signs of each examination; an examination without a point is the admission's."""
    found: dict[str, Statement] = {}
    for point, section in _examinations(note, sections):
        for test, start, end in _signs(note, section):
            value = " ".join(note[start:end].split())
            label = f"{point} {test}"
            found.setdefault(label, _statement(label, value, note_id, section, (start, end)))
    return tuple(found.values())


def _examinations(note: str, sections: tuple[Section, ...]) -> Iterator[tuple[str, Section]]:
    """Examinations with their point; text below a line that names the discharge is its own."""
    for section in named(sections, *_POINTS):
        later = _AT_DISCHARGE.search(note, section.start, section.end)
        if section.name == "exam" and later:
            before = Section(section.name, section.heading, section.start, later.start())
            after = Section(section.name, section.heading, later.start(), section.end)
            yield "admission", before
            yield "discharge", after
        else:
            yield _POINTS[section.name], section


def _signs(note: str, section: Section) -> Iterator[tuple[str, int, int]]:
    start = section.start
    for line in note[section.start : section.end].splitlines(keepends=True):
        if _VITALS_LINE.match(line) or " BP" in line:
            found = list(_labelled(line)) or list(_row(line))
            for test, (left, right) in found:
                yield test, start + left, start + right
        start += len(line)


def _labelled(line: str) -> Iterable[tuple[str, tuple[int, int]]]:
    for test, pattern in _LABELLED.items():
        match = re.search(pattern, line)
        if match and not _RANGE.match(line, match.end("v") - 1):
            yield test, _trimmed(line, match.span("v"))


def _row(line: str) -> Iterable[tuple[str, tuple[int, int]]]:
    match = _ROW.search(line)
    if not match:
        return
    heart = "heart" if match["heart"] else "heart_first"
    groups = {
        "temperature": "temperature",
        "blood pressure": "pressure",
        "heart rate": heart,
        "respiratory rate": "breaths",
        "oxygen saturation": "oxygen",
    }
    for test, group in groups.items():
        if match[group]:
            yield test, _trimmed(line, match.span(group))


def _trimmed(line: str, span: tuple[int, int]) -> tuple[int, int]:
    start, end = span
    return start, start + len(line[start:end].rstrip())


def _statement(
    label: str, value: str, note_id: str, section: Section, span: tuple[int, int]
) -> Statement:
    point, test = label.split(" ", 1)
    return Statement(
        kind=FactKind.EXAM,
        label=label,
        value=value,
        source=SourceSpan(
            table="discharge", item=note_id, section=section.heading, start=span[0], end=span[1]
        ),
        detail={"point": point, "test": test},
    )
