"""A lay-out of a conversation by code: who speaks when, and which facts the doctor states.

A model that got a whole dialogue wrong is asked with it the next time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from string import Template

from tasks.contracts.dialogue import DialogueInput, SourcedLine, Speaker
from tasks.contracts.records import Fact, FactKind
from tasks.dialogue.retiming import rule_times
from tasks.dialogue.source import TOLD_KINDS

_FACTS_A_TURN = 3
_STATEMENTS = {
    FactKind.HISTORY: "you $value $label",
    FactKind.ALLERGY: "your reaction to $label is $value",
    FactKind.HOME_MEDICATION: "at home you took $label $value",
    FactKind.LAB: "your $label was $value",
    FactKind.IMAGING: "your $label showed $value",
    FactKind.PROCEDURE: "your $label was done on $value",
    FactKind.CULTURE: "your $label showed $value",
    FactKind.TREATMENT: "you got $label because of $value",
    FactKind.DIAGNOSIS: "$label is your $value diagnosis",
    FactKind.DISCHARGE_MEDICATION: "from now on you take $label $value",
    FactKind.FOLLOW_UP: "you see $label $value",
}
"""How facts are told whose two sides aren't joined by `is`."""


@dataclass(frozen=True)
class OutlinedTurn:
    """A turn to be written: the doctor tells statements, the patient asks about the next ones."""

    number: int
    time: datetime
    speaker: Speaker
    told: tuple[str, ...] = ()
    asks_about: str = ""


def outline_of(given: DialogueInput) -> tuple[OutlinedTurn, ...]:
    """Doctor and patient by turns, an even number of them in the middle of the range if it can be.

    The facts are told in the order of a stay, at most three a turn; where there are more, the
    later ones of each kind are left untold.
    """
    count = _count(given.minimum_turns, given.maximum_turns)
    doctors = -(-count // 2)
    facts = _chosen(given.record.facts, _FACTS_A_TURN * doctors)
    shares = [
        tuple(facts[len(facts) * place // doctors : len(facts) * (place + 1) // doctors])
        for place in range(doctors)
    ]
    start = given.record.bundle.admission_start
    lines = [_line(place, shares[place // 2], start) for place in range(count)]
    times = rule_times(lines, given)
    shares.append(())
    return tuple(
        _outlined(line, moment, shares[(place + 1) // 2], "" if place else _earlier(given))
        for place, (line, moment) in enumerate(zip(lines, times, strict=True))
    )


def _earlier(given: DialogueInput) -> str:
    """The first problem of the previous stay, as a statement; empty where there was none."""
    previous = given.record.bundle.previous_admission_summary
    if previous is None or not previous.problems:
        return ""
    return f"in your stay before this one it was {previous.problems[0]}"


def _outlined(
    line: SourcedLine, moment: datetime, facts: Sequence[Fact], earlier: str
) -> OutlinedTurn:
    """The doctor tells the facts; the patient asks about the first that the doctor tells next."""
    if line.speaker == "Doctor":
        told = (*([earlier] if earlier else []), *map(_as_told, facts))
        return OutlinedTurn(line.turn_number, moment, line.speaker, told)
    asked = facts[0].label if facts else ""
    return OutlinedTurn(line.turn_number, moment, line.speaker, asks_about=asked)


def _count(fewest: int, most: int) -> int:
    middle = (fewest + most) // 2
    if middle % 2 == 0:
        return middle
    return middle + 1 if middle < most else max(fewest, middle - 1)


def _chosen(facts: Sequence[Fact], most: int) -> list[Fact]:
    """At most so many facts, in the order in which a stay comes to them."""
    seen: Counter[FactKind] = Counter()
    ranked: list[tuple[int, int, int, Fact]] = []
    for place, fact in enumerate(facts):
        ranked.append((seen[fact.kind], _stage(fact), place, fact))
        seen[fact.kind] += 1
    kept = sorted(ranked, key=lambda one: one[:3])[:most]
    return [fact for _, _, _, fact in sorted(kept, key=lambda one: (one[1], one[2]))]


def _stage(fact: Fact) -> int:
    """Where in a stay a fact is told; of the stay itself only its beginning is told early."""
    if fact.kind is FactKind.STAY:
        return -1 if fact.label == "admission date" else len(TOLD_KINDS)
    return list(TOLD_KINDS).index(fact.kind)


def _line(place: int, facts: Sequence[Fact], start: datetime) -> SourcedLine:
    """A turn that says what is to be told, so that it waits for its results."""
    told = ". ".join(f"{fact.label}: {fact.value}" for fact in facts)
    if place % 2:
        return SourcedLine(turn_number=place + 1, time=start, speaker="Patient", text=" ")
    return SourcedLine(turn_number=place + 1, time=start, speaker="Doctor", text=told or " ")


def _as_told(fact: Fact) -> str:
    """The fact as a statement with its label and value in their words, however plain."""
    if fact.label == fact.value:
        return fact.value
    form = _STATEMENTS.get(fact.kind, "your $label is $value")
    return Template(form).substitute(label=fact.label, value=fact.value)
