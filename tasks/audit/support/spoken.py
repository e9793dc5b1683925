"""Turns as the support audit reads them: words, values and the things they name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property, lru_cache

from tasks.audit.support.cues import Cue, cues_of
from tasks.audit.support.known_names import longest_known
from tasks.audit.support.question_terms import Term, form_words
from tasks.audit.support.reading_words import LINKING, SENTENCE, Text, keys_of, read_text
from tasks.contracts.audit import AuditSession
from tasks.terminology.synonyms import generic_words

Span = tuple[int, int]
_WINDOW = 8
"""Further words between the words of a thing that is not named in one piece."""
_OTHER_STAY = re.compile(
    r"\b(?:previous(?:ly)?|last (?:time|stay)|you were here|earlier stay|stay before|back then)\b",
    re.IGNORECASE,
)
_NEGATED = frozenset(
    [
        "no",
        "not",
        "without",
        "never",
        "denied",
        "deni",
        "deny",
        "denies",
        "negative",
        "none",
        "neither",
        "nor",
        "absent",
        "didn't",
        "don't",
        "can't",
        "couldn't",
        "cannot",
    ]
)


@dataclass(frozen=True)
class Turn:
    """A turn of a session, at its place in the patient's timeline."""

    session: int
    hadm_id: str
    number: int
    time: datetime
    late: bool
    """Spoken in the second half of the session's turns."""
    spoken: str

    @property
    def place(self) -> str:
        """As audits name turns."""
        return f"{self.hadm_id}:{self.number}"

    @cached_property
    def text(self) -> Text:
        """The words of the turn."""
        return read_text(self.spoken, self.time.year)

    @cached_property
    def cues(self) -> frozenset[Cue]:
        """The conditions that the turn names."""
        return cues_of(self.spoken)

    @cached_property
    def of_another_stay(self) -> bool:
        """Speaks of an earlier stay."""
        return bool(_OTHER_STAY.search(self.spoken))

    @cached_property
    def relative_days(self) -> tuple[str, ...]:
        """Days that the turn names by distance: today, yesterday, tomorrow."""
        shifts = {"today": 0, "tonight": 0, "yesterday": -1, "tomorrow": 1}
        return tuple(
            (self.time + timedelta(days=shift)).date().isoformat()
            for word, shift in shifts.items()
            if word in self.text.places
        )


def turns_of(sessions: Sequence[AuditSession]) -> tuple[tuple[Turn, ...], ...]:
    """The turns of each session."""
    return tuple(
        tuple(
            Turn(
                session=position,
                hadm_id=session.hadm_id,
                number=line.turn_number,
                time=line.time,
                late=2 * place >= len(session.lines),
                spoken=line.text,
            )
            for place, line in enumerate(session.lines)
        )
        for position, session in enumerate(sessions)
    )


@dataclass(frozen=True)
class Named:
    """A thing with its spellings: as a whole, and as parts that may lie apart."""

    whole: tuple[str, ...]
    parts: tuple[tuple[tuple[str, ...], ...], ...]
    common: bool
    """All its words are too common to be the thing's when they lie apart."""


@lru_cache(maxsize=65536)
def named(keys: tuple[str, ...]) -> Named:
    """How a thing can be said: as it stands, or part by part with synonyms.

    A part is the longest stretch that a synonym is known for, or a single word. Salts, forms and
    words such as “unspecified” are no part, unless the thing has no others.
    """
    found: list[tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]] = []
    place = 0
    while place < len(keys):
        size, others = longest_known(keys[place:])
        if size:
            found.append((keys[place : place + size], others))
        elif keys[place] not in _LINKS:
            found.append(((keys[place],), ()))
        place += size or 1
    told = [part for part in found if not set(part[0]) <= _dropped()] or found
    groups = Counter(others for _, others in told if others)
    return Named(
        keys,
        tuple(
            dict.fromkeys(
                (own,) if groups[others] > 1 else tuple(dict.fromkeys((own, *others)))
                for own, others in told
            )
        ),
        all(not others and set(own) <= _common() for own, others in told),
    )


_LINKS = LINKING | {"other"}
_DROPPED = (
    "acetate besylate calcium carbonate chloride citrate hcl hydrochloride magnesium phosphate "
    "potassium sodium succinate sulfate tartrate maleate mesylate tablet capsule nos unspecified "
    "specified elsewhere classified not initial subsequent encounter natural sr er xl dr ec xr cd "
    "la oral routine site"
)


@lru_cache(maxsize=1)
def _dropped() -> frozenset[str]:
    return frozenset(keys_of(_DROPPED))


@lru_cache(maxsize=1)
def _common() -> frozenset[str]:
    return frozenset(key for word in generic_words() for key in keys_of(word)) | form_words()


def is_common(key: str) -> bool:
    """Whether a word is too common to tell things apart."""
    return key in _common() or key in _LINKS


def is_known(keys: tuple[str, ...]) -> bool:
    """Whether a list of names knows a word of these."""
    return any(longest_known(keys[place:])[0] for place in range(len(keys)))


def mentions(text: Text, term: Term, *, required: frozenset[str] | None = None) -> list[Span]:
    """Where a text names a thing: as it stands, else by its parts within one sentence.

    ``required`` limits the parts to words that the patient's timeline or record has at all.
    """
    name = named(term.keys)
    exact = [span for span in text.find(name.whole) if not _of_longer_name(text, span, name)]
    if exact:
        return [span for span in exact if not _hangs(text, span)] or exact
    parts = [
        part for part in name.parts if required is None or any(set(one) <= required for one in part)
    ]
    if not parts or (required is not None and not _tells(parts, name)):
        return []
    found = [
        [span for keys in part for span in text.find(keys) if not _of_longer_name(text, span, name)]
        for part in parts
    ]
    if not all(found) or (len(found) == 1 and name.common):
        return []
    room = len(term.keys) + (1 if name.common else _WINDOW)
    joined = (_joined(text, span, found[1:], room) for span in found[0])
    return list(dict.fromkeys(span for span in joined if span))


def _hangs(text: Text, span: Span) -> bool:
    """“ampicillin” of “ampicillin/sulbactam”."""
    behind = text.tokens[span[1] : span[1] + 1]
    return text.tokens[span[0]].joined or any(token.joined for token in behind)


def _of_longer_name(text: Text, span: Span, name: Named) -> bool:
    """“sodium” of “docusate sodium” isn't the sodium of the blood."""
    if len(name.whole) > 1 or not set(name.whole) <= _dropped() or span[0] == 0:
        return False
    before = text.tokens[span[0] - 1]
    near = text.tokens[span[0]].breaks == before.breaks
    return near and before.kind == "word" and before.key not in _common() | _LINKS


def _tells(parts: Sequence[object], name: Named) -> bool:
    return 2 * len(parts) > len(name.parts)


def _joined(text: Text, first: Span, others: Iterable[list[Span]], room: int) -> Span | None:
    start, end = first
    for spans in others:
        near = [
            span
            for span in spans
            if text.distance(first, span) < SENTENCE
            and max(end, span[1]) - min(start, span[0]) <= room
        ]
        if not near:
            return None
        best = min(near, key=lambda span: max(end, span[1]) - min(start, span[0]))
        start, end = min(start, best[0]), max(end, best[1])
    return start, end


def _closes(text: Text, place: int) -> bool:
    """“Fever or chills, no.”"""
    following = place + 1
    return following >= len(text.tokens) or (
        text.tokens[following].breaks - text.tokens[place].breaks >= 2
    )


def negated(text: Text, span: Span) -> bool:
    """Whether what a stretch names is denied in its sentence, before or right after it."""
    for place, token in enumerate(text.tokens):
        if token.key in _NEGATED:
            near = text.distance((place, place + 1), span) < SENTENCE
            closing = token.key == "no" and _closes(text, place)
            if near and (place < span[0] or place - span[1] < 2 or closing):
                return True
    return False
