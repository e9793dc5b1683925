"""A patient's record as lines that can be searched: note lines with their headings, and rows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from tasks.audit.support.reading_words import Text, read_text
from tasks.contracts.audit import AuditSession
from tasks.contracts.records import AdmissionBundle

_NAMES = ("diagnosis", "procedure")
_HEADING = re.compile(r"^\s*([A-Z][A-Za-z /()&'-]{2,60}):\s*(.*)$")


@dataclass(frozen=True)
class RecordLine:
    """A sentence or row of a record, and the heading it stands under."""

    session: int
    hadm_id: str
    heading: str
    words: str

    @cached_property
    def text(self) -> Text:
        """The line as words."""
        return read_text(self.words)


@dataclass(frozen=True)
class Record:
    """All lines of a patient's records, with the lines in which each word stands."""

    lines: tuple[RecordLine, ...]
    words: dict[str, frozenset[int]]
    pairs: frozenset[tuple[str, str]]
    """Neighbouring words of the names of diagnoses and procedures."""

    def has(self, keys: tuple[str, ...]) -> bool:
        """Whether a line says these words one after the other."""
        return any(self.lines[number].text.find(keys) for number in self.having(keys))

    def having(self, keys: Iterable[str]) -> frozenset[int]:
        """Lines that have every one of some words."""
        nowhere: frozenset[int] = frozenset()
        found = [self.words.get(key, nowhere) for key in keys]
        return found[0].intersection(*found[1:]) if found else nowhere


def record_of(sessions: Sequence[AuditSession]) -> Record:
    """Read the records behind a patient's sessions; empty where a release has none."""
    lines = tuple(
        RecordLine(position, session.hadm_id, heading, words)
        for position, session in enumerate(sessions)
        if session.bundle is not None
        for heading, words in dict.fromkeys(_lines(session.bundle))
    )
    places: dict[str, set[int]] = {}
    for number, line in enumerate(lines):
        for key in line.text.places:
            places.setdefault(key, set()).add(number)
    pairs = frozenset(
        pair
        for line in lines
        if line.heading in _NAMES
        for pair in pairwise(token.key for token in line.text.tokens)
    )
    return Record(lines, {key: frozenset(found) for key, found in places.items()}, pairs)


def _lines(bundle: AdmissionBundle) -> Iterator[tuple[str, str]]:
    for note in bundle.discharge_notes:
        yield from _note_lines(note.text)
    for note in bundle.radiology_notes:
        yield from _note_lines(note.text)
    for row in bundle.diagnoses:
        yield "diagnosis", row.long_title
    for row in bundle.procedures:
        yield "procedure", row.long_title
    for row in bundle.microbiology:
        parts = (row.spec_type_desc, row.test_name, row.org_name, row.ab_name, row.comments)
        yield "culture", " ".join(one for one in parts if one)


def _note_lines(note: str) -> Iterator[tuple[str, str]]:
    """Paragraphs of a note under their headings; lines that run on are joined."""
    heading = ""
    paragraph: list[str] = []
    for line in (*note.splitlines(), ""):
        found = _HEADING.match(line)
        if found or not line.strip() or re.match(r"^\s*(?:\d+\.|[-•*])\s", line):
            if paragraph:
                yield heading, " ".join(paragraph)
            paragraph = []
        if found:
            heading = found[1].strip()
            line = found[2]
        if line.strip():
            paragraph.append(line.strip())
