"""A patient's course over all stays: what lasts, what changes, what is remembered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tasks.adapters.mimic_hosp import HospStay
from tasks.sample.changes import plan_changes
from tasks.sample.cultures import find_cultures, unfit_drugs
from tasks.sample.examination import examine
from tasks.sample.laboratory import tell_labs
from tasks.sample.lookup import Catalogue
from tasks.sample.phrases import capitalize
from tasks.sample.prescriptions import Change, Constraints, Regimen, apply_change, first_regimen
from tasks.sample.presentation import advice_texts, follow_up_texts, present
from tasks.sample.problems import Problem, find_problems
from tasks.sample.stay_procedures import (
    done_procedures,
    procedure_key,
    procedure_name,
    told_procedures,
)
from tasks.sample.story import PastStay, Story
from tasks.sample.streams import Stream, patient_stream
from tasks.sample.studies import tell_studies
from tasks.sample.timing import stay_days
from tasks.sample.titles import is_remembered
from tasks.sample.vocabulary import Allergy


@dataclass(frozen=True)
class _Memory:
    """What a patient brings into a stay."""

    lasting: tuple[tuple[str, str], ...]
    past: tuple[str, ...]
    regimen: Regimen | None
    previous: PastStay | None

    def knows(self, key: str) -> bool:
        return any(known == key for known, _ in self.lasting)


def tell_patient(stays: Sequence[HospStay], catalogue: Catalogue, seed: int) -> tuple[Story, ...]:
    """The stories of a patient's stays, given in time order."""
    if not stays:
        return ()
    stream = patient_stream(seed, stays[0].subject_id)
    rng = stream.draw("patient")
    allergies = catalogue.patients.allergies
    allergy = rng.choices(allergies, [a.weight for a in allergies])[0]
    family = rng.choice(catalogue.patients.family_history)
    memory = _Memory((), (), None, None)
    stories: list[Story] = []
    for stay in stays:
        story, memory = _tell_stay(stay, memory, allergy, family, catalogue, stream)
        stories.append(story)
    return tuple(stories)


def _tell_stay(
    stay: HospStay,
    memory: _Memory,
    allergy: Allergy,
    family: str,
    catalogue: Catalogue,
    patient: Stream,
) -> tuple[Story, _Memory]:
    stream = patient.below(stay.hadm_id)
    titles = tuple(p.long_title for p in stay.procedures)
    problems = find_problems(stay.diagnoses, titles, catalogue, stream)
    cultures = find_cultures(stay, catalogue)
    done = done_procedures(stay, catalogue)
    known = _with_covered(memory, problems, catalogue)
    limits = Constraints(
        frozenset(allergy.classes),
        frozenset({p.key for p in problems} | {key for key, _ in known.lasting}),
        unfit_drugs(cultures, catalogue),
        done,
    )
    before = _home_regimen(memory, problems, known, catalogue, limits, stream)
    changes: tuple[Change, ...] = ()
    if not stay.died:
        new = _newly_recorded(memory, problems)
        changes = plan_changes(stay, problems, before, new, catalogue, limits, stream)
    after = before
    for change in changes:
        after = apply_change(after, change)
    presentation = present(problems, catalogue, stream)
    story = Story(
        stay=stay,
        problems=problems,
        complaint=presentation.complaint,
        symptoms=presentation.symptoms,
        denials=presentation.denials,
        past=_past_history(known, problems, memory.previous is None),
        family_history=family,
        allergy=allergy,
        home=before.taken,
        discharge=() if stay.died else after.taken,
        changes=changes,
        previous=memory.previous,
        admission_exam=examine(problems, False, catalogue, stream),
        discharge_exam=examine(problems, True, catalogue, stream),
        labs=tell_labs(
            problems, changes, before.taken, stay_days(stay) < 1, catalogue, patient, stream
        ),
        studies=tell_studies(stay, problems, presentation.complaint.lower(), catalogue, stream),
        cultures=cultures,
        procedures=done,
        follow_up=follow_up_texts(problems, catalogue, stream),
        advice=advice_texts(problems, catalogue, stream),
    )
    return story, _remember(known, story, after, catalogue)


def _with_covered(memory: _Memory, problems: Sequence[Problem], catalogue: Catalogue) -> _Memory:
    """The memory with the lasting conditions that this stay's acute codes stand for."""
    lasting = list(memory.lasting)
    for problem in problems:
        for key in problem.condition.covers if problem.condition else ():
            if all(key != known for known, _ in lasting):
                lasting.append((key, catalogue.conditions[key].name))
    return replace(memory, lasting=tuple(lasting))


def _home_regimen(
    memory: _Memory,
    problems: Sequence[Problem],
    known: _Memory,
    catalogue: Catalogue,
    limits: Constraints,
    stream: Stream,
) -> Regimen:
    if memory.regimen is not None:
        return memory.regimen.without_courses()
    covered = tuple(
        Problem(key, name, "chronic", catalogue.conditions.get(key)) for key, name in known.lasting
    )
    lasting = (*covered, *(p for p in problems if p.kind != "acute"))
    return first_regimen(lasting, catalogue, limits, stream.draw("first regimen"))


def _newly_recorded(memory: _Memory, problems: Sequence[Problem]) -> frozenset[str]:
    """Lasting conditions that no earlier stay knew; none at the first stay."""
    if memory.regimen is None:
        return frozenset()
    return frozenset(p.key for p in problems if p.kind == "chronic" and not memory.knows(p.key))


def _past_history(known: _Memory, problems: Sequence[Problem], is_first: bool) -> tuple[str, ...]:
    """Past history: what earlier stays knew, and at the first stay what the codes imply."""
    names = [name for _, name in known.lasting]
    for problem in problems:
        told = problem.kind == "history" or (is_first and problem.kind == "chronic")
        if told:
            names.append(problem.name)
    return tuple(dict.fromkeys(capitalize(name) for name in (*names, *known.past)))


def _remember(known: _Memory, story: Story, regimen: Regimen, catalogue: Catalogue) -> _Memory:
    """What the next stay knows of this one."""
    lasting = dict(known.lasting)
    past = list(known.past)
    for problem in story.problems:
        if problem.kind == "chronic":
            lasting.setdefault(problem.key, problem.name)
        elif problem.kind == "history":
            past.append(problem.name)
        elif problem.condition is not None and problem.condition.history:
            past.append(problem.condition.history)
    for procedure in told_procedures(story.stay):
        key = procedure_key(procedure, catalogue)
        entry = catalogue.procedures.get(key)
        name = entry.history if entry else ""
        if entry is None and is_remembered(procedure.long_title):
            name = procedure_name(procedure, catalogue)
        if name and len(past) < 12:
            past.append(f"s/p {name}")
    lead = story.problems[0].name if story.problems else story.complaint.lower()
    ended = story.stay.dischtime or story.stay.admittime
    return _Memory(
        tuple(lasting.items()), tuple(dict.fromkeys(past)), regimen, PastStay(lead, ended)
    )
