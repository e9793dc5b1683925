"""Adversarial copies: a candidate's own form, with a target that the patient's record lacks."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from tasks.contracts.questions import ABSTENTION
from tasks.qa.candidates import CALENDAR, ORDINALS, Candidate
from tasks.qa.common_targets import common_targets
from tasks.qa.lexicon import Frequencies
from tasks.qa.selection import draw
from tasks.qa.stays import Cite, PatientStays, Stay

_REPEATED = 0.4
_EVENT_GROUPS = ("procedure", "culture", "imaging")


class AbsentTargets:
    """Draws targets that no note, row, fact, summary or turn mentions.

    For questions about one ``stay`` its record is what counts: another stay of the patient may well
    be asked about the same target and have the answer.
    """

    def __init__(
        self,
        patient: PatientStays,
        frequencies: Frequencies,
        rng: random.Random,
        stay: Stay | None = None,
    ) -> None:
        self._patient = patient
        self._records = patient.records(stay)
        self._frequencies = frequencies
        self._rng = rng
        self._used: Counter[str] = Counter()
        self._absent: dict[tuple[str, str], bool] = {}

    def copy(self, candidate: Candidate, *, common: bool = False) -> Candidate | None:
        """The candidate with one target replaced by an absent one, citing the same turns.

        The turns are those of the nearest true fact. None where the cohort (with ``common``, the
        built-in vocabulary) knows no absent target, or the candidate has no target.
        """
        if not candidate.targets:
            return None
        if candidate.group == CALENDAR:
            return self._beyond_the_last(candidate)
        name = self._rng.choice(candidate.targets)
        absent = self._absent_label(candidate, common=common)
        if absent is None:
            return None
        self._used[absent.casefold()] += 1
        return replace(
            candidate, slots={**candidate.slots, name: absent}, answer=ABSTENTION, offers=True
        )

    def some(self, count: int) -> tuple[str, ...]:
        """Some absent common targets, the groups in turn, for a language model to ask about."""
        groups = [group for group, targets in common_targets().items() if targets]
        turns = (groups[at % len(groups)] for at in range(count))
        drawn = (self._draw(list(_common_targets(group)), group) for group in turns)
        return tuple(dict.fromkeys(label for label in drawn if label is not None))

    def _absent_label(self, candidate: Candidate, *, common: bool) -> str | None:
        if common and candidate.vocabulary != candidate.family:
            # The built-in vocabulary knows no units.
            return None
        known = self._frequencies.targets(candidate.vocabulary)
        return self._draw(
            list(_common_targets(candidate.group))
            if common
            else [(one.label, one.having) for one in known],
            candidate.group,
        )

    def _draw(self, targets: list[tuple[str, int]], group: str) -> str | None:
        left = [
            (label, weight) for label, weight in targets if weight and self._is_absent(label, group)
        ]
        if not left:
            return None
        weights = [weight * _REPEATED ** self._used[label.casefold()] for label, weight in left]
        return draw([label for label, _ in left], weights, self._rng)

    def _is_absent(self, label: str, group: str) -> bool:
        key = (label.casefold(), group)
        if key not in self._absent:
            self._absent[key] = all(record.lacks(*key) for record in self._records)
        return self._absent[key]

    def _beyond_the_last(self, candidate: Candidate) -> Candidate | None:
        """Ask about a stay after the last one: the stay it is counted from is a real one."""
        stays = self._patient.stays
        beyond = [
            (stay, ordinal)
            for stay in stays
            for steps, ordinal in enumerate(ORDINALS, start=1)
            if stay.position + steps >= len(stays)
        ]
        stay, ordinal = self._rng.choice(beyond)
        neighbour = stays[-1] if stay is not stays[-1] else stays[-2]
        return replace(
            candidate,
            slots={**candidate.slots, "a": stay.name, "ordinal": ordinal},
            answer=ABSTENTION,
            cites=tuple(Cite(one.position, one.first_turn) for one in (stay, neighbour)),
            offers=True,
        )


def _common_targets(group: str) -> Iterator[tuple[str, int]]:
    """The built-in targets of a group, for cohorts too small to supply absent ones."""
    for name in _EVENT_GROUPS if group == "event" else (group,):
        for target in common_targets().get(name, ()):
            yield target.label, target.weight
