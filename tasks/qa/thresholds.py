"""In how many stays of a range a value lay above or below a round number."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from decimal import Decimal

from tasks.qa import aspects
from tasks.qa.aspects import Reading, readings
from tasks.qa.candidates import Candidate
from tasks.qa.casing import spoken
from tasks.qa.courses import quantity
from tasks.qa.ranges import StayRange, range_slots, sure_ranges
from tasks.qa.stays import PatientStays

_MOST_STAYS = 6
_COUNTS = range(2, 5)
_STEPS = tuple(Decimal(step) for step in ("100", "50", "10", "5", "1", "0.5", "0.1"))


def threshold_candidates(patient: PatientStays) -> Iterator[Candidate]:
    """Counts of values beyond a round number, some of the range being on its other side."""
    found: dict[tuple[str, ...], dict[int, Reading]] = defaultdict(dict)
    for stay in patient.stays:
        for key, reading in readings(stay, aspects.LAB).items():
            if quantity(reading.answer):
                found[key][stay.position] = reading
    for key in sorted(found):
        target = next(iter(found[key].values())).target
        for stays in sure_ranges(patient, target, sorted(found[key]), _MOST_STAYS):
            yield from _beyond(patient, stays, found[key])


def round_between(lower: Decimal, upper: Decimal) -> Decimal | None:
    """The roundest number strictly between two, None where they are too near."""
    for step in _STEPS:
        bound = (lower // step + 1) * step
        if lower < bound < upper:
            return bound
    return None


def _beyond(
    patient: PatientStays, stays: StayRange, known: Mapping[int, Reading]
) -> Iterator[Candidate]:
    numbers = {at: _number(known[at]) for at in stays.stating}
    ordered = sorted(numbers.values())
    for count in _COUNTS:
        if count >= len(ordered):
            return
        for side, lower, upper in (
            ("above", ordered[-count - 1], ordered[-count]),
            ("below", ordered[count - 1], ordered[count]),
        ):
            bound = round_between(lower, upper)
            if bound is not None:
                beyond = [at for at in numbers if (numbers[at] > bound) == (side == "above")]
                yield _counted(patient, stays, [known[at] for at in beyond], side, bound)


def _counted(
    patient: PatientStays, stays: StayRange, beyond: list[Reading], side: str, bound: Decimal
) -> Candidate:
    first = beyond[0]
    return Candidate(
        family="count_threshold",
        slots={
            "target": spoken(first.target),
            **first.slots,
            "side": side,
            "bound": format(bound.normalize(), "f"),
            **range_slots(patient, stays),
        },
        targets=("target",),
        group=first.aspect.group,
        answer=f"{len(beyond)} hospitalizations",
        cites=tuple(reading.cite for reading in beyond),
    )


def _number(reading: Reading) -> Decimal:
    found = quantity(reading.answer)
    return found.number if found else Decimal(0)
