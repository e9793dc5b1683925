"""What a dialogue is put together from: turns, exchanges of turns, and the story they tell."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import IntEnum

from tasks.contracts.clock import format_date, parse_time
from tasks.contracts.dialogue import Speaker
from tasks.contracts.records import AdmissionBundle, AdmissionRecord, Fact, FactKind
from tasks.dialogue.wording import Phrasebook, anything, question, statement


class Phase(IntEnum):
    """Part of the stay an exchange belongs to, in the order of the story."""

    ARRIVAL = 0
    STAY = 1
    DEPARTURE = 2


_POINT_OF_STAY = re.compile(r"^(?:admission|discharge|first) ")
_TITLE_WORD_LETTERS = 5
_QUESTION_TURNS = 2
_HOUR = timedelta(hours=1)
_EVENT_KINDS = frozenset(
    {FactKind.IMAGING, FactKind.PROCEDURE, FactKind.CULTURE, FactKind.SUSCEPTIBILITY}
)

REQUIRED = 1000
"""Importance of an exchange that every dialogue has."""

FALL = 10
"""How much less each further exchange of a kind matters than the one before it."""

SLOW_FALL = 4
"""The same for kinds of which every single fact is told in an exchange of its own."""


@dataclass(frozen=True)
class Turn:
    """What one speaker says, and the facts it states in full."""

    speaker: Speaker
    text: str
    sources: tuple[str, ...] = ()


Said = Callable[[Phrasebook], str]
"""Words that are drawn only when they are needed."""

Written = Callable[[Phrasebook], tuple[Turn, ...]]
"""Turns that are drawn only when they are needed."""


@dataclass(frozen=True)
class Exchange:
    """Turns that belong together: the doctor begins, the patient has the last word.

    ``write`` makes its ``size`` turns; ``longer`` makes the same exchange with a question of the
    patient and its answer. ``earliest`` is when what it tells is known, ``expected`` when a
    visit can bring it.
    """

    phase: Phase
    importance: int
    size: int
    write: Written
    longer: Written | None = None
    earliest: datetime | None = None
    expected: datetime | None = None
    small_talk: bool = False

    def extended(self) -> Exchange:
        """The longer form of an exchange that has one."""
        if self.longer is None:
            return self
        return replace(self, size=self.size + _QUESTION_TURNS, write=self.longer, longer=None)


@dataclass(frozen=True)
class Story:
    """An admission's facts by kind, with what the dialogue needs to know beside them."""

    bundle: AdmissionBundle
    left_alive: bool
    by_kind: dict[FactKind, tuple[Fact, ...]] = field(
        default_factory=dict[FactKind, tuple[Fact, ...]]
    )

    def facts(self, kind: FactKind) -> tuple[Fact, ...]:
        """Facts of a kind, in the order of the record."""
        return self.by_kind.get(kind, ())

    def stay(self, label: str) -> Fact | None:
        """The fact of the stay with a label such as ``admission date``."""
        return next((fact for fact in self.facts(FactKind.STAY) if fact.label == label), None)


def story_of(record: AdmissionRecord) -> Story:
    """The story of a staged admission."""
    by_kind: dict[FactKind, tuple[Fact, ...]] = {}
    for fact in record.facts:
        by_kind[fact.kind] = (*by_kind.get(fact.kind, ()), fact)
    leaves = any(fact.label == "discharge date" for fact in by_kind.get(FactKind.STAY, ()))
    return Story(record.bundle, leaves and not record.patient.died_in_hospital, by_kind)


def sources(facts: Iterable[Fact]) -> tuple[str, ...]:
    """The ids of facts that a turn states."""
    return tuple(fact.fact_id for fact in facts)


def known_from(fact: Fact) -> datetime | None:
    """When the result of a fact's event is there, or the event is over; null for other facts."""
    if fact.kind not in _EVENT_KINDS:
        return None
    reported = fact.detail.get("reported")
    return parse_time(reported) if reported else fact.time


def event_date(fact: Fact) -> str:
    """Day of a dated fact."""
    return fact.detail.get("date") or (format_date(fact.time) if fact.time else "")


def saying(pool: str, **slots: str) -> Said:
    """A wording of a pool with its slots filled."""
    return lambda book: book.say(pool, accept=anything, **slots)


def exchange(
    phase: Phase, importance: int, said: Said, facts: Sequence[Fact], pool: str
) -> Exchange:
    """The doctor states facts and the patient replies, in the words of the pool's replies.

    Replies may take up the first fact's label. The short form ends with a reply that asks nothing,
    the longer one goes on with a question, its answer and thanks.
    """
    stated = sources(facts)
    topic = _topic(facts)
    known = max((time for fact in facts if (time := known_from(fact))), default=None)

    def short(book: Phrasebook) -> tuple[Turn, ...]:
        doctor = Turn("Doctor", said(book), stated)
        return doctor, Turn("Patient", book.say(f"{pool}_reply", accept=statement, topic=topic))

    def longer(book: Phrasebook) -> tuple[Turn, ...]:
        return (
            Turn("Doctor", said(book), stated),
            Turn("Patient", book.say(f"{pool}_reply", accept=question, topic=topic)),
            Turn("Doctor", book.say(f"{pool}_answer")),
            Turn("Patient", _thanks(book, topic)),
        )

    return told_from(Exchange(phase, importance, 2, short, longer), known)


def _topic(facts: Sequence[Fact]) -> str:
    """What a reply can take up: the first fact's label, if that is the name of a thing."""
    if not facts or facts[0].kind is FactKind.INSTRUCTION:
        return ""
    return _POINT_OF_STAY.sub("", spoken(facts[0].label))


def _thanks(book: Phrasebook, topic: str) -> str:
    return book.say("thanks_about", topic=topic) if topic else book.say("thanks")


def told_from(item: Exchange, known: datetime | None) -> Exchange:
    """The exchange, held back until what it tells is known; a visit takes another hour."""
    return replace(item, earliest=known, expected=known + _HOUR) if known else item


def batches(facts: Sequence[Fact], size: int) -> list[tuple[Fact, ...]]:
    """Facts in groups of at most ``size``, as even as can be."""
    if not facts:
        return []
    count = -(-len(facts) // size)
    short, extra = divmod(len(facts), count)
    groups: list[tuple[Fact, ...]] = []
    start = 0
    for number in range(count):
        end = start + short + (number < extra)
        groups.append(tuple(facts[start:end]))
        start = end
    return groups


def told_in_groups(
    phase: Phase,
    importance: int,
    groups: Sequence[Sequence[Fact]],
    said: Callable[[Sequence[Fact]], Said],
    pool: str,
) -> list[Exchange]:
    """An exchange a group of facts; each further one matters less."""
    return [
        exchange(phase, importance - FALL * number, said(group), group, pool)
        for number, group in enumerate(groups)
    ]


def joined(parts: Sequence[str], word: str = "and") -> str:
    """Parts as an enumeration in words."""
    if len(parts) == 1:
        return parts[0]
    separator = "; " if any("," in part for part in parts) else ", "
    last = f"; {word} " if separator == "; " else f" {word} "
    return separator.join(parts[:-1]) + last + parts[-1]


def spoken(text: str) -> str:
    """A label or value inside a sentence: in lower case where it was written as a title.

    Abbreviations keep their capitals; of other text only the first letter is lowered.
    """
    words = text.split(" ")
    long = [word for word in words if len(word) >= _TITLE_WORD_LETTERS and word.isalpha()]
    titled = len(long) > 1 and all(word[0].isupper() for word in long)
    lowered = [_lowered(word) if titled or not place else word for place, word in enumerate(words)]
    return " ".join(lowered)


def _lowered(word: str) -> str:
    return word[0].lower() + word[1:] if word[1:2].islower() else word
