"""Invents patients: who they are, when they are in hospital, and what is coded there."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from random import Random

from tasks.contracts.clock import format_date, format_time
from tasks.sample.entries import Condition
from tasks.sample.lookup import Catalogue
from tasks.sample.rows import (
    AdmissionRow,
    DiagnosisRow,
    MicrobiologyRow,
    PatientRow,
    PatientRows,
    ProcedureRow,
)
from tasks.sample.specimens import take_specimens
from tasks.sample.streams import Stream, patient_stream
from tasks.sample.vocabulary import Archetype

MOST_STAYS = 64
# Ids are spread by a multiplication modulo a prime: unique, unordered, never in MIMIC's ranges.
_PRIME = 9_999_991
_SUBJECTS, _ADMISSIONS, _SPECIMENS = 90_000_000, 80_000_000, 1_000
_YEAR_GROUPS = ("2008 - 2010", "2011 - 2013", "2014 - 2016", "2017 - 2019")


@dataclass(frozen=True)
class _Person:
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


@dataclass(frozen=True)
class _Window:
    """The times of one stay and whether the patient died in it."""

    admitted: datetime
    discharged: datetime
    died: bool

    @property
    def hours(self) -> float:
        return (self.discharged - self.admitted).total_seconds() / 3600


def subject_id_of(index: int) -> int:
    """The id of the patient with this index, from 0."""
    return _SUBJECTS + (index * 7_368_787 + 104_729) % _PRIME


def invent_patient(index: int, seed: int, scale: float, catalogue: Catalogue) -> PatientRows:
    """The hosp/ rows of one patient; they depend on index, seed and scale alone."""
    stream = patient_stream(seed, str(subject_id_of(index)))
    person = _person(index, stream, catalogue)
    stays = _stay_count(stream, scale)
    start = datetime(stream.draw("start").randint(2110, 2185), 1, 1) + timedelta(
        minutes=stream.draw("start minute").randrange(365 * 24 * 60)
    )
    lasting = _lasting(person, catalogue, stream)
    admissions: list[AdmissionRow] = []
    diagnoses: list[DiagnosisRow] = []
    procedures: list[ProcedureRow] = []
    microbiology: list[MicrobiologyRow] = []
    happened: set[str] = set()
    begin = start
    for number in range(stays):
        stay = stream.below(f"stay {number}")
        lead = _lead(person, lasting, happened, catalogue, stay)
        happened.add(lead.key)
        lasting.extend(key for key in lead.leaves if key not in lasting)
        died = number == stays - 1 and number > 0 and lead.fatal and person.outcome < 0.05
        window = _window(begin, lead, died, stay)
        hadm_id = _ADMISSIONS + ((index * 100 + number) * 6_543_211 + 15_485_863) % _PRIME
        coded = [lead, *_secondary(lead, lasting, window, catalogue, stay)]
        admissions.append(_admission(person, hadm_id, lead, window, stay))
        version = _icd_version(person, number, stays)
        lasting_codes = _coded_lasting(coded, lasting, catalogue)
        diagnoses += _diagnoses(person, hadm_id, version, (*coded, *lasting_codes))
        procedures += _procedures(
            person, hadm_id, version, (*coded, *lasting_codes), window, catalogue, stay
        )
        microbiology += take_specimens(
            person.subject_id,
            hadm_id,
            (index * MOST_STAYS + number) * _SPECIMENS,
            coded,
            (window.admitted, window.discharged),
            catalogue,
            stay,
        )
        begin = window.discharged + _gap(stays, stay)
    return PatientRows(
        _patient_row(person, start, admissions[-1], stream),
        tuple(admissions),
        tuple(diagnoses),
        tuple(procedures),
        tuple(microbiology),
    )


def _person(index: int, stream: Stream, catalogue: Catalogue) -> _Person:
    rng = stream.draw("person")
    patients = catalogue.patients
    archetype = rng.choices(patients.archetypes, [a.weight for a in patients.archetypes])[0]
    return _Person(
        index=index,
        subject_id=subject_id_of(index),
        gender=rng.choice(("F", "M")),
        age=rng.randint(*archetype.age),
        year_group=rng.choice(_YEAR_GROUPS),
        archetype=archetype,
        race=rng.choice(patients.races),
        language=rng.choice(patients.languages),
        insurance=rng.choice(patients.insurances),
        marital_status=rng.choice(patients.marital_statuses),
        outcome=rng.random(),
    )


def _stay_count(stream: Stream, scale: float) -> int:
    """Heavy-tailed: median three, one in four patients with one stay, one in 200 above 30."""
    drawn = math.exp(stream.draw("stays").gauss(1.05, 0.9))
    return min(MOST_STAYS, max(1, round(scale * drawn)))


def _lasting(person: _Person, catalogue: Catalogue, stream: Stream) -> list[str]:
    """Keys of the lasting conditions the patient has from the start."""
    rng = stream.draw("lasting")
    keys: list[str] = []
    for entry in person.archetype.chronic:
        condition = catalogue.conditions[entry.condition]
        fits = condition.sex in ("", person.gender) and not set(condition.excludes) & set(keys)
        if rng.random() < entry.chance and fits:
            keys.append(condition.key)
    return keys or ["hypertension"]


def _lead(
    person: _Person, lasting: list[str], happened: set[str], catalogue: Catalogue, stay: Stream
) -> Condition:
    """The reason for the admission, among those that the patient can have."""
    possible: list[Condition] = []
    weights: list[float] = []
    for entry in person.archetype.acute:
        condition = catalogue.conditions[entry.condition]
        once = condition.once and condition.key in happened
        needed = {*condition.covers, *condition.needs} - set(lasting)
        if not once and not needed and not set(condition.excludes) & set(lasting):
            possible.append(condition)
            weights.append(entry.weight)
    return stay.draw("lead").choices(possible, weights)[0]


def _window(begin: datetime, lead: Condition, died: bool, stay: Stream) -> _Window:
    """Admission and discharge: hours to weeks, the median three days; discharge by day."""
    rng = stay.draw("window")
    admitted = begin
    if lead.elective:
        admitted = begin.replace(hour=rng.randint(6, 9), minute=rng.choice((0, 15, 30, 45)))
    hours = min(60 * 24.0, max(4.0, 24 * math.exp(rng.gauss(1.2, 0.95))))
    if died:
        hours = max(hours, 36.0)
    discharged = admitted + timedelta(minutes=round(hours * 60))
    if hours > 24 and not died:
        discharged = discharged.replace(hour=rng.randint(10, 18), minute=rng.randint(0, 59))
    return _Window(admitted, max(discharged, admitted + timedelta(hours=4)), died)


def _gap(stays: int, stay: Stream) -> timedelta:
    """Time at home: heavy-tailed, shorter for patients who come often."""
    median_days = min(120.0, max(14.0, 700 / stays))
    days = min(900.0, max(2.0, median_days * math.exp(stay.draw("gap").gauss(0, 0.9))))
    return timedelta(minutes=round(days * 24 * 60))


def _secondary(
    lead: Condition, lasting: list[str], window: _Window, catalogue: Catalogue, stay: Stream
) -> list[Condition]:
    """Other acute problems of the stay; short stays have fewer."""
    rng = stay.draw("secondary")
    found: list[Condition] = []
    for entry in catalogue.patients.secondary:
        condition = catalogue.conditions[entry.condition]
        present = {lead.key, *(c.key for c in found), *lasting}
        chance = entry.chance * (0.3 if window.hours < 24 else 1.0)
        clash = {*condition.excludes, condition.key} & present
        if rng.random() < chance and not clash and condition.key not in lead.excludes:
            found.append(condition)
    return found


def _coded_lasting(
    coded: Sequence[Condition], lasting: Sequence[str], catalogue: Catalogue
) -> tuple[Condition, ...]:
    """Lasting conditions with a code of their own, not covered by an acute one's."""
    covered = {key for condition in coded for key in condition.covers}
    return tuple(catalogue.conditions[key] for key in lasting if key not in covered)


def _icd_version(person: _Person, number: int, stays: int) -> int:
    """ICD-9 until 2013, ICD-10 from 2017, and the switch halfway in between."""
    place = _YEAR_GROUPS.index(person.year_group)
    if place == 2:
        return 9 if number < stays // 2 else 10
    return 9 if place < 2 else 10


def _diagnoses(
    person: _Person, hadm_id: int, version: int, coded: Sequence[Condition]
) -> list[DiagnosisRow]:
    codes = [code.code for c in coded for code in c.codes if code.version == version]
    return [
        DiagnosisRow(person.subject_id, hadm_id, number, code, version)
        for number, code in enumerate(dict.fromkeys(codes), start=1)
    ]


def _procedures(
    person: _Person,
    hadm_id: int,
    version: int,
    coded: Sequence[Condition],
    window: _Window,
    catalogue: Catalogue,
    stay: Stream,
) -> list[ProcedureRow]:
    rng = stay.draw("procedures")
    rows: list[ProcedureRow] = []
    seen: set[str] = set()
    for condition in coded:
        for entry in condition.procedures:
            if rng.random() >= entry.chance or entry.procedure in seen:
                continue
            seen.add(entry.procedure)
            procedure = catalogue.procedures[entry.procedure]
            code = next(c.code for c in procedure.codes if c.version == version)
            day = _procedure_day(condition, window, rng)
            rows.append(
                ProcedureRow(
                    person.subject_id, hadm_id, len(rows) + 1, format_date(day), code, version
                )
            )
    return rows


def _procedure_day(condition: Condition, window: _Window, rng: Random) -> date:
    days = (window.discharged.date() - window.admitted.date()).days
    latest = 0 if condition.elective else min(days, 4)
    return window.admitted.date() + timedelta(days=rng.randint(0, latest))


def _admission(
    person: _Person, hadm_id: int, lead: Condition, window: _Window, stay: Stream
) -> AdmissionRow:
    rng = stay.draw("admission")
    kind, location = _arrival(lead, window, rng)
    by_emergency = location == "EMERGENCY ROOM"
    registered = window.admitted - timedelta(minutes=rng.randint(90, 600))
    left = window.admitted + timedelta(minutes=rng.randint(30, 200))
    return AdmissionRow(
        subject_id=person.subject_id,
        hadm_id=hadm_id,
        admittime=format_time(window.admitted),
        dischtime=format_time(window.discharged),
        deathtime=format_time(window.discharged) if window.died else "",
        admission_type=kind,
        admit_provider_id=f"P{rng.randint(10, 99)}{rng.choice('ABCDEFGH')}{rng.randint(10, 99)}",
        admission_location=location,
        discharge_location="DIED" if window.died else _destination(person, window, rng),
        insurance=person.insurance,
        language=person.language,
        marital_status=person.marital_status,
        race=person.race,
        edregtime=format_time(registered) if by_emergency else "",
        edouttime=format_time(left) if by_emergency else "",
        hospital_expire_flag=int(window.died),
    )


def _arrival(lead: Condition, window: _Window, rng: Random) -> tuple[str, str]:
    if lead.elective:
        return "SURGICAL SAME DAY ADMISSION", "PHYSICIAN REFERRAL"
    if window.hours < 30:
        kind = rng.choice(("EU OBSERVATION", "OBSERVATION ADMIT", "DIRECT OBSERVATION"))
        return kind, "EMERGENCY ROOM"
    if rng.random() < 0.14:
        return "URGENT", "TRANSFER FROM HOSPITAL"
    return rng.choice(("EW EMER.", "EW EMER.", "EW EMER.", "DIRECT EMER.")), "EMERGENCY ROOM"


def _destination(person: _Person, window: _Window, rng: Random) -> str:
    if window.hours < 48 or person.age < 55:
        return rng.choice(("HOME", "HOME", "HOME", "HOME HEALTH CARE", ""))
    return rng.choice(
        ("HOME", "HOME HEALTH CARE", "HOME HEALTH CARE", "SKILLED NURSING FACILITY", "REHAB")
    )


def _patient_row(
    person: _Person, start: datetime, last: AdmissionRow, stream: Stream
) -> PatientRow:
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
