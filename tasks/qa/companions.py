"""Questions about the rest of a group that the record closes: the other symptom, the other drug."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence

from tasks.contracts.records import Fact, FactKind
from tasks.qa.aspects import MAXIMUM_ANSWER_WORDS
from tasks.qa.candidates import Candidate
from tasks.qa.casing import spoken
from tasks.qa.presence import RecordText
from tasks.qa.stays import Statement, Stay
from tasks.terminology.normalization import words

Namer = Callable[[Fact], str | None]

_MOST = 3
_PLAIN_WORDS = frozenset({"a", "and", "in", "left", "of", "on", "or", "right", "the", "with"})
_STATES = {"present": "reported", "denied": "denied"}
_CHANGES = {
    "new": "newly prescribed",
    "increased": "raised in dose",
    "decreased": "lowered in dose",
    "held": "put on hold",
    "stopped": "stopped",
}


def symptom_companions(stay: Stay) -> Iterator[Candidate]:
    """What else was reported, or denied, beside one symptom."""
    groups = _groups(
        stay, FactKind.HISTORY, lambda fact: _STATES.get(fact.detail.get("polarity", ""))
    )
    for state, facts in groups.items():
        yield from _rest(stay, facts, "symptom_companion", "symptom", {"state": state})


def change_companions(stay: Stay) -> Iterator[Candidate]:
    """What else was changed in the same way by discharge, beside one drug."""
    groups = _groups(
        stay, FactKind.MEDICATION_CHANGE, lambda fact: _CHANGES.get(fact.detail.get("change", ""))
    )
    for change, facts in groups.items():
        yield from _rest(stay, facts, "change_companion", "drug", {"change": change})


def visit_companions(stay: Stay) -> Iterator[Candidate]:
    """What other follow-up was arranged, beside one."""
    facts = stay.facts_of(FactKind.FOLLOW_UP)
    yield from _rest(stay, facts, "visit_companion", "clinic", {})


def primary_diagnoses(stay: Stay) -> Iterator[Candidate]:
    """The main diagnosis that one of the others stood beside."""
    ranked = [one for one in stay.statements if one.fact.kind is FactKind.DIAGNOSIS]
    primary = [one for one in ranked if one.fact.value == "primary"]
    if len(primary) != 1 or len(primary[0].fact.label.split()) > MAXIMUM_ANSWER_WORDS:
        return
    # A second diagnosis with words of the first one would tell it, or be taken for it.
    named = RecordText([words(primary[0].fact.label)])
    for one in ranked:
        if one.fact.value == "secondary" and not named.touches(one.fact.label):
            yield Candidate(
                family="primary_beside",
                slots={"target": spoken(one.fact.label)},
                targets=("target",),
                group="problem",
                answer=primary[0].fact.label,
                cites=tuple(sorted({one.cite, primary[0].cite})),
            )


def complaints_with(stay: Stay) -> Iterator[Candidate]:
    """The complaint that led to the stay, beside a symptom that was reported too."""
    complaints = [one for one in stay.statements if one.fact.kind is FactKind.CHIEF_COMPLAINT]
    if len(complaints) != 1 or len(complaints[0].fact.value.split()) > MAXIMUM_ANSWER_WORDS:
        return
    complaint = complaints[0]
    said = RecordText([words(complaint.fact.value)])
    for one in stay.statements:
        fact = one.fact
        reported = fact.kind is FactKind.HISTORY and fact.value == "reported"
        told = stay.turn_says(one.cite.turn, complaint.fact.value)
        alike = set(words(fact.label)) & set(words(complaint.fact.value)) - _PLAIN_WORDS
        if reported and not told and not alike and not said.mentions(fact.label):
            yield Candidate(
                family="complaint_with",
                slots={"target": spoken(fact.label)},
                targets=("target",),
                group="symptom",
                answer=complaint.fact.value,
                cites=tuple(sorted({one.cite, complaint.cite})),
            )


def _groups(stay: Stay, kind: FactKind, name: Namer) -> dict[str, list[Fact]]:
    found: dict[str, list[Fact]] = defaultdict(list)
    for fact in stay.facts_of(kind):
        if called := name(fact):
            found[called].append(fact)
    return found


def _rest(
    stay: Stay, facts: Sequence[Fact], family: str, group: str, slots: dict[str, str]
) -> Iterator[Candidate]:
    """Each fact of a small group, all of which turns state, asks for the others."""
    labels = dict.fromkeys(fact.label.casefold() for fact in facts)
    if not 2 <= len(labels) <= _MOST:
        return
    stated = _stated(stay, facts)
    if set(stated) != set(labels):
        return
    for key, statement in stated.items():
        others = [one for at, one in stated.items() if at != key]
        # In the order in which they are told, as the parts of an answer follow its turns.
        others.sort(key=lambda one: one.cite)
        answer = " and ".join(spoken(one.fact.label) for one in others)
        if len(answer.split()) <= MAXIMUM_ANSWER_WORDS:
            yield Candidate(
                family=family,
                slots={"target": spoken(statement.fact.label), **slots},
                targets=("target",),
                group=group,
                answer=answer,
                cites=tuple(sorted({statement.cite, *(one.cite for one in others)})),
            )


def _stated(stay: Stay, facts: Sequence[Fact]) -> dict[str, Statement]:
    wanted = {fact.fact_id for fact in facts}
    found: dict[str, Statement] = {}
    for statement in stay.statements:
        if statement.fact.fact_id in wanted:
            found.setdefault(statement.fact.label.casefold(), statement)
    return found
