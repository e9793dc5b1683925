"""What one speaker says, and which facts it states or speaks of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from tasks.contracts.dialogue import Speaker
from tasks.contracts.records import Fact, FactKind
from tasks.dialogue.naming import short_name, spoken, topic_of
from tasks.dialogue.wording import Phrasebook
from tasks.terminology.normalization import says
from tasks.terminology.statements import HEADINGS, states

_NAMED_LIFE = frozenset({FactKind.CULTURE})
"""Kinds whose values are names, such as an organism's, and keep their capitals."""

_TELLING_LETTERS = 8
"""A shorter value, such as ``12``, may stand in a reply by chance."""


@dataclass(frozen=True)
class Turn:
    """What one speaker says, the facts it states in full, and others that it speaks of."""

    speaker: Speaker
    text: str
    sources: tuple[str, ...] = ()
    touches: tuple[str, ...] = ()


def sources(facts: Iterable[Fact]) -> tuple[str, ...]:
    """The ids of facts that a turn states."""
    return tuple(fact.fact_id for fact in facts)


def taken_up(book: Phrasebook, facts: Sequence[Fact]) -> dict[str, str]:
    """One of the facts as a reply takes it up: the slots ``topic`` and ``value``."""
    if not facts:
        return {}
    named = [fact for fact in facts if short_name(fact)] or facts
    fact = named[book.number(len(named))]
    value = fact.value if fact.kind in _NAMED_LIFE else spoken(fact.value)
    return {"topic": topic_of(fact), "value": value}


def stating(speaker: Speaker, text: str, facts: Iterable[Fact]) -> Turn:
    """A turn that states every one of the facts."""
    return Turn(speaker, text, sources(facts))


def speaking_of(speaker: Speaker, text: str, facts: Iterable[Fact]) -> Turn:
    """A turn that may take up facts that were stated before.

    A heading's value alone, such as ``home``, states nothing here: a reply may hold it by chance.
    """
    full = [fact for fact in facts if fact.kind not in HEADINGS and states(text, fact)]
    partly = [fact for fact in facts if fact not in full and _mentions(text, fact)]
    return Turn(speaker, text, sources(full), sources(partly))


def echoing(text: str, facts: Sequence[Fact]) -> Turn:
    """A patient's turn that says facts back in the first person, so that not all is verbatim."""
    turn = speaking_of("Patient", text, facts)
    if turn.sources or turn.touches:
        return turn
    return replace(turn, touches=sources(facts))


def _mentions(text: str, fact: Fact) -> bool:
    name = short_name(fact)
    telling = len(fact.value) >= _TELLING_LETTERS or fact.kind is FactKind.DISPOSITION
    named = says(text, fact.label) or (bool(name) and says(text, name))
    return named or (telling and says(text, fact.value))
