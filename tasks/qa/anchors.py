"""Questions that name a stay by its primary diagnosis and lead from it to another stay."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tasks.contracts.records import FactKind
from tasks.qa import aspects
from tasks.qa.aspects import MAXIMUM_ANSWER_WORDS, Aspect, readings
from tasks.qa.candidates import Candidate, days_phrase
from tasks.qa.casing import spoken
from tasks.qa.courses import from_to
from tasks.qa.stays import Cite, PatientStays, Stay
from tasks.terminology.normalization import words

_SHARE_ALIKE = 0.6
_NEIGHBOURS = ((1, "right after"), (-1, "right before"))


class Anchor(NamedTuple):
    """A stay's one primary diagnosis, and the turn that states it."""

    stay: Stay
    label: str
    cite: Cite


def next_stays(patient: PatientStays) -> Iterator[Candidate]:
    """Diagnosis and complaint of the stay before or after the one that the question names."""
    primary = {stay.position: primary_of(stay) for stay in patient.stays}
    for anchor in anchors(patient):
        for step, which in _NEIGHBOURS:
            at = anchor.stay.position + step
            other = primary.get(at)
            slots = {"which": which}
            if other is not None and _tells_apart(anchor.label, other.label):
                yield _asked(anchor, "neighbour_diagnosis", slots, other.label, other.cite)
            if 0 <= at < len(patient.stays):
                for came in readings(patient.stays[at], aspects.COMPLAINT).values():
                    yield _asked(anchor, "neighbour_complaint", slots, came.answer, came.cite)


def values_since(patient: PatientStays) -> Iterator[Candidate]:
    """A laboratory value in the named stay and in a later one."""
    for anchor in anchors(patient):
        for later in _others(patient, anchor.stay):
            if later.position > anchor.stay.position:
                yield from _values(anchor, later, aspects.LAB, "lab_since", " to ")


def values_beside(patient: PatientStays) -> Iterator[Candidate]:
    """A value, a dose or the length of the named stay beside that of another one."""
    for anchor in anchors(patient):
        for other in _others(patient, anchor.stay):
            yield from _values(anchor, other, aspects.LAB, "lab_beside", " versus ")
            yield from _values(anchor, other, aspects.DOSE, "dose_beside", " versus ")
            yield from _lengths(anchor, other)


def anchors(patient: PatientStays) -> Iterator[Anchor]:
    """Stays whose primary diagnosis is that of no other stay of the patient."""
    found = [one for stay in patient.stays if (one := primary_of(stay)) is not None]
    if len(found) < len(patient.stays):
        return
    said = [set(words(one.label)) for one in found]
    for place, one in enumerate(found):
        others = (*said[:place], *said[place + 1 :])
        if not any(_alike(said[place], other) for other in others):
            yield one


def primary_of(stay: Stay) -> Anchor | None:
    """The primary diagnosis, where the record has one only and a turn states it."""
    ranked = stay.facts_of(FactKind.DIAGNOSIS)
    labels = {fact.label.casefold() for fact in ranked if fact.value == "primary"}
    for statement in stay.statements:
        fact = statement.fact
        if fact.kind is FactKind.DIAGNOSIS and fact.value == "primary" and len(labels) == 1:
            return Anchor(stay, fact.label, statement.cite)
    return None


def stated_length(stay: Stay) -> tuple[int, Cite] | None:
    """Days of the stay, and the turn that says how many; none for less than one day."""
    for statement in stay.statements:
        days = int(statement.fact.detail.get("days", "0"))
        if statement.fact.kind is FactKind.STAY and days > 0:
            return days, statement.cite
    return None


def around(patient: PatientStays, stay: Stay) -> Iterator[Stay]:
    """The stays before and after, and the patient's first and last ones."""
    places = {stay.position - 1, stay.position + 1, 0, len(patient.stays) - 1} - {stay.position}
    yield from (patient.stays[at] for at in sorted(places) if 0 <= at < len(patient.stays))


def _tells_apart(named: str, label: str) -> bool:
    """A diagnosis that can be an answer and isn't nearly the one that the question names."""
    alike = _alike(set(words(named)), set(words(label)))
    return not alike and len(label.split()) <= MAXIMUM_ANSWER_WORDS


def _alike(one: set[str], other: set[str]) -> bool:
    """Most words of the shorter name stand in the other: ``acute kidney failure, unspecified``."""
    return len(one & other) > _SHARE_ALIKE * min(len(one), len(other))


def _others(patient: PatientStays, stay: Stay) -> Iterator[Stay]:
    return (other for other in around(patient, stay) if not patient.twins(other))


def _values(
    anchor: Anchor, other: Stay, aspect: Aspect, family: str, joiner: str
) -> Iterator[Candidate]:
    theirs = readings(other, aspect)
    for key, own in readings(anchor.stay, aspect).items():
        pair = theirs.get(key)
        if pair is None or pair.answer.casefold() == own.answer.casefold():
            continue
        one, two = sorted((own, pair), key=lambda reading: reading.cite)
        answer = (
            from_to(one.answer, two.answer)
            if joiner == " to "
            else joiner.join((one.answer, two.answer))
        )
        slots = {"item": spoken(own.target), **own.slots, "b": other.name}
        yield _asked(anchor, family, slots, answer, own.cite, pair.cite)


def _lengths(anchor: Anchor, other: Stay) -> Iterator[Candidate]:
    own, theirs = stated_length(anchor.stay), stated_length(other)
    if own is not None and theirs is not None and own[0] != theirs[0]:
        slots = {"b": other.name, "direction": "longer" if own[0] > theirs[0] else "shorter"}
        answer = days_phrase(abs(own[0] - theirs[0]))
        yield _asked(anchor, "length_by_problem", slots, answer, own[1], theirs[1])


def _asked(
    anchor: Anchor, family: str, slots: dict[str, str], answer: str, *cites: Cite
) -> Candidate:
    return Candidate(
        family=family,
        slots={"target": spoken(anchor.label), **slots},
        targets=("target",),
        group="problem",
        answer=answer,
        cites=tuple(sorted({anchor.cite, *cites})),
    )
