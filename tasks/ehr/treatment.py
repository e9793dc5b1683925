"""Statements of the hospital course: what was done about a problem, and why."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tasks.contracts.records import FactKind, SourceSpan
from tasks.ehr.given import given_statements
from tasks.ehr.passages import discharge_span, sentences
from tasks.ehr.sections import Section, named
from tasks.ehr.statements import (
    COURSE_WORDS,
    MAXIMUM_WORDS,
    Statement,
    calm_case,
    lower_first,
    names_person,
    speakable,
    tells_death,
    without_removed,
)

_THERAPY_WORDS = 5
_DOSE_WORDS = 6
_NO_DOSE = re.compile(r"^(?:by|until|over|after|before|since|in|during)\b", re.IGNORECASE)
_DONE = (
    "started|initiated|begun|restarted|resumed|continued|increased|uptitrated|decreased|reduced|"
    "downtitrated|held|stopped|discontinued|changed|switched|transitioned|added|given|administered|"
    "broadened|narrowed|tapered|deferred|performed|placed|inserted|replaced|repeated"
)
_ADVERB = r"(?:(?:then|also|subsequently|initially|temporarily|briefly|empirically) )?"
_THERAPY_FIRST = re.compile(
    rf"(?:^|(?<=, )(?:and )?|(?<=; ))(?P<therapy>[A-Za-z][\w\-/ ]{{1,60}}?) (?:was|were) {_ADVERB}"
    rf"(?P<action>{_DONE})\b(?P<rest>[^;]*)"
)
_PATIENT_FIRST = re.compile(
    rf"\b(?:[Pp]atient|[Pp]t|[Hh]e|[Ss]he|[Yy]ou|and) (?:was|were) {_ADVERB}"
    r"(?P<verb>started|restarted|resumed|continued|maintained|placed|treated|given|switched|transitioned)"
    r"(?: on| with| to)? (?P<therapy>[A-Za-z][\w\-/ ]{1,60}?)"
    r"(?= (?:because|due|for|to treat|given|in the setting|in light|\d))(?P<rest>[^;]*)"
)
_RECEIVED = re.compile(
    r"\b(?:[Pp]atient|[Pp]t|[Hh]e|[Ss]he|[Yy]ou|and) (?P<verb>received) "
    r"(?P<therapy>[A-Za-z][\w\-/ ]{1,60}?)"
    r"(?= (?:because|due|for|to treat|given|in the setting|in light|\d))(?P<rest>[^;]*)"
)
_ACTION_OF_VERB = {
    "maintained": "continued",
    "placed": "started",
    "treated": "given",
    "received": "given",
}
_LINK = re.compile(
    r"\s(?P<link>because of|due to|because|to treat|in the setting of|in light of|given|for)\s"
)
_REASON_END = re.compile(
    r"\.(?=\s|$)|;|, (?:and|with|for|to|but|which|who|then|after|so|until)\b|"
    r"\s(?:with (?:good|improvement|resolution|plan|a plan|some|significant)|"
    r"and (?:was|were|then|will|his|her|the|he|she|discharged)|until|prior to)\b"
)
_LEADING = re.compile(r"^(?:and|or|his|her|their|the patient's|the|a|an)\s+", re.IGNORECASE)
_THERAPY_LEADING = re.compile(
    r"^(?:(?:his|her|their|the patient's|the|a|an|home|outpatient|both|and|that|so|dose of|"
    r"(?:therapy|treatment) with) )+",
    re.I,
)
_DURATION = re.compile(
    r"^(?:a |an |the )?(?:total|full|course|planned|another|additional|at least|about|\d+|one|two|"
    r"three|four|five|six|seven|ten|several|few|now|goal|further|long[- ]term)\b.*"
    r"\b(?:days?|weeks?|hours?|doses?|months?|course|now)\b|^now\b|^\d",
    re.IGNORECASE,
)
_VAGUE = re.compile(
    r"^(?:it|this|that|they|these|those|which|who|there|he|she|patient|pt|course|decision|plan|"
    r"medications?|meds?|all|we|you|labs?|discussion|care|what)\b",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"\b(?:this|that|these|those|which|it|them|above|below|same)\b", re.I)
_COURSE = re.compile(
    r"\b(?:treated|managed|controlled|resolved|improved|stabilized|monitored|repleted|supported)\s"
    r"(?:conservatively\s)?(?:with|by|on|using|after)\s(?:[^.;,]|[.,](?=\d))+"
)
_GROUP_HEADING = re.compile(
    r"\b(?:issues?|problems?|medical|summary|statement|brief|hospital course|transitional|code|"
    r"contacts?|core measures|prophylaxis|ppx|fen|communication|disposition|dispo|hcp)\b|"
    r"^(?:POD|HD|HOD|(?:post-?operative|hospital) day)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class _Reason:
    words: str
    link: str
    before: str


def course_statements(
    note_id: str, note: str, sections: tuple[Section, ...]
) -> tuple[Statement, ...]:
    """Treatments with their reasons, and what was done about each problem that has a heading.

    A note that tells neither gives at least the first drug that it says was given.
    """
    statements: list[Statement] = []
    for section in named(sections, "course", "transitional issues", "addendum", "whole"):
        problem = ""
        for passage in sentences(note, section):
            heading = problem_heading(passage.text)
            if heading is not None:
                problem = heading
            text = without_removed(passage.text)
            if not tells_death(text):
                statements.extend(
                    _treatments(text, problem, discharge_span(note_id, section, passage))
                )
                statements.extend(_course(text, problem, discharge_span(note_id, section, passage)))
    return tuple(statements) or given_statements(note_id, note, sections)


def problem_heading(text: str) -> str | None:
    """The problem that a heading names; empty for a heading of no problem, null for prose."""
    head = text.split(":", 1)[0] if ":" in text[:80] else ""
    if not head or not head[0].isalpha():
        return None
    if text.rstrip().endswith(":") or len(head.split()) <= MAXIMUM_WORDS:
        name = lower_first(calm_case(speakable(head)))
        unfit = _GROUP_HEADING.search(name) or names_person(name) or tells_death(name)
        return "" if unfit else name
    return None


def _treatments(text: str, problem: str, span: SourceSpan) -> Iterator[Statement]:
    body = text.partition(":")[2].strip() if problem_heading(text) else text
    for pattern in (_THERAPY_FIRST, _PATIENT_FIRST, _RECEIVED):
        for match in pattern.finditer(body):
            groups = match.groupdict()
            action = groups.get("action") or _ACTION_OF_VERB.get(groups["verb"], groups["verb"])
            statement = _treatment(groups["therapy"], action, groups["rest"], problem, span)
            if statement:
                yield statement


def _treatment(
    therapy: str, action: str, rest: str, problem: str, span: SourceSpan
) -> Statement | None:
    label = _therapy(therapy)
    reason = _reason(rest)
    if not label or reason is None:
        return None
    detail = {"action": action, "link": reason.link}
    detail |= {"problem": problem} if problem else {}
    detail |= _dosing(therapy, reason.before)
    return Statement(FactKind.TREATMENT, label, reason.words, span, None, detail)


def _dosing(therapy: str, between: str) -> dict[str, str]:
    """The dose given, or what a therapy was changed to, from the words around its action."""
    words = " ".join(between.split())
    moved = re.match(r"^(?:from .+ )?to (?:(?:a|the) )?(?:(?:dose|rate) of )?(?P<to>.+)$", words)
    part = speakable(moved["to"] if moved else re.sub(r"^(?:at|on|with) ", "", words), _DOSE_WORDS)
    if names_person(part) or _NO_DOSE.match(part):
        part = ""
    if part and moved:
        return {"dose" if part[0].isdigit() else "to": part}
    if part and re.search(r"\d", part):
        return {"dose": part}
    beside = re.search(r"\s(?P<dose>\d.*)$", therapy)
    dose = speakable(beside["dose"], _DOSE_WORDS) if beside else ""
    return {"dose": dose} if dose else {}


def _therapy(written: str) -> str:
    name = _THERAPY_LEADING.sub("", re.split(r"\s\d", written)[0].strip())
    label = lower_first(calm_case(speakable(name, _THERAPY_WORDS)))
    if _VAGUE.match(label) or names_person(label) or re.search(r"\b(?:was|were|is|not)\b", label):
        return ""
    return label


def _reason(rest: str) -> _Reason | None:
    """The first link in a clause that is followed by a reason and not by a duration."""
    for match in _LINK.finditer(rest):
        link = match["link"]
        clause = _REASON_END.split(rest[match.end() :])[0]
        words = _LEADING.sub("", " ".join(clause.split()))
        short = speakable(words) or speakable(re.split(r",\s", words)[0])
        if _fit_reason(short, link):
            return _Reason(
                short, "because" if link == "because" else "because of", rest[: match.start()]
            )
    return None


def _fit_reason(words: str, link: str) -> bool:
    if not words or names_person(words) or _PRONOUN.search(words) or tells_death(words):
        return False
    if link == "because":
        return bool(re.search(r"\b(?:was|were|had|rose|fell|remained|became|did|grew)\b", words))
    return not _DURATION.search(words) and not _VAGUE.match(words)


def _course(text: str, problem: str, span: SourceSpan) -> Iterator[Statement]:
    match = _COURSE.search(text) if problem else None
    if match:
        done = speakable(match[0], COURSE_WORDS)
        if done and not names_person(done) and not _PRONOUN.search(done):
            yield Statement(FactKind.COURSE, problem, done, span)
