"""Reads a question without knowing its forms: stays, things, dates and conditions it names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pydantic import Field

from tasks.audit.cues import Cue, cues_of
from tasks.audit.reading_words import Text, keys_of, read_text
from tasks.contracts.audit import AuditSession
from tasks.contracts.base import Contract
from tasks.contracts.questions import Question

_FILE = Path(__file__).with_name("form_words.json")
_YEAR = re.compile(r"(?:19|20|21|22)\d\d")
_PREFIX = re.compile(
    r"^during the (?:hospitalization|stay|admission) (?:on|from) \S+(?: to \S+)?,? ", re.IGNORECASE
)
_DAY_TIME = re.compile(r"(\d{4}-\d{2}-\d{2})(?: (?:at )?(\d{2}:\d{2}(?::\d{2})?))?")
_RANGE = re.compile(
    r"\b(?:through|up to|until|between|over|inclusive|counted|range|ending|beginning|"
    r"from .{0,60}?\bto|all|in total|across|throughout)\b",
    re.IGNORECASE,
)
_BRIDGES = frozenset("of in with without and to for by a on or than due at as from into after before".split())
_SPLITS = frozenset({"and", "or", "to", "after", "before"})
_COMPARING = frozenset({"left", "right", "low", "up", "back", "upper", "lower"})
_BEFORE = _COMPARING | {"end", "stage"}
"""Form words that belong to a name right behind them: ``left foot``, ``end stage renal disease``."""
_BEHIND = frozenset({"diseas", "disorder"})
_OPTION = frozenset(
    {"primary", "secondary", "reported", "denied", "sensitive", "resistant", "intermediate"}
)
_PHRASES = re.compile(
    r"\b(?:care (?:team|plan)|plan of care|level of care|in (?:the )?care of|with an eye to|came up)\b", re.IGNORECASE
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


class FormWords(Contract):
    """``form_words.json``."""

    form_words: tuple[str, ...] = Field(description="Words that ask rather than name a thing")


@dataclass(frozen=True)
class Term:
    """A thing that a question names: a drug, a test, a problem, a procedure."""

    text: str
    keys: tuple[str, ...]


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


@cache
def form_words() -> frozenset[str]:
    """Keys of the words that ask rather than name a thing."""
    given = FormWords.model_validate_json(_FILE.read_bytes()).form_words
    return frozenset(key for word in given for key in keys_of(word))


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
            for term in _terms(asked, form_words() | learned)
            if not (len(term.keys) == 1 and term.keys[0] in _options())
        ),
        states=_states(asked, form_words() | learned),
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
        ending = [n for n, one in enumerate(sessions) if one.admission_end.date().isoformat() == found[1]]
        return before[-1] if before and before[-1] in ending else None
    cited = [n for n in fitting if sessions[n].hadm_id in question.evidence.admissions]
    unnamed = [n for n in cited or fitting if n not in before]
    return (unnamed or cited or fitting)[0]


def _terms(body: str, forms: frozenset[str]) -> Iterator[Term]:
    text = read_text(body)
    names = _names(text, forms)
    start = None
    for place in range(len(names) + 1):
        inside = place < len(names) and (names[place] or _bridges(text, names, place, start))
        if inside and start is None:
            start = place
        elif not inside and start is not None:
            keys = tuple(token.key for token in text.tokens[start:place])
            if any(key.isalpha() and len(key) > 1 for key in keys):
                yield Term(" ".join(keys), keys)
            start = None


def _bridges(text: Text, names: Sequence[bool], place: int, start: int | None) -> bool:
    """Whether a form word belongs to a name: ``left foot``, ``culture of urine``."""
    key = text.tokens[place].key
    if key in _BEHIND and start is not None:
        return names[place - 1] and _break(text, place) == 0
    if key in _BEFORE:
        following = place + 1
        while following < len(names) and text.tokens[following].key in _BEFORE:
            following += 1
        return following < len(names) and names[following] and _break(text, following) == 0
    if start is None or key not in _BRIDGES:
        return False
    following = place + 1
    while following < len(names) and text.tokens[following].key in _BRIDGES:
        following += 1
    if following >= len(names) or following - place > 2:
        return False
    near = text.tokens[following].breaks - text.tokens[place - 1].breaks
    return names[following] and near < 4


def _word(text: Text, place: int) -> str:
    token = text.tokens[place]
    return text.plain[token.start : token.end].casefold()


def _break(text: Text, place: int) -> int:
    return text.tokens[place].breaks - text.tokens[place - 1].breaks


def _names(text: Text, forms: frozenset[str]) -> list[bool]:
    """Which words name a thing; a word that offers or sets a condition does only before a name."""
    names = [
        token.kind in ("word", "number")
        and token.key not in forms
        and token.key not in _BRIDGES
        and not _YEAR.fullmatch(token.key)
        for token in text.tokens
    ]
    for place in reversed(range(len(names))):
        if _word(text, place) in _OPTION:
            before_name = place + 1 < len(names) and names[place + 1]
            names[place] = text.tokens[place].key not in forms and before_name and _break(text, place + 1) == 0
    return names


def divided(term: Term, exists: Callable[[tuple[str, ...]], bool]) -> tuple[Term, ...]:
    """A name with “and” or “or” in it as the things it names.

    It stays whole if it is said so anywhere. It is cut where both halves, or at least one, are said
    somewhere, and at an “or” in any case.
    """
    if exists(term.keys):
        return (term,)
    if term.keys[0] in _COMPARING and exists(term.keys[1:]):
        return (Term(" ".join(term.keys[1:]), term.keys[1:]),)
    if not set(term.keys) & _SPLITS:
        return (term,)
    cuts = [
        (term.keys[:place], term.keys[place + 1 :], key == "or")
        for place, key in enumerate(term.keys)
        if key in _SPLITS and 0 < place < len(term.keys) - 1
    ]
    best = max(cuts, key=lambda cut: (exists(cut[0]) + exists(cut[1]), cut[2]), default=None)
    if best is None or not (best[2] or exists(best[0]) or exists(best[1])):
        return (term,)
    halves = [Term(" ".join(keys), keys) for keys in best[:2]]
    return tuple(one for half in halves for one in divided(half, exists))


def _states(body: str, forms: frozenset[str]) -> tuple[str, ...]:
    """Words that exclude others, unless the question offers the others too."""
    text = read_text(body)
    found = {
        token.key
        for place, (token, name) in enumerate(
            zip(text.tokens, _names(text, forms), strict=True)
        )
        if _word(text, place) in _OPTION and not name
    }
    return tuple(found) if len(found) == 1 else ()


@cache
def _options() -> frozenset[str]:
    return frozenset(key for word in _OPTION for key in keys_of(word))
