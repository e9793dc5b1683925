"""How a stay changes the home medications, and in which order the changes are decided."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from tasks.adapters.mimic_hosp import HospStay
from tasks.sample.lookup import Catalogue
from tasks.sample.prescriptions import (
    Change,
    Constraints,
    Regimen,
    apply_change,
    plan_change,
    resumed,
    start_for_condition,
)
from tasks.sample.problems import Problem
from tasks.sample.streams import Stream
from tasks.sample.timing import stay_days

_MOST_PROBLEMS = 5


def plan_changes(
    stay: HospStay,
    problems: Sequence[Problem],
    regimen: Regimen,
    newly_recorded: frozenset[str],
    catalogue: Catalogue,
    limits: Constraints,
    stream: Stream,
) -> tuple[Change, ...]:
    """Resumed drugs, changes for acute problems, new lasting problems, then fine tuning.

    ``newly_recorded`` names lasting conditions that no earlier stay knew.
    """
    rng = stream.draw("changes")
    keys = frozenset(p.key for p in problems)
    plan = _Plan(regimen, list(resumed(regimen, keys, rng)))
    acute = [p for p in problems if p.kind == "acute"][:_MOST_PROBLEMS]
    most = len(plan.changes) + (1 if stay_days(stay) < 1 else rng.randint(2, 4))
    plan.add_from(acute, most, catalogue, limits, rng)
    for problem in problems:
        if problem.key in newly_recorded and len(plan.changes) < most + 2:
            plan.add(start_for_condition(problem, plan.result(), catalogue, limits))
    chronic = [p for p in problems if p.kind == "chronic"]
    rng.shuffle(chronic)
    plan.add_from(chronic, len(plan.changes) + rng.choice((0, 1, 1)), catalogue, limits, rng)
    return tuple(plan.changes)


@dataclass
class _Plan:
    """Changes under way: each drug changes once in a stay."""

    regimen: Regimen
    changes: list[Change]

    def result(self) -> Regimen:
        after = self.regimen
        for change in self.changes:
            after = apply_change(after, change)
        return after

    def add(self, change: Change | None) -> None:
        if change is not None and not self._touched() & _drugs(change):
            self.changes.append(change)

    def add_from(
        self,
        problems: Sequence[Problem],
        most: int,
        catalogue: Catalogue,
        limits: Constraints,
        rng: Random,
    ) -> None:
        for problem in problems:
            entries = list(problem.condition.changes) if problem.condition else []
            rng.shuffle(entries)
            for entry in entries:
                if len(self.changes) < most:
                    self.add(plan_change(entry, problem, self.result(), catalogue, limits, rng))

    def _touched(self) -> set[str]:
        return {key for change in self.changes for key in _drugs(change)}


def _drugs(change: Change) -> set[str]:
    return {change.drug.key, *({change.before.drug.key} if change.before else ())}
