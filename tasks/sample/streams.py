"""Independent random streams: one for each purpose, so that nothing shifts anything else."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random


@dataclass(frozen=True)
class Stream:
    """Names a unit of work; every draw's seed is the unit's name and the purpose."""

    name: str

    def draw(self, *purpose: str) -> Random:
        """A generator that depends on the unit and the purpose alone."""
        return Random(":".join((self.name, *purpose)))

    def below(self, *parts: str) -> Stream:
        """The stream of a smaller unit, for example one stay of a patient."""
        return Stream(":".join((self.name, *parts)))


def patient_stream(seed: int, subject_id: str) -> Stream:
    """The stream of one patient."""
    return Stream(f"{seed}:{subject_id}")
