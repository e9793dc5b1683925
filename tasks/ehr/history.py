"""Statements of why the patient came and what was known before: complaint, symptoms, conditions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from tasks.contracts.records import FactKind, SourceSpan
from tasks.ehr.passages import Passage, discharge_span, items, sentences
from tasks.ehr.sections import Section, named
from tasks.ehr.statements import (
    Statement,
    lower_first,
    names_person,
    speakable,
    tells_death,
    without_removed,
)
from tasks.ehr.vocabulary import conditions, symptoms

_DENIAL = re.compile(
    r"\b(?:den(?:ies|ied|ying)|negative for|without|no|not|never|absence of)\b", re.IGNORECASE
)
_TURN = re.compile(
    r"\b(?:but|however|except|although|reports?|reported|endors\w+|complain\w*|positive for|"
    r"admits?|presents?|presented|now with|did have|does have|has had)\b|;",
    re.IGNORECASE,
)
_BEFORE_NOW = re.compile(
    r"(?:history of|h/o|hx of|prior|previous|family|mother|father|brother|sister|return if|"
    r"concern for|if|chronic|baseline|resolved|recurrent)\W+(?:\w+\W+){0,2}$",
    re.IGNORECASE,
)
_REPORTS = re.compile(
    r"\b(?:reports?|reported|presents?|presented|complain\w*|endors\w+|den(?:y|ies|ied|ying)|c/o)\b",
    re.IGNORECASE,
)
_PAST_HEADING = re.compile(
    r"^(?:past |cardiac |surgical |medical |other |psych|oncolog|pmh|psh)[^:]*:\s*|^[A-Z /]+:\s*"
)
_NOT_CONDITIONS = re.compile(
    r"^(?:none|non-?contributory|see|per|as above|unknown|denies|unremarkable|negative|n/a|"
    r"otherwise)",
    re.IGNORECASE,
)
_NO_ALLERGIES = re.compile(
    r"\bno known\b|\bNKDA\b|\bNKA\b|patient recorded as having no|^none\b", re.IGNORECASE
)
_EXCEPTED = re.compile(
    r"\b(?:NKDA|NKA|no known\b[^.;]*)\s*(?:,\s*)?(?:except|but|other than|apart)\b", re.I
)
_ALLERGEN_WORDS = 4
_REACTION = re.compile(
    r"\b(?:rash|hives|urticaria|anaphyla\w+|angioedema|swelling|itch\w*|pruritus|nausea|vomiting|"
    r"diarrhea|upset|cough|wheez\w+|shortness|throat|confusion|delirium|failure|myalgias?|bleeding|"
    r"headache|dizziness|flushing|fever|seizures?|blister\w*|pain|cramps|bradycardia)\b",
    re.IGNORECASE,
)
_SHORTHAND = {"s/p": "status post", "c/b": "complicated by", "h/o": "history of", "w/": "with"}
_RUNNING_LINES = 2
_LOOSE_HEAD = re.compile(r"^\s*(?:and|or)\s+", re.IGNORECASE)
_REMOVED_TAIL = re.compile(r"[\s,]*\b(?:in|on|since|at|from|by|dated|of)?\s*_{2,}[\s.,]*$")
_NOT_ALLERGEN = re.compile(r"\b(?:attending|allerg\w*|adverse|known|recorded|unknown)\b", re.I)


@dataclass(frozen=True)
class _Mention:
    name: str
    denied: bool
    start: int
    end: int


def complaint_statements(
    note_id: str, note: str, sections: tuple[Section, ...]
) -> tuple[Statement, ...]:
    """The chief complaint: its first line, or the first of a long list."""
    for section in named(sections, "chief complaint"):
        for passage in items(note, section):
            text = without_removed(passage.text)
            complaint = speakable(text) or speakable(re.split(r"[,;/]", text)[0])
            if complaint and not tells_death(complaint):
                span = discharge_span(note_id, section, passage)
                value = lower_first(complaint)
                return (Statement(FactKind.CHIEF_COMPLAINT, "chief complaint", value, span),)
    return ()


def symptom_statements(
    note_id: str, note: str, sections: tuple[Section, ...]
) -> tuple[Statement, ...]:
    """Symptoms reported or denied in the history; one that is both is left out.

    In a note without headings only sentences that say who reports or denies are read.
    """
    mentions: dict[str, list[tuple[_Mention, Section]]] = {}
    for section in named(sections, "history", "whole"):
        for passage in sentences(note, section):
            if section.name == "history" or _REPORTS.search(passage.text):
                for mention in _mentions(note, passage):
                    mentions.setdefault(mention.name, []).append((mention, section))
    return tuple(
        _symptom(name, *group[0], note_id)
        for name, group in mentions.items()
        if len({mention.denied for mention, _ in group}) == 1
    )


def condition_statements(
    note_id: str, note: str, sections: tuple[Section, ...]
) -> tuple[Statement, ...]:
    """Conditions of the past medical and surgical history, one an entry of the list."""
    statements: list[Statement] = []
    for section in named(sections, "past history", "surgical history"):
        passages = items(note, section)
        for passage in passages:
            for name in _conditions(passage.text, running=len(passages) <= _RUNNING_LINES):
                span = discharge_span(note_id, section, passage)
                statements.append(Statement(FactKind.PAST_CONDITION, name, name, span))
    return tuple(statements)


def allergy_statements(
    note_id: str, note: str, sections: tuple[Section, ...]
) -> tuple[Statement, ...]:
    """Allergens with their reaction where written, or that none are known."""
    statements: list[Statement] = []
    for section in named(sections, "allergies"):
        for passage in items(note, section):
            if _EXCEPTED.search(passage.text):
                # What is excepted from "none known" is an allergy in words that aren't read.
                continue
            if _NO_ALLERGIES.search(passage.text):
                span = discharge_span(note_id, section, passage)
                statements.append(Statement(FactKind.ALLERGY, "drug allergies", "none known", span))
            else:
                statements.extend(_allergens(note_id, section, passage))
    allergens = [statement for statement in statements if statement.label != "drug allergies"]
    return tuple(allergens or statements)


def _mentions(note: str, passage: Passage) -> Iterator[_Mention]:
    taken = 0
    for match in _symptom_pattern().finditer(note, passage.start, passage.end):
        before = note[passage.start : match.start()]
        if match.start() < taken or _BEFORE_NOW.search(before):
            continue
        taken = match.end()
        denials = [found.end() for found in _DENIAL.finditer(before)]
        turns = [found.end() for found in _TURN.finditer(before)]
        denied = bool(denials) and denials[-1] > max(turns, default=-1)
        spelling = " ".join(match[0].lower().split())
        yield _Mention(_symptom_names()[spelling], denied, match.start(), match.end())


@cache
def _symptom_names() -> dict[str, str]:
    return {
        spelling: name for name, spellings in symptoms().symptoms.items() for spelling in spellings
    }


@cache
def _symptom_pattern() -> re.Pattern[str]:
    ordered = sorted(_symptom_names(), key=lambda spelling: (-len(spelling), spelling))
    words = "|".join(r"\s+".join(map(re.escape, spelling.split())) for spelling in ordered)
    return re.compile(rf"(?<![\w-])(?:{words})(?![\w-])", re.IGNORECASE)


def _symptom(name: str, mention: _Mention, section: Section, note_id: str) -> Statement:
    return Statement(
        kind=FactKind.HISTORY,
        label=name,
        value="denied" if mention.denied else "reported",
        source=SourceSpan(
            table="discharge",
            item=note_id,
            section=section.heading,
            start=mention.start,
            end=mention.end,
        ),
        detail={"polarity": "denied" if mention.denied else "present"},
    )


def _conditions(entry: str, *, running: bool) -> Iterable[str]:
    """Conditions of an entry; a running text of a line or two is split at its commas."""
    text = _PAST_HEADING.sub("", without_removed(entry)).strip()
    parts = [part for part in re.split(r";\s*|\.\s+", text) if part.strip()]
    if running and len(parts) == 1 and "," in text:
        parts = re.split(r",\s*(?:and\s+)?", text)
    for part in parts:
        name = _in_words(speakable(_LOOSE_HEAD.sub("", _REMOVED_TAIL.sub("", part))))
        plain = speakable(lower_first(name))
        if len(plain) > 2 and not _unfit_condition(plain):
            yield plain


def _in_words(name: str) -> str:
    """A condition with the abbreviations that clinicians don't say to patients written out."""
    known = conditions().abbreviations
    if name.upper() in known:
        return known[name.upper()]
    words = (_SHORTHAND.get(word.lower(), known.get(word, word)) for word in name.split())
    return " ".join(words)


def _unfit_condition(name: str) -> bool:
    return bool(
        _NOT_CONDITIONS.match(name)
        or names_person(name)
        or tells_death(name)
        or name.endswith(":")
        or not name[0].isalpha()
    )


def _allergens(note_id: str, section: Section, passage: Passage) -> Iterator[Statement]:
    for part in re.split(r"\s+/\s+|;\s*|,\s+(?![^(]*\))", without_removed(passage.text)):
        match = re.match(r"^(?P<allergen>[^()]+?)(?:\s*\((?P<reaction>[^()]+)\))?\s*$", part)
        allergen = speakable(match["allergen"], _ALLERGEN_WORDS) if match else ""
        if not match or not allergen or _NOT_ALLERGEN.search(allergen):
            continue
        written = match["reaction"] or ""
        reaction = speakable(written).lower() if _REACTION.search(written) else ""
        yield Statement(
            kind=FactKind.ALLERGY,
            label=allergen.lower(),
            value=reaction or "allergy",
            source=discharge_span(note_id, section, passage),
            detail={"reaction": reaction} if reaction else {},
        )
