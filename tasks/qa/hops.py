"""Questions that name a reason, a finding or an organism and lead to what belongs to it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tasks.contracts.records import Fact, FactKind
from tasks.qa import aspects
from tasks.qa.aspects import Aspect, Reading, readings
from tasks.qa.candidates import Candidate, lookup
from tasks.qa.casing import spoken
from tasks.qa.fact_parts import treated_with
from tasks.qa.kinds import names_drug
from tasks.qa.stays import Stay
from tasks.terminology.normalization import words

_MEASURE = "measure_changed_for"
"""Forms that call nothing a medicine: for diets, oxygen, monitoring and classes of drugs."""

_LISTS = (("hop_home_dose", aspects.HOME_DOSE), ("hop_discharge_dose", aspects.DOSE))


def treatments_for(stay: Stay, aspect: Aspect) -> Iterator[Candidate]:
    """The treatment that a reason led to, where no other treatment shares the reason."""
    for reading in _sure(stay, aspect):
        asked = lookup(reading)
        medicine = asked.family != aspects.CHANGED_FOR.family or names_drug(reading.answer)
        yield asked if medicine else replace(asked, family=_MEASURE)


def doses_for(stay: Stay, aspect: Aspect) -> Iterator[Candidate]:
    """The dose, at home or at discharge, of the drug that was treated so for a reason."""
    for reading in _sure(stay, aspect):
        for family, listed in _LISTS:
            for dose in readings(stay, listed).values():
                if dose.target.casefold() == reading.answer.casefold():
                    yield Candidate(
                        family=family,
                        slots={"target": spoken(reading.target), **reading.slots},
                        targets=("target",),
                        group=aspect.group,
                        answer=dose.answer,
                        cites=tuple(sorted({reading.cite, dose.cite})),
                    )


def _sure(stay: Stay, aspect: Aspect) -> Iterator[Reading]:
    treatments = [fact for fact in stay.facts_of(FactKind.TREATMENT) if fact.value]
    for reading in readings(stay, aspect).values():
        if all(
            treated_with(fact).casefold() == reading.answer.casefold()
            or not _alike(fact, reading.target)
            for fact in treatments
        ):
            yield reading


def _alike(fact: Fact, reason: str) -> bool:
    """One reason's words are all in the other: ``cough`` and ``persistent cough``."""
    one, other = set(words(fact.value)), set(words(reason))
    return one <= other or other <= one
