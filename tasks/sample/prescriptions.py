"""The home medications of a patient, and how a stay changes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Literal

from tasks.sample.entries import Drug, DrugChange
from tasks.sample.lookup import Catalogue
from tasks.sample.phrases import capitalize, say
from tasks.sample.problems import Problem

Action = Literal[
    "start", "increase", "decrease", "stop", "hold", "pause", "resume", "course", "replace"
]


@dataclass(frozen=True)
class Prescription:
    """A drug at one of its doses."""

    drug: Drug
    dose_index: int

    @property
    def dose(self) -> str:
        """The dose as printed, for example ``40 mg``."""
        return self.drug.doses[self.dose_index]


@dataclass(frozen=True)
class Regimen:
    """What a patient takes at home, and what an earlier stay put on hold."""

    taken: tuple[Prescription, ...] = ()
    held: tuple[Prescription, ...] = ()

    def find(self, key: str) -> Prescription | None:
        """The prescription of a drug, if it is taken."""
        return next((p for p in self.taken if p.drug.key == key), None)

    def without_courses(self) -> Regimen:
        """The regimen once finite courses have ended."""
        return replace(self, taken=tuple(p for p in self.taken if p.drug.course_days is None))


@dataclass(frozen=True)
class Change:
    """One change with its reason; ``before`` is null for new drugs, ``after`` for stopped ones."""

    action: Action
    drug: Drug
    before: Prescription | None
    after: Prescription | None
    because: str
    problem: str
    labs: tuple[tuple[str, tuple[float, float]], ...] = ()


@dataclass(frozen=True)
class Constraints:
    """What rules a change out: allergy classes, conditions, drugs that an isolate resists.

    ``procedures`` were done in the stay; reasons that speak of others don't hold.
    """

    classes: frozenset[str]
    conditions: frozenset[str]
    resisted: frozenset[str]
    procedures: frozenset[str] = frozenset()

    def allow(self, drug: Drug) -> bool:
        """Whether the drug may be given."""
        return not (
            self.classes & set(drug.classes)
            or self.conditions & set(drug.not_with)
            or drug.key in self.resisted
        )


def first_regimen(
    problems: Sequence[Problem], catalogue: Catalogue, limits: Constraints, rng: Random
) -> Regimen:
    """What the patient takes before the first stay, from the lasting conditions."""
    keys = [k for p in problems if p.condition is not None for k in p.condition.home]
    keys += [e.drug for e in catalogue.patients.extra_home if rng.random() < e.chance]
    regimen = Regimen()
    for key in keys:
        drug = catalogue.drugs[key]
        if _can_start(regimen, drug, limits) and (drug.group or rng.random() < 0.9):
            spread = rng.choice((0, 0, 0, 1, -1))
            index = min(max(drug.start + spread, 0), len(drug.doses) - 1)
            regimen = replace(regimen, taken=(*regimen.taken, Prescription(drug, index)))
    return regimen


def start_for_condition(
    problem: Problem, regimen: Regimen, catalogue: Catalogue, limits: Constraints
) -> Change | None:
    """The first usual drug of a newly recorded lasting condition, if it can be started."""
    for key in problem.condition.home if problem.condition else ():
        drug = catalogue.drugs[key]
        if _can_start(regimen, drug, limits):
            return Change(
                "start", drug, None, Prescription(drug, drug.start), problem.name, problem.key
            )
    return None


def plan_change(
    entry: DrugChange,
    problem: Problem,
    regimen: Regimen,
    catalogue: Catalogue,
    limits: Constraints,
    rng: Random,
) -> Change | None:
    """The change a condition asks for, or null where the regimen doesn't allow it."""
    if entry.after and entry.after not in limits.procedures:
        return None
    change = _plan(entry, problem, regimen, catalogue, limits, rng)
    return replace(change, labs=tuple(entry.labs.items())) if change else None


def _plan(
    entry: DrugChange,
    problem: Problem,
    regimen: Regimen,
    catalogue: Catalogue,
    limits: Constraints,
    rng: Random,
) -> Change | None:
    drug = catalogue.drugs[entry.drug]
    because = say(entry.because, rng, dict(problem.values))
    current = regimen.find(drug.key)
    if entry.action.startswith("replace:"):
        before = regimen.find(entry.action.removeprefix("replace:"))
        if before is None or current is not None or not limits.allow(drug):
            return None
        after = Prescription(drug, drug.start)
        return Change("replace", drug, before, after, because, problem.key)
    if entry.action in ("start", "course"):
        if not _can_start(regimen, drug, limits):
            return None
        action: Action = "course" if entry.action == "course" else "start"
        return Change(action, drug, None, Prescription(drug, drug.start), because, problem.key)
    return _change_of_taken(entry.action, current, because, problem.key, rng)


def _change_of_taken(
    action: str, current: Prescription | None, because: str, problem: str, rng: Random
) -> Change | None:
    if current is None:
        return None
    drug = current.drug
    if action == "hold":
        if rng.random() < 0.5:
            return Change("pause", drug, current, current, because, problem)
        return Change("hold", drug, current, None, because, problem)
    if action == "stop":
        return Change("stop", drug, current, None, because, problem)
    step = 1 if action == "increase" else -1
    index = current.dose_index + step
    if not 0 <= index < len(drug.doses):
        return None
    named: Action = "increase" if step > 0 else "decrease"
    return Change(named, drug, current, Prescription(drug, index), because, problem)


def resumed(regimen: Regimen, problems: frozenset[str], rng: Random) -> tuple[Change, ...]:
    """Drugs on hold since an earlier stay that this one takes up again."""
    changes: list[Change] = []
    for held in regimen.held:
        if rng.random() < 0.7 and not problems & {"aki", "hyperkalemia", "sepsis", "gi_bleed"}:
            changes.append(Change("resume", held.drug, None, held, "", ""))
    return tuple(changes)


def apply_change(regimen: Regimen, change: Change) -> Regimen:
    """The regimen after a change; a replaced or altered drug keeps its place in the list."""
    taken = list(regimen.taken)
    held = [p for p in regimen.held if p.drug.key != change.drug.key]
    if change.before is None:
        if change.after is not None:
            taken.append(change.after)
    else:
        place = taken.index(change.before)
        taken[place : place + 1] = [] if change.after is None else [change.after]
    if change.action == "hold" and change.before is not None:
        held.append(change.before)
    return Regimen(tuple(taken), tuple(held))


def change_sentence(change: Change, catalogue: Catalogue, rng: Random) -> str:
    """The change and its reason as a sentence of the hospital course."""
    template = rng.choice(catalogue.wording.change_intro[change.action])
    after, before = change.after, change.before
    sentence = say(
        template,
        rng,
        {
            "Drug": capitalize(change.drug.said),
            "drug": change.drug.said,
            "Other": capitalize(before.drug.said) if before else "",
            "dose": after.dose if after else "",
            "old": before.dose if before else "",
            "new": after.dose if after else "",
            "spoken": change.drug.spoken,
            "because": change.because,
            "days": str(change.drug.course_days or ""),
        },
    )
    return sentence


def _can_start(regimen: Regimen, drug: Drug, limits: Constraints) -> bool:
    clash = any(
        p.drug.key == drug.key or (drug.group and p.drug.group == drug.group)
        for p in (*regimen.taken, *regimen.held)
    )
    return not clash and limits.allow(drug)
