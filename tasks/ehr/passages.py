"""Sentences and list items of a note, on one line each, with their place in the note."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tasks.contracts.records import SourceSpan
from tasks.ehr.sections import Section

_BULLET = re.compile(r"[ \t]*(?:#+|[-*•]+(?=[ \t]|[A-Za-z])|\d{1,2}[.)](?=[ \t]|[A-Za-z]))[ \t]*")
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"')]*\s+(?=[A-Z0-9#\"(])")
_LOWER_SENTENCE_END = re.compile(r"(?<=[a-z]{3}[.!?])[\"')]*\s+(?=[a-z0-9#\"(])")
"""For a section typed without any capital."""
_CAPITAL = re.compile(r"[A-Z]")
_ABBREVIATION = re.compile(r"\b(?:Dr|Mr|Mrs|Ms|vs|No|St|approx|e\.g|i\.e|p\.o|b\.i\.d)\.$", re.I)


@dataclass(frozen=True)
class Passage:
    """A sentence or item: its text with white space collapsed, and its bounds in the note."""

    text: str
    start: int
    end: int


def discharge_span(note_id: str, section: Section, passage: Passage) -> SourceSpan:
    """The place of a passage of a discharge note."""
    return SourceSpan(
        table="discharge",
        item=note_id,
        section=section.heading,
        start=passage.start,
        end=passage.end,
    )


def sentences(note: str, section: Section) -> tuple[Passage, ...]:
    """Sentences of a section; blank lines, bullets and headings on their own line end one."""
    found: list[Passage] = []
    capitals = _CAPITAL.search(note, section.start, section.end)
    sentence_end = _SENTENCE_END if capitals else _LOWER_SENTENCE_END
    for start, end in _blocks(note, section):
        cut = start
        for match in sentence_end.finditer(note, start, end):
            if _ABBREVIATION.search(note[cut : match.start()]):
                continue
            found.extend(_passage(note, cut, match.start()))
            cut = match.end()
        found.extend(_passage(note, cut, end))
    return tuple(found)


def items(note: str, section: Section) -> tuple[Passage, ...]:
    """Entries of a list: by bullet or number where there are any, else one a line."""
    lines = list(_lines(note, section))
    bulleted = any(_BULLET.match(note, start, end) for start, end in lines)
    entries: list[tuple[int, int]] = []
    for start, end in lines:
        marker = _BULLET.match(note, start, end)
        if marker:
            entries.append((marker.end(), end))
        elif bulleted and entries and note[start:end].strip():
            entries[-1] = (entries[-1][0], end)
        else:
            entries.append((start, end))
    return tuple(passage for start, end in entries for passage in _passage(note, start, end))


def _blocks(note: str, section: Section) -> Iterator[tuple[int, int]]:
    """Runs of lines without a blank or removed line, a bullet or a lone heading inside."""
    start = section.start
    for line_start, line_end in _lines(note, section):
        line = note[line_start:line_end].strip()
        marker = _BULLET.match(note, line_start, line_end)
        if not line.strip("_") or marker:
            yield start, line_start
            start = marker.end() if marker else line_end
        elif line.endswith(":"):
            yield start, line_start
            yield line_start, line_end
            start = line_end
    yield start, section.end


def _lines(note: str, section: Section) -> Iterator[tuple[int, int]]:
    start = section.start
    while start < section.end:
        newline = note.find("\n", start, section.end)
        end = section.end if newline < 0 else newline
        yield start, end
        start = end + 1


def _passage(note: str, start: int, end: int) -> tuple[Passage, ...]:
    raw = note[start:end]
    text = " ".join(raw.split())
    if not text:
        return ()
    left = start + len(raw) - len(raw.lstrip())
    return (Passage(text, left, start + len(raw.rstrip())),)
