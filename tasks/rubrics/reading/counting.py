"""Counts what reading a file repaired and refused, with the first places of each."""

from __future__ import annotations

from typing import Literal

from tasks.contracts.rubrics import ReadingCount

_FIRST = 10

Action = Literal["repaired", "refused", "kept"]


class ReadingLog:
    """Collects repairs and refusals of one file; names places only, never text."""

    def __init__(self, source: str) -> None:
        self.source = source
        self._places: dict[tuple[Action, str], list[str]] = {}

    def repaired(self, rule: str, place: str) -> None:
        """Note that a rule changed something."""
        self._places.setdefault(("repaired", rule), []).append(place)

    def refused(self, rule: str, place: str) -> None:
        """Note that something was left out."""
        self._places.setdefault(("refused", rule), []).append(place)

    def kept(self, rule: str, place: str) -> None:
        """Note that something odd was kept as it is."""
        self._places.setdefault(("kept", rule), []).append(place)

    def has_refused(self, rule: str) -> bool:
        """Whether a rule left something out so far."""
        return ("refused", rule) in self._places

    @property
    def refusals(self) -> int:
        """How many times something was left out."""
        return sum(
            len(places) for (action, _), places in self._places.items() if action == "refused"
        )

    @property
    def why_nothing(self) -> str:
        """What a message about a file without anything usable adds: each rule that refused."""
        told = [
            f"{rule} at {places[0]}" + (f" and {len(places) - 1} more" if len(places) > 1 else "")
            for (action, rule), places in sorted(self._places.items())
            if action == "refused"
        ]
        return f" (refused: {'; '.join(told)}; docs/rubrics-data.md explains)" if told else ""

    def counts(self) -> tuple[ReadingCount, ...]:
        """All of it, by action and rule."""
        return tuple(
            ReadingCount(
                source=self.source,
                rule=rule,
                action=action,
                count=len(places),
                first=tuple(places[:_FIRST]),
            )
            for (action, rule), places in sorted(self._places.items())
        )
