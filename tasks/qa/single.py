"""What can be asked about one stay, by question type."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tasks.contracts.questions import QuestionType
from tasks.qa import aspects
from tasks.qa.aspects import Aspect, readings
from tasks.qa.candidates import Candidate, lookup
from tasks.qa.companions import (
    change_companions,
    complaints_with,
    primary_diagnoses,
    symptom_companions,
    visit_companions,
)
from tasks.qa.courses import lab_courses, medication_courses
from tasks.qa.events import EVENTS, event_candidates
from tasks.qa.hops import doses_for, treatments_for
from tasks.qa.stays import Cite, PatientStays, Stay

_REASONING = (aspects.CAUSE, aspects.STUDY_SHOWING, aspects.CULTURE_GROWING, aspects.DRUG_TESTED)
_PLAIN_REASONING = (
    aspects.LAB,
    aspects.IMAGING,
    aspects.CULTURE,
    aspects.SUSCEPTIBILITY,
    aspects.ALLERGY,
)
_DATED = ((aspects.IMAGING, aspects.DATED_IMAGING), (aspects.CULTURE, aspects.DATED_CULTURE))
_CARE_PLAN = (aspects.REASON, aspects.NEW_DOSE, aspects.CHANGE)
_PLAIN_CARE_PLAN = (
    aspects.REGIMEN,
    aspects.DOSE,
    aspects.INTERVAL,
    aspects.HOME_REGIMEN,
    aspects.HOME_DOSE,
    aspects.COURSE,
    aspects.OUTCOME,
    aspects.FOLLOW_UP,
)
_FALLBACK_REASONING = (aspects.SYMPTOM, aspects.RANK, aspects.VITAL, aspects.COMPLAINT)
_FALLBACK_CARE_PLAN = (aspects.CONDITION, aspects.DESTINATION, aspects.PERFORMED)
_FILLER_CARE_PLAN = (aspects.STAY_LENGTH,)


def single_candidates(
    patient: PatientStays, stay: Stay
) -> Mapping[QuestionType, tuple[Candidate, ...]]:
    """Candidates about one stay that can't be mistaken for another stay with the same dates."""
    found = {
        QuestionType.MEDICAL_REASONING: _reasoning(stay),
        QuestionType.CARE_PLAN_RATIONALE: _care_plan(stay),
    }
    twins = patient.twins(stay)
    return {
        kind: tuple(
            candidate
            for candidate in candidates
            if not any(twin.text.mentions(label) for twin in twins for label in candidate.labels())
        )
        for kind, candidates in found.items()
    }


def stand_ins(cites: tuple[Cite, ...]) -> tuple[Candidate, ...]:
    """Forms to copy for a stay that states nothing with a target, citing what it does state."""
    forms = (("discharge_regimen", "drug"), ("culture_result", "culture"), ("event_date", EVENTS))
    return tuple(
        Candidate(family, {"target": ""}, ("target",), group, "", cites) for family, group in forms
    )


def _reasoning(stay: Stay) -> Iterator[Candidate]:
    yield from _lookups(stay, _REASONING)
    yield from treatments_for(stay, aspects.TREATED_FOR)
    yield from lab_courses(stay)
    yield from symptom_companions(stay)
    yield from complaints_with(stay)
    yield from primary_diagnoses(stay)
    yield from event_candidates(stay)
    yield from _lookups(stay, _PLAIN_REASONING, plain=True)
    for undated, dated in _DATED:
        known = {reading.target.casefold() for reading in readings(stay, undated).values()}
        for reading in readings(stay, dated).values():
            if reading.target.casefold() not in known:
                yield lookup(reading, plain=True)
    yield from _lookups(stay, _FALLBACK_REASONING, fallback=True)
    yield from _arrival_weekday(stay)


def _care_plan(stay: Stay) -> Iterator[Candidate]:
    yield from _lookups(stay, _CARE_PLAN)
    yield from treatments_for(stay, aspects.CHANGED_FOR)
    for aspect in (aspects.TREATED_FOR, aspects.CHANGED_FOR):
        yield from doses_for(stay, aspect)
    yield from medication_courses(stay)
    yield from change_companions(stay)
    yield from visit_companions(stay)
    yield from _lookups(stay, _PLAIN_CARE_PLAN, plain=True)
    yield from _lookups(stay, _FALLBACK_CARE_PLAN, fallback=True)
    for aspect in _FILLER_CARE_PLAN:
        for reading in readings(stay, aspect).values():
            yield lookup(reading, filler=True)
    last = stay.admission.lines[-1]
    cite = Cite(stay.position, last.turn_number)
    yield Candidate("care_weekday", {}, (), "", f"{last.time:%A}", (cite,), filler=True)


def _lookups(
    stay: Stay, wanted: tuple[Aspect, ...], *, fallback: bool = False, plain: bool = False
) -> Iterator[Candidate]:
    for aspect in wanted:
        for reading in readings(stay, aspect).values():
            yield lookup(reading, fallback=fallback, plain=plain)


def _arrival_weekday(stay: Stay) -> Iterator[Candidate]:
    opening = stay.opening()
    if opening is not None:
        yield Candidate("arrival_weekday", {}, (), "", f"{stay.start:%A}", (opening,), filler=True)
