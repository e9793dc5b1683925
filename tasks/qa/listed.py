"""What the lists of medicines tell across stays: who is off a list, and how many doses it had."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from tasks.contracts.records import FactKind
from tasks.qa import aspects
from tasks.qa.aspects import Aspect, Reading, readings
from tasks.qa.candidates import Candidate
from tasks.qa.casing import spoken
from tasks.qa.presence import RecordText
from tasks.qa.ranges import range_slots, sure_ranges
from tasks.qa.stays import Cite, PatientStays, Stay
from tasks.terminology.normalization import words

_MOST_STAYS = 6

_HEADINGS = {
    FactKind.HOME_MEDICATION: re.compile(
        r"^\s*(?:medications? (?:on|prior to) admission|admission medications?)\s*:", re.I | re.M
    ),
    FactKind.DISCHARGE_MEDICATION: re.compile(r"^\s*discharge medications?\s*:", re.I | re.M),
}
_NEXT_HEADING = re.compile(
    r"^\s*(?:discharge \w+|medications? on admission|facility|followup instructions|"
    r"transitional issues|social history)\s*:",
    re.IGNORECASE | re.MULTILINE,
)


def off_the_list(patient: PatientStays, kind: FactKind, label: str) -> set[int]:
    """Stays whose list of that kind was read and doesn't name a drug, under any spelling.

    The drug may well be mentioned elsewhere: it was given in the hospital, or stopped. Empty for
    facts that no list holds.
    """
    if kind not in _HEADINGS:
        return set()
    listed = ((stay.position, _list(stay, kind)) for stay in patient.stays)
    return {at for at, found in listed if found is not None and not found.mentions(label)}


def _list(stay: Stay, kind: FactKind) -> RecordText | None:
    """The facts and the section of the notes that list medicines; None unless both are there."""
    if ("list", kind) not in stay.read:
        facts = stay.facts_of(kind)
        sections = [
            section
            for note in stay.admission.bundle.discharge_notes
            if (section := _section(note.text, kind)) is not None
        ]
        known = (*(f"{fact.label} {fact.value}" for fact in facts), *sections)
        chunks = [words(line) for text in known for line in text.splitlines()]
        stay.read["list", kind] = RecordText(chunks) if facts and sections else None
    return stay.read["list", kind]


def _section(note: str, kind: FactKind) -> str | None:
    heading = _HEADINGS[kind].search(note)
    if heading is None:
        return None
    end = _NEXT_HEADING.search(note, heading.end())
    return note[heading.end() : end.start() if end else len(note)]


@dataclass(frozen=True)
class _Doses:
    """A family of counts of different doses, and the lists that it goes by, in their order."""

    family: str
    lists: tuple[Aspect, ...]


_DOSES = (
    _Doses("distinct_discharge_doses", (aspects.DOSE,)),
    _Doses("distinct_home_doses", (aspects.HOME_DOSE,)),
    _Doses("distinct_listed_doses", (aspects.HOME_DOSE, aspects.DOSE)),
)


def dose_counts(patient: PatientStays) -> Iterator[Candidate]:
    """How many different doses of a drug the lists over a range of stays give."""
    for doses in _DOSES:
        yield from _different(patient, doses)


def _different(patient: PatientStays, doses: _Doses) -> Iterator[Candidate]:
    found: dict[tuple[str, ...], dict[int, list[Reading]]] = defaultdict(dict)
    for stay in patient.stays:
        for listed in doses.lists:
            for key, reading in readings(stay, listed).items():
                found[key].setdefault(stay.position, []).append(reading)
    for key in sorted(found):
        # A list that is not told could hold another dose.
        told = {at: own for at, own in found[key].items() if len(own) == len(doses.lists)}
        if not told:
            continue
        target = next(iter(told.values()))[0].target
        for stays in sure_ranges(patient, target, sorted(told), _MOST_STAYS):
            counted = _first_of_each(one for at in stays.stating for one in told[at])
            if len({cite.stay for cite in counted}) > 1:
                yield Candidate(
                    family=doses.family,
                    slots={"target": spoken(target), **range_slots(patient, stays)},
                    targets=("target",),
                    group="drug",
                    answer=f"{len(counted)} different doses",
                    cites=counted,
                    guessable=len(counted) == stays.size,
                )


def _first_of_each(told: Iterator[Reading]) -> tuple[Cite, ...]:
    """The turn that states each dose first."""
    doses: dict[str, Cite] = {}
    for reading in told:
        doses.setdefault(reading.answer.casefold(), reading.cite)
    cites = tuple(doses.values())
    # One turn that states two of them would be cited once only.
    return cites if len(set(cites)) == len(cites) else ()
