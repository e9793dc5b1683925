"""Adversarial copies: a candidate's own form, with a target that the patient's record lacks."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

from tasks.contracts.clock import format_date
from tasks.contracts.questions import ABSTENTION
from tasks.qa.candidates import CALENDAR, Candidate
from tasks.qa.lexicon import Frequencies
from tasks.qa.selection import draw
from tasks.qa.stays import PatientStays
from tasks.qa.vocabulary import vocabulary

_REPEATED = 0.4
_MOST_DAYS_BEFORE = 60
_EVENT_GROUPS = ("procedure", "culture", "imaging")


class AbsentTargets:
    """Draws targets that nothing of the patient mentions: no note, row, fact, summary or turn."""

    def __init__(self, patient: PatientStays, frequencies: Frequencies, rng: random.Random) -> None:
        self._patient = patient
        self._frequencies = frequencies
        self._rng = rng
        self._used: Counter[str] = Counter()
        self._mentioned: dict[str, bool] = {}

    def copy(self, candidate: Candidate, *, common: bool = False) -> Candidate | None:
        """The candidate with one target replaced by an absent one, citing the same turns.

        The turns are those of the nearest true fact. None where the cohort (with ``common``, the
        built-in vocabulary) knows no absent target, or the candidate has no target.
        """
        if not candidate.targets:
            return None
        name = self._rng.choice(candidate.targets)
        absent = (
            self._absent_day(candidate)
            if candidate.group == CALENDAR
            else self._absent_label(candidate, common=common)
        )
        if absent is None:
            return None
        self._used[absent.casefold()] += 1
        return replace(
            candidate, slots={**candidate.slots, name: absent}, answer=ABSTENTION, offers=True
        )

    def some(self, count: int) -> tuple[str, ...]:
        """Some absent common targets, the groups in turn, for a language model to ask about."""
        groups = [group for group, targets in vocabulary().targets.items() if targets]
        drawn = (self._draw(list(_common_targets(groups[at % len(groups)]))) for at in range(count))
        return tuple(dict.fromkeys(label for label in drawn if label is not None))

    def _absent_label(self, candidate: Candidate, *, common: bool) -> str | None:
        known = self._frequencies.targets(candidate.family)
        return self._draw(
            list(_common_targets(candidate.group))
            if common
            else [(one.label, one.having) for one in known]
        )

    def _draw(self, targets: list[tuple[str, int]]) -> str | None:
        left = [(label, weight) for label, weight in targets if not self._is_mentioned(label)]
        if not left:
            return None
        weights = [weight * _REPEATED ** self._used[label.casefold()] for label, weight in left]
        return draw([label for label, _ in left], weights, self._rng)

    def _is_mentioned(self, label: str) -> bool:
        key = label.casefold()
        if key not in self._mentioned:
            self._mentioned[key] = self._patient.text.mentions(key)
        return self._mentioned[key]

    def _absent_day(self, candidate: Candidate) -> str | None:
        """A day shortly before the stay asked about on which the patient was in no hospital."""
        start = self._patient.stays[candidate.cites[0].stay].start
        days = (start - timedelta(days=before) for before in range(1, _MOST_DAYS_BEFORE + 1))
        free = [
            format_date(day)
            for day in days
            if not any(stay.start <= day <= stay.end for stay in self._patient.stays)
            and not self._used[format_date(day)]
        ]
        return self._rng.choice(free) if free else None


def _common_targets(group: str) -> Iterator[tuple[str, int]]:
    """The built-in targets of a group, for cohorts too small to supply absent ones."""
    for name in _EVENT_GROUPS if group == "event" else (group,):
        for target in vocabulary().targets.get(name, ()):
            yield target.label, target.weight
