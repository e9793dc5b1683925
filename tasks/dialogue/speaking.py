"""The exchanges of a conversation: what the doctor says, and what the patient answers."""

from __future__ import annotations

from collections.abc import Sequence

from tasks.contracts.dialogue import SourcedLine


def exchanges_of(lines: Sequence[SourcedLine]) -> list[tuple[SourcedLine, ...]]:
    """The turns in order; an exchange begins where the doctor speaks after the patient."""
    found: list[list[SourcedLine]] = []
    for line in lines:
        begins = line.speaker == "Doctor" and found and found[-1][-1].speaker == "Patient"
        if begins or not found:
            found.append([])
        found[-1].append(line)
    return list(map(tuple, found))
