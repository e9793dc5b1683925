"""Differences between two stays other than in a value: what was true of a thing in one of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import NamedTuple

from tasks.contracts.records import Fact, FactKind
from tasks.qa.anchors import around, stated_length
from tasks.qa.candidates import Candidate, days_phrase
from tasks.qa.casing import spoken
from tasks.qa.events import EVENTS, events
from tasks.qa.fact_parts import treated_with
from tasks.qa.pairs import spread_pairs
from tasks.qa.stays import PatientStays, Statement, Stay

_KINDS = {
    **dict.fromkeys(("started", "initiated", "begun", "added"), "started"),
    **dict.fromkeys(("increased", "uptitrated"), "increased"),
    **dict.fromkeys(("decreased", "reduced", "downtitrated", "tapered"), "decreased"),
    **dict.fromkeys(("stopped", "discontinued"), "stopped"),
    **dict.fromkeys(("continued", "maintained"), "continued"),
    "held": "held",
}
"""Actions by what they come to; two words for one thing are no difference between stays."""


def _label(fact: Fact) -> str:
    return fact.label


def _value(fact: Fact) -> str:
    return fact.value


def _action(fact: Fact) -> str:
    """What was done, for actions that exclude one another."""
    action = fact.detail.get("action", "")
    return action if action in _KINDS else ""


class _State(NamedTuple):
    """What can be said of a kind of thing in one stay, in a word."""

    family: str
    kind: FactKind
    group: str
    word: Callable[[Fact], str]
    name: Callable[[Fact], str]


_STATES = (
    _State("symptom_stay", FactKind.HISTORY, "symptom", _value, _label),
    _State("rank_stay", FactKind.DIAGNOSIS, "problem", _value, _label),
    _State(
        "action_stay",
        FactKind.TREATMENT,
        "drug",
        _action,
        treated_with,
    ),
)


def state_candidates(patient: PatientStays) -> Iterator[Candidate]:
    """In which of two stays a thing was so and not otherwise, and how it was in both."""
    for state in _STATES:
        by_name: dict[str, list[Statement]] = defaultdict(list)
        for stay in patient.stays:
            for name, statement in _only(stay, state).items():
                by_name[name].append(statement)
        for name in sorted(by_name):
            for one, other in spread_pairs(by_name[name]):
                first, second = state.word(one.fact), state.word(other.fact)
                if _KINDS.get(first, first) != _KINDS.get(second, second):
                    yield from _contrast(patient, state, one, other)


def length_candidates(patient: PatientStays) -> Iterator[Candidate]:
    """By how many days a stay known by what was done in it outlasted another one, or fell short."""
    for stay in patient.stays:
        own = stated_length(stay)
        for event in events(stay):
            alone = not any(
                other.text.mentions(event.label) for other in patient.stays if other is not stay
            )
            if own is None or not alone:
                continue
            for other in around(patient, stay):
                length = stated_length(other)
                if length is None or length[0] == own[0]:
                    continue
                more = own[0] > length[0]
                yield Candidate(
                    family="length_by_event",
                    slots={
                        "target": spoken(event.label),
                        "b": other.name,
                        "direction": "longer" if more else "shorter",
                    },
                    targets=("target",),
                    group=EVENTS,
                    answer=days_phrase(abs(own[0] - length[0])),
                    cites=tuple(sorted({event.cite, own[1], length[1]})),
                )


def _contrast(
    patient: PatientStays, state: _State, one: Statement, other: Statement
) -> Iterator[Candidate]:
    names = {"a": patient.stays[one.cite.stay].name, "b": patient.stays[other.cite.stay].name}
    target = {"target": spoken(state.name(one.fact))}
    if all(patient.named_by_day(statement.cite.stay) for statement in (one, other)):
        for statement in (one, other):
            yield Candidate(
                family=state.family,
                slots={**target, **names, "state": state.word(statement.fact)},
                targets=("target",),
                group=state.group,
                answer=patient.stays[statement.cite.stay].name,
                cites=(one.cite, other.cite),
                offers=True,
            )


def _only(stay: Stay, state: _State) -> dict[str, Statement]:
    """Statements of a kind whose thing has one state in the whole record of the stay."""
    words: dict[str, set[str]] = defaultdict(set)
    for fact in stay.facts_of(state.kind):
        if state.word(fact):
            words[state.name(fact).casefold()].add(state.word(fact).casefold())
    found: dict[str, Statement] = {}
    for statement in stay.statements:
        name = state.name(statement.fact).casefold()
        sure = statement.fact.kind is state.kind and len(words[name]) == 1
        if sure and stay.turn_says(statement.cite.turn, state.word(statement.fact)):
            found.setdefault(name, statement)
    return found
