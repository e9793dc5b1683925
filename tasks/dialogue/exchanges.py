"""What a dialogue is put together from: turns, exchanges of turns, and the story they tell."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import IntEnum

from tasks.contracts.clock import format_date, parse_time
from tasks.contracts.records import AdmissionBundle, AdmissionRecord, Fact, FactKind
from tasks.dialogue.gravity import grave_ones, manner
from tasks.dialogue.pools import followups
from tasks.dialogue.turns import Turn, speaking_of, stating, taken_up
from tasks.dialogue.wording import Phrasebook


class Phase(IntEnum):
    """Part of the stay an exchange belongs to, in the order of the story."""

    ARRIVAL = 0
    STAY = 1
    DEPARTURE = 2


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
    return lambda book: book.say(pool, **slots)


def exchange(
    phase: Phase,
    importance: int,
    said: Said,
    facts: Sequence[Fact],
    pool: str,
    **slots: str,
) -> Exchange:
    """The doctor states facts and the patient replies, in the words of the pool's replies.

    Replies take up the name of one of the facts and its value; to what is grave they are sober.
    The longer form goes on with a question about it, the answer and the patient's last word.
    """
    pool = manner(facts, pool)
    heard = grave_ones(facts) if pool.startswith("grave") else facts
    known = max((time for fact in facts if (time := known_from(fact))), default=None)

    def short(book: Phrasebook) -> tuple[Turn, ...]:
        doctor = stating("Doctor", said(book), facts)
        return doctor, _reply(book, f"{pool}_reply", heard, slots)

    def longer(book: Phrasebook) -> tuple[Turn, ...]:
        doctor = stating("Doctor", said(book), facts)
        return doctor, *asked(book, pool, heard, slots)

    item = Exchange(phase, importance, 2, short, longer if pool in followups() else None)
    return told_from(item, known)


def _reply(book: Phrasebook, pool: str, facts: Sequence[Fact], slots: dict[str, str]) -> Turn:
    text = book.say(pool, **taken_up(book, facts), **slots)
    return speaking_of("Patient", text, facts)


def asked(
    book: Phrasebook, pool: str, facts: Sequence[Fact], slots: dict[str, str]
) -> tuple[Turn, ...]:
    """A question of the patient about what was said, its answer and the patient's last word."""
    talk, named = book.followup(pool), {**taken_up(book, facts), **slots}
    return (
        speaking_of("Patient", book.phrase(talk.ask, **named), facts),
        speaking_of("Doctor", book.phrase(talk.answer, **named), facts),
        speaking_of("Patient", book.phrase(talk.close, **named), facts),
    )


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
    **slots: str,
) -> list[Exchange]:
    """An exchange a group of facts; each further one matters less."""
    return [
        exchange(phase, importance - FALL * number, said(group), group, pool, **slots)
        for number, group in enumerate(groups)
    ]
