"""Pairs of stays that say two different things about one target."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TypeVar

from tasks.qa.aspects import Aspect, Reading, readings
from tasks.qa.candidates import Candidate
from tasks.qa.casing import spoken
from tasks.qa.stays import PatientStays

_FEW_ENOUGH_FOR_ALL_PAIRS = 5

Item = TypeVar("Item")


def spread_pairs(items: Sequence[Item]) -> Iterator[tuple[Item, Item]]:
    """Pairs in order: all of a short list, of a long one adjacent, half-way and outermost ones."""
    count = len(items)
    distances = range(1, count) if count <= _FEW_ENOUGH_FOR_ALL_PAIRS else (1, count // 2)
    for distance in distances:
        yield from zip(items, items[distance:], strict=False)
    if count > _FEW_ENOUGH_FOR_ALL_PAIRS:
        yield items[0], items[-1]


def reading_pairs(patient: PatientStays, aspect: Aspect) -> Iterator[tuple[Reading, Reading]]:
    """Two stays' readings of one target, earlier first, whose answers differ."""
    by_key: dict[tuple[str, ...], list[Reading]] = defaultdict(list)
    for stay in patient.stays:
        for key, reading in readings(stay, aspect).items():
            by_key[key].append(reading)
    for key in sorted(by_key):
        for earlier, later in spread_pairs(by_key[key]):
            if earlier.answer.casefold() != later.answer.casefold():
                yield earlier, later


def pair_candidate(
    patient: PatientStays,
    pair: tuple[Reading, Reading],
    family: str,
    answer: str,
    *,
    extra: dict[str, str] | None = None,
    offers: bool = False,
    fallback: bool = False,
) -> Candidate:
    """Ask about one target in two stays that the question names by their first days."""
    earlier, later = pair
    stays = {
        name: patient.stays[reading.cite.stay].name
        for name, reading in zip("ab", pair, strict=True)
    }
    aspect = earlier.aspect
    slots = {"target": spoken(earlier.target), **earlier.slots} if aspect.group else {}
    return Candidate(
        family=family,
        slots={**slots, **stays, **(extra or {})},
        targets=("target",) if aspect.group else (),
        group=aspect.group,
        answer=answer,
        cites=(earlier.cite, later.cite),
        offers=offers or aspect.offers,
        fallback=fallback,
    )
