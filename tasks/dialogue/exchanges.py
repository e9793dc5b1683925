"""What a dialogue is put together from: turns, exchanges of turns, and the story they tell."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import IntEnum

from tasks.contracts.clock import format_date
from tasks.contracts.dialogue import Speaker
from tasks.contracts.records import AdmissionBundle, AdmissionRecord, Fact, FactKind
from tasks.dialogue.wording import Phrasebook, question, statement


class Phase(IntEnum):
    """Part of the stay an exchange belongs to, in the order of the story."""

    ARRIVAL = 0
    STAY = 1
    DEPARTURE = 2


REQUIRED = 1000
"""Importance of an exchange that every dialogue has."""


@dataclass(frozen=True)
class Turn:
    """What one speaker says, and the facts it states in full."""

    speaker: Speaker
    text: str
    sources: tuple[str, ...] = ()


@dataclass(frozen=True)
class Exchange:
    """Turns that belong together: the doctor begins, the patient has the last word.

    ``longer`` is the same exchange with a question of the patient and its answer; ``earliest`` is
    the time of the event it reports.
    """

    phase: Phase
    importance: int
    turns: tuple[Turn, ...]
    longer: tuple[Turn, ...] = ()
    earliest: datetime | None = None

    def extended(self) -> Exchange:
        """The longer form of the exchange."""
        return replace(self, turns=self.longer, longer=())


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
    return Story(record.bundle, not record.patient.died_in_hospital, by_kind)


def sources(facts: Iterable[Fact]) -> tuple[str, ...]:
    """The ids of facts that a turn states."""
    return tuple(fact.fact_id for fact in facts)


def event_time(fact: Fact) -> datetime | None:
    """Time of the event that a fact reports; null for facts of no event."""
    dated = (FactKind.PROCEDURE, FactKind.CULTURE, FactKind.IMAGING, FactKind.SUSCEPTIBILITY)
    return fact.time if fact.kind in dated else None


def event_date(fact: Fact) -> str:
    """Day of a dated fact."""
    return fact.detail.get("date") or (format_date(fact.time) if fact.time else "")


def exchange(
    book: Phrasebook,
    phase: Phase,
    importance: int,
    said: str,
    facts: Sequence[Fact],
    reply: str,
    answer: str,
) -> Exchange:
    """The doctor states facts and the patient replies.

    ``reply`` and ``answer`` are pools: the short form ends with a reply that asks nothing, the
    longer one goes on with a question, its answer and thanks.
    """
    doctor = Turn("Doctor", said, sources(facts))
    times = [time for time in map(event_time, facts) if time is not None]
    short = (doctor, Turn("Patient", book.say(reply, accept=statement)))
    longer = (
        doctor,
        Turn("Patient", book.say(reply, accept=question)),
        Turn("Doctor", book.say(answer)),
        Turn("Patient", book.say("thanks")),
    )
    return Exchange(phase, importance, short, longer, max(times, default=None))


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


def joined(parts: Sequence[str]) -> str:
    """Parts as an enumeration in words."""
    if len(parts) == 1:
        return parts[0]
    separator = "; " if any("," in part for part in parts) else ", "
    last = f"{separator.rstrip()} and " if separator == "; " else " and "
    return separator.join(parts[:-1]) + last + parts[-1]


def spoken(text: str) -> str:
    """A label or value inside a sentence: its first letter lowered unless it is an abbreviation."""
    first = text.split(" ", 1)[0]
    if sum(character.isupper() for character in first) > 1 or len(first) == 1:
        return text
    return text[:1].lower() + text[1:]
