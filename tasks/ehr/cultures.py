"""Statements of microbiology: what a specimen grew, and which antibiotics work against it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import timedelta

from tasks.contracts.clock import format_date, format_time
from tasks.contracts.records import AdmissionBundle, FactKind, MicrobiologyEvent, SourceSpan
from tasks.ehr.statements import Statement, lower_first, speakable

_INTERPRETATIONS = {"S": "sensitive", "R": "resistant", "I": "intermediate"}
_NO_RESULT = re.compile(
    r"cancel|credited|not performed|invalid|please|refer |see |contamina|\bfield\b|if |this |\?",
    re.IGNORECASE,
)
_SILENT_SPECIMEN = re.compile(r"immunology|serology|isolate|screen|swab|fluid received", re.I)
_ABBREVIATION = re.compile(
    r"\b(?:mrsa|vre|pcr|cmv|hiv|ebv|hsv|rsv|afb|bal|csf|igg|igm|iga|eia|rna|c(?=\. diff)|dna|rna)\b"
)
_GROWTH_HOURS = 24
_FINAL_HOURS = 48
"""The rows have no time of the report: growth is known after a day at the earliest, a final or
negative culture and what an isolate is sensitive to after two."""
_SPELLED = {"igg": "IgG", "igm": "IgM", "iga": "IgA"}
_FILLER = frozenset({"of", "the", "and", "for", "in", "routine"})

Numbered = tuple[int, MicrobiologyEvent]


def culture_statements(bundle: AdmissionBundle) -> tuple[Statement, ...]:
    """One statement a test, specimen and day: the organisms grown, else the written result.

    Negative sets of a day on which another set grew an organism are left out, and so is a day
    whose written results differ.
    """
    groups: dict[tuple[str, str], list[Numbered]] = {}
    for position, event in enumerate(bundle.microbiology):
        label = culture_label(event)
        if label:
            date = format_date(event.normalized_time)
            groups.setdefault((label.casefold(), date), []).append((position, event))
    statements = (_culture(group) for group in groups.values())
    return tuple(statement for statement in statements if statement)


def susceptibility_statements(bundle: AdmissionBundle) -> tuple[Statement, ...]:
    """One statement an organism and antibiotic, left out where the stay's isolates disagree."""
    groups: dict[str, list[Numbered]] = {}
    for position, event in enumerate(bundle.microbiology):
        organism, antibiotic = organism_name(event.org_name), antibiotic_name(event.ab_name)
        if organism and antibiotic and event.interpretation in _INTERPRETATIONS:
            label = f"{antibiotic} against {organism}"
            groups.setdefault(label, []).append((position, event))
    return tuple(
        _susceptibility(label, group[0])
        for label, group in groups.items()
        if len({event.interpretation for _, event in group}) == 1 and speakable(label)
    )


def culture_label(event: MicrobiologyEvent) -> str:
    """The test in lower case, with the specimen where the test's name doesn't tell it."""
    test = _cased(event.test_name)
    specimen = _cased(event.spec_type_desc)
    if test.startswith("r/o "):
        test = f"{test.removeprefix('r/o ')} screen"
    words = set(re.findall(r"\w+", specimen.lower())) - _FILLER
    if not test:
        return speakable(specimen)
    if (
        not words
        or words <= set(re.findall(r"\w+", test.lower()))
        or _SILENT_SPECIMEN.search(specimen)
    ):
        return speakable(test)
    return speakable(f"{test} of {specimen}") or speakable(test)


def _cased(written: str) -> str:
    """Lower case, but for the abbreviations that the laboratory uses."""
    words = " ".join(written.split()).lower()
    return _ABBREVIATION.sub(lambda match: _SPELLED.get(match[0], match[0].upper()), words)


def organism_name(written: str) -> str:
    """An organism as it is said: one capital at most; empty where no organism is named."""
    name = speakable(written)
    if not name or _NO_RESULT.search(name):
        return ""
    return name.capitalize() if name.isupper() else name


def antibiotic_name(written: str) -> str:
    """An antibiotic in lower case; empty where none is named."""
    return speakable(written).lower()


def _culture(group: list[Numbered]) -> Statement | None:
    grown = _unique(organism_name(event.org_name) for _, event in group)
    result = "organism" if grown else "comment"
    values = [" and ".join(grown)] if grown else _unique(_comment(event) for _, event in group)
    if len(values) != 1 or not speakable(values[0]):
        return None
    position, event = next(
        (position, event)
        for position, event in group
        if (organism_name(event.org_name) or _comment(event)) in (grown or values)
    )
    date = format_date(event.normalized_time)
    return Statement(
        kind=FactKind.CULTURE,
        label=culture_label(event),
        value=values[0],
        source=SourceSpan(table="microbiologyevents", item=str(position)),
        time=event.normalized_time,
        detail={
            "date": date,
            "specimen": event.spec_type_desc.strip().lower(),
            "test": event.test_name.strip().lower(),
            "result": result,
            "reported": _reported(event, _hours_of_result(event, result)),
        },
    )


def _comment(event: MicrobiologyEvent) -> str:
    """First sentence of the written result, without what stands in parentheses."""
    for sentence in re.split(r"(?<=[.!])\s+(?=[A-Z])", event.comments.strip()):
        plain = speakable(re.sub(r"\s*\([^()]*\)|\sby (?:the )?[A-Z].*$", "", sentence))
        if plain:
            return "" if _NO_RESULT.search(event.comments[:80]) else _plain(plain)
    return ""


def _plain(comment: str) -> str:
    """A result in lower case where it is written in capitals or as a title."""
    words = comment.split()
    loud = [word for word in words if len(word) > 1 and word.isupper()]
    titled = [word for word in words if len(word) > 1 and word.istitle()]
    if 2 * len(loud) > len(words) or len(titled) > 1:
        return _cased(comment)
    return lower_first(comment)


def _susceptibility(label: str, first: Numbered) -> Statement:
    position, event = first
    date = format_date(event.normalized_time)
    return Statement(
        kind=FactKind.SUSCEPTIBILITY,
        label=label,
        value=_INTERPRETATIONS[event.interpretation],
        source=SourceSpan(table="microbiologyevents", item=str(position)),
        time=event.normalized_time,
        detail={
            "organism": organism_name(event.org_name),
            "antibiotic": antibiotic_name(event.ab_name),
            "specimen": event.spec_type_desc.strip().lower(),
            "date": date,
            "reported": _reported(event, _FINAL_HOURS),
        },
    )


def _hours_of_result(event: MicrobiologyEvent, result: str) -> int:
    negative_culture = result == "comment" and "culture" in culture_label(event).casefold()
    return _FINAL_HOURS if negative_culture else _GROWTH_HOURS


def _reported(event: MicrobiologyEvent, hours: int) -> str:
    return format_time(event.normalized_time + timedelta(hours=hours))


def _unique(values: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(value for value in values if value))
