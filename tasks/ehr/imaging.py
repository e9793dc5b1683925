"""Statements of radiology reports: what was examined and the first plain line of its impression."""

from __future__ import annotations

import re

from tasks.contracts.clock import format_date, format_time
from tasks.contracts.records import AdmissionBundle, FactKind, RadiologyNote, SourceSpan
from tasks.ehr.passages import Passage, sentences
from tasks.ehr.sections import Section, even_lines, named, split_radiology
from tasks.ehr.statements import MAXIMUM_WORDS, Statement, names_person, speakable, tells_death

_CAPITALS = frozenset(
    (
        "ct",
        "cta",
        "mr",
        "mri",
        "mra",
        "mrcp",
        "mrv",
        "ap",
        "pa",
        "iv",
        "picc",
        "ercp",
        "kub",
        "ng",
    )
)
_NOT_A_FINDING = re.compile(
    r"\b(?:above|below|discussed|notified|telephone|paged|recommend\w*|findings were|dr|see|"
    r"report|dictat\w*|attending|reviewed|compar\w*|prior|previous|wet read|please|clinical)\b",
    re.IGNORECASE,
)
_HEDGE = re.compile(
    r"\b(?:no|not|without|but|although|however|unlikely|may|might|could|cannot|can't|versus|vs|"
    r"except|rather|less|if|or)\b",
    re.IGNORECASE,
)
_OPENING_WORDS = 3
_WITHOUT = re.compile(r"\bw/o\b", re.IGNORECASE)
_IN_WORDS = (
    (re.compile(r"\s*\(single organ\)", re.IGNORECASE), ""),
    (re.compile(r"\bw(?:ith)?/\s?", re.IGNORECASE), "with "),
    (re.compile(r"\s*&\s*"), " and "),
    (re.compile(r"\bu\.?s\b\.?", re.IGNORECASE), "ultrasound"),
    (re.compile(r"\blat\b", re.IGNORECASE), "lateral"),
    (re.compile(r"\bobl\b", re.IGNORECASE), "oblique"),
    (re.compile(r",(?=[A-Za-z])"), ", "),
)
"""How radiologists write what they say; `US` is no country on an examination's name."""


def imaging_statements(bundle: AdmissionBundle) -> tuple[Statement, ...]:
    """One statement a radiology report with a time, an examination and a short finding."""
    statements = (_imaging(note) for note in bundle.radiology_notes)
    return tuple(statement for statement in statements if statement)


def short_finding(text: str) -> str:
    """A finding of at most ten words: the sentence, or its opening where the rest can't turn it."""
    if _NOT_A_FINDING.search(text) or names_person(text) or tells_death(text):
        return ""
    whole = speakable(text)
    if whole:
        return whole
    for match in re.finditer(r"[,;]\s", text):
        opening = speakable(text[: match.start()])
        if not opening or _HEDGE.search(text[match.end() :]):
            return ""
        if len(opening.split()) >= _OPENING_WORDS:
            return opening
    return ""


def _imaging(note: RadiologyNote) -> Statement | None:
    text = even_lines(note.text)
    sections = split_radiology(text)
    label = _examination(text, sections)
    finding = _finding(text, sections)
    if note.charttime is None or not label or finding is None:
        return None
    passage, section = finding
    detail = {"date": format_date(note.charttime)}
    if note.storetime and note.storetime > note.charttime:
        detail["reported"] = format_time(note.storetime)
    return Statement(
        kind=FactKind.IMAGING,
        label=label,
        value=short_finding(_without_shorthand(passage.text)),
        source=SourceSpan(
            table="radiology",
            item=note.note_id,
            section=section.heading,
            start=passage.start,
            end=passage.end,
        ),
        time=note.charttime,
        detail=detail,
    )


def _examination(note: str, sections: tuple[Section, ...]) -> str:
    candidates = named(sections, "examination") or named(sections, "opening")
    for section in candidates:
        for passage in sentences(note, section):
            written = re.sub(r"^(?:EXAMINATION|EXAM|STUDY)\s*:?\s*", "", passage.text)
            name = speakable(_in_words(written))
            if name and len(name.split()) <= MAXIMUM_WORDS and any(map(str.isalpha, name)):
                return " ".join(_cased(word) for word in name.split())
    return ""


def _without_shorthand(written: str) -> str:
    return _WITHOUT.sub("without", written)


def _in_words(written: str) -> str:
    written = _without_shorthand(written)
    for pattern, words in _IN_WORDS:
        written = pattern.sub(words, written)
    return written


def _cased(word: str) -> str:
    core = re.sub(r"\W", "", word).lower()
    return word.upper() if core in _CAPITALS else word.lower()


def _finding(note: str, sections: tuple[Section, ...]) -> tuple[Passage, Section] | None:
    for section in named(sections, "impression") or named(sections, "findings"):
        for passage in sentences(note, section):
            if short_finding(_without_shorthand(passage.text)):
                return passage, section
    return None
