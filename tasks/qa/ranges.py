"""Ranges of stays over which the dialogues say everything the record holds about a target.

A range is closed by a stay whose record mentions the target without its dialogue stating it the way
that is asked about: no count, first or last over such a stay would be sure.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tasks.qa.stays import PatientStays


@dataclass(frozen=True)
class StayRange:
    """Neighbouring stays, both ends included, and those of them that state the target."""

    first: int
    last: int
    stating: tuple[int, ...]

    @property
    def tight(self) -> bool:
        """Whether every stay states the target, so that a count is that of the range itself."""
        return len(self.stating) == self.size

    @property
    def size(self) -> int:
        """Number of stays."""
        return self.last - self.first + 1


def sure_ranges(
    patient: PatientStays,
    label: str,
    stating: Sequence[int],
    most: int,
    denying: Collection[int] = (),
) -> Iterator[StayRange]:
    """Ranges in which two to ``most`` stays state the target and no other one mentions it.

    They reach out over stays without the target as far as they can; ``denying`` are stays that say
    in so many words that they lack it.
    """
    known = set(stating)
    silent = {
        stay.position
        for stay in patient.stays
        if stay.position not in known
        and (stay.position in denying or not stay.text.mentions(label))
    }
    for size in range(2, most + 1):
        for window in zip(*(stating[offset:] for offset in range(size)), strict=False):
            first, last = window[0], window[-1]
            if all(at in silent or at in known for at in range(first, last + 1)):
                yield _widest(StayRange(first, last, window), silent)


def range_slots(patient: PatientStays, stays: StayRange) -> Mapping[str, str]:
    """The range as questions name it: by the first days of its two ends."""
    return {"a": patient.stays[stays.first].name, "b": patient.stays[stays.last].name}


def _widest(inner: StayRange, silent: set[int]) -> StayRange:
    first, last = inner.first, inner.last
    while first - 1 in silent:
        first -= 1
    while last + 1 in silent:
        last += 1
    return StayRange(first, last, inner.stating)
