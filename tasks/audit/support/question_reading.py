"""Reads a question without knowing its forms: stays, things, dates and conditions it names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tasks.audit.support.cues import Cue, cues_of
from tasks.audit.support.question_terms import Term, form_words, option_keys, states_of, terms_of
from tasks.audit.support.reading_words import read_text
from tasks.contracts.audit import AuditSession
from tasks.contracts.questions import Question

_PREFIX = re.compile(
    r"^during the (?:hospitalization|stay|admission) (?:on|from) \S+(?: to \S+)?,? ", re.IGNORECASE
)
_DAY_TIME = re.compile(r"(\d{4}-\d{2}-\d{2})(?: (?:at )?(\d{2}:\d{2}(?::\d{2})?))?")
_RANGE = re.compile(
    r"\b(?:through|up to|until|between|over|inclusive|counted|range|ending|beginning|"
    r"from .{0,60}?\bto|all|in total|across|throughout)\b",
    re.IGNORECASE,
)
_PHRASES = re.compile(
    r"\b(?:care (?:team|plan)|(?:team's|inpatient|hospital|medical) care|plan of care|level of "
    r"care|in (?:the )?care of|with an eye to|in view of|came "
    r"up)\b",
    re.IGNORECASE,
)
"""Phrases that ask, though a word of theirs can name a thing."""
_STAY_WORDS = re.compile(
    r"(?:that |which )?\b(?:began|started|beginning|starting|commenced)\b(?: on)? ,", re.IGNORECASE
)
_THRESHOLD = re.compile(
    r"\b(?:above|over|exceed\w*|below|under|(?:more|less|higher|lower|greater|fewer) than|"
    r"at (?:least|most)) (\d+(?:\.\d+)?)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Reading:
    """What a question asks about, as far as its words tell."""

    body: str
    stays: tuple[int, ...]
    """Positions of the stays that it names by date, in its own order."""
    is_range: bool
    """The stays named are the first and last of a range."""
    days: tuple[str, ...]
    """Other dates it names."""
    terms: tuple[Term, ...]
    states: tuple[str, ...]
    """Words that it sets as a condition and that exclude others: primary, denied, resistant."""
    cues: frozenset[Cue]
    threshold: tuple[str, float] | None


def read_question(
    question: Question, sessions: Sequence[AuditSession], learned: frozenset[str] = frozenset()
) -> Reading:
    """Read a question of a patient with these sessions.

    A word names a thing unless it is a form word: one of form_words.json, or ``learned`` from the
    patient's answerable questions (see ``learned_form_words``).
    """
    stays, days, body = _stays(question, sessions)
    threshold = _THRESHOLD.search(body)
    asked = _PHRASES.sub("team", _THRESHOLD.sub(" ", body))
    cross = question.scope == "cross_admission"
    return Reading(
        body=body,
        stays=stays,
        is_range=cross and len(stays) == 2 and bool(_RANGE.search(question.question)),
        days=days,
        terms=tuple(
            term
            for term in terms_of(asked, form_words() | learned)
            if not (len(term.keys) == 1 and term.keys[0] in option_keys())
        ),
        states=states_of(asked, form_words() | learned),
        cues=cues_of(_STAY_WORDS.sub(" ", body)),
        threshold=(threshold[0].casefold(), float(threshold[1])) if threshold else None,
    )


def learned_form_words(
    questions: Iterable[Question], said: frozenset[str], sessions: Sequence[AuditSession]
) -> frozenset[str]:
    """Words that at least two answerable questions use and no turn or record ever says.

    An honest question's target is said somewhere, so such a word can only be wording.
    """
    used: Counter[str] = Counter()
    for question in questions:
        if question.question_type != "adversarial":
            body = _stays(question, sessions)[2]
            used.update({token.key for token in read_text(body).tokens if token.kind == "word"})
    return frozenset(key for key, count in used.items() if count > 1 and key not in said)


def _stays(
    question: Question, sessions: Sequence[AuditSession]
) -> tuple[tuple[int, ...], tuple[str, ...], str]:
    """Stays named, other days named, and the question without either."""
    text = question.question
    if question.scope == "single_admission":
        own = _own_stay(question, sessions)
        text = _PREFIX.sub("", text, count=1)
    else:
        own = []
    named: list[int] = []
    days: list[str] = []
    for found in _DAY_TIME.finditer(text):
        position = _stay_of(found, question, sessions, named) if not own else None
        if position is not None:
            named.append(position)
        else:
            days.append(found[1])
    body = re.sub(r"\s+", " ", _DAY_TIME.sub(" , ", text))
    return tuple(dict.fromkeys(own or named)), tuple(dict.fromkeys(days)), body


def _own_stay(question: Question, sessions: Sequence[AuditSession]) -> list[int]:
    """The stay whose dates open a question; of several with these dates the one cited."""
    prefix = _PREFIX.match(question.question)
    named = _DAY_TIME.findall(prefix[0]) if prefix else []
    cited = [n for n, one in enumerate(sessions) if one.hadm_id in question.evidence.admissions]
    fitting = [
        n
        for n, one in enumerate(sessions)
        if named
        and one.admission_start.date().isoformat() == named[0][0]
        and one.admission_end.date().isoformat() == named[-1][0]
    ]
    return [n for n in fitting if n in cited] or fitting[:1] or cited


def _stay_of(
    found: re.Match[str],
    question: Question,
    sessions: Sequence[AuditSession],
    before: Sequence[int],
) -> int | None:
    """The stay that began at a date; of several the one cited, then the first not yet named."""
    fitting = [
        position
        for position, one in enumerate(sessions)
        if one.admission_start.date().isoformat() == found[1]
        and (found[2] or "") == str(one.admission_start.time())[: len(found[2] or "")]
    ]
    if not fitting:
        ending = [
            n for n, one in enumerate(sessions) if one.admission_end.date().isoformat() == found[1]
        ]
        return before[-1] if before and before[-1] in ending else None
    cited = [n for n in fitting if sessions[n].hadm_id in question.evidence.admissions]
    unnamed = [n for n in cited or fitting if n not in before]
    return (unnamed or cited or fitting)[0]
