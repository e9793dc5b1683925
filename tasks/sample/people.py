"""Who the patients are: attributes, lasting conditions, number of stays."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime, timedelta

from tasks.contracts.clock import format_date
from tasks.sample.ids import MOST_STAYS, subject_id_of
from tasks.sample.lookup import Catalogue
from tasks.sample.rows import AdmissionRow, PatientRow
from tasks.sample.streams import Stream
from tasks.sample.vocabulary import Archetype

YEAR_GROUPS = ("2008 - 2010", "2011 - 2013", "2014 - 2016", "2017 - 2019")

_LONGEST_CHAIN = 36


@dataclass(frozen=True)
class Person:
    """Attributes that all of a patient's rows share."""

    index: int
    subject_id: int
    gender: str
    age: int
    year_group: str
    archetype: Archetype
    race: str
    language: str
    insurance: str
    marital_status: str
    outcome: float


def invent_person(index: int, stream: Stream, catalogue: Catalogue) -> Person:
    """Draw a patient's attributes."""
    rng = stream.draw("person")
    patients = catalogue.patients
    archetype = rng.choices(patients.archetypes, [a.weight for a in patients.archetypes])[0]
    return Person(
        index=index,
        subject_id=subject_id_of(index),
        gender=rng.choice(("F", "M")),
        age=rng.randint(*archetype.age),
        year_group=rng.choice(YEAR_GROUPS),
        archetype=archetype,
        race=rng.choice(patients.races),
        language=rng.choice(patients.languages),
        insurance=rng.choice(patients.insurances),
        marital_status=rng.choice(patients.marital_statuses),
        outcome=rng.random(),
    )


def count_stays(stream: Stream, scale: float) -> int:
    """Heavy-tailed: median three, one in four patients with one stay, one in 200 about 30."""
    drawn = min(_LONGEST_CHAIN, math.exp(stream.draw("stays").gauss(1.05, 0.9)))
    return min(MOST_STAYS, max(1, round(scale * drawn)))


def lasting_conditions(person: Person, catalogue: Catalogue, stream: Stream) -> list[str]:
    """Keys of the lasting conditions the patient has from the start."""
    rng = stream.draw("lasting")
    keys: list[str] = []
    for entry in person.archetype.chronic:
        condition = catalogue.conditions[entry.condition]
        fits = condition.sex in ("", person.gender) and not set(condition.excludes) & set(keys)
        if rng.random() < entry.chance and fits:
            keys.append(condition.key)
    return keys or ["hypertension"]


def icd_version(person: Person, number: int, stays: int) -> int:
    """ICD-9 until 2013, ICD-10 from 2017, and the switch halfway in between."""
    place = YEAR_GROUPS.index(person.year_group)
    if place == 2:
        return 9 if number < stays // 2 else 10
    return 9 if place < 2 else 10


def patient_row(person: Person, start: datetime, last: AdmissionRow, stream: Stream) -> PatientRow:
    """The patient's row; one in ten who left alive died within a year of the last discharge."""
    rng = stream.draw("death")
    dod = last.deathtime[:10]
    if not dod and rng.random() < 0.1:
        left = datetime.fromisoformat(last.dischtime)
        dod = format_date(left + timedelta(days=rng.randint(20, 360)))
    return PatientRow(
        subject_id=person.subject_id,
        gender=person.gender,
        anchor_age=person.age,
        anchor_year=start.year,
        anchor_year_group=person.year_group,
        dod=dod,
    )
