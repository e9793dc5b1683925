"""Invents patients: when they are in hospital, why, and what is coded there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from random import Random

from tasks.contracts.clock import format_date, parse_date, parse_time
from tasks.sample.encounters import Window, admission_row, find_window, time_at_home
from tasks.sample.entries import Condition
from tasks.sample.ids import first_specimen_of, hadm_id_of, subject_id_of
from tasks.sample.lookup import Catalogue
from tasks.sample.people import (
    Person,
    count_stays,
    icd_version,
    invent_person,
    lasting_conditions,
    patient_row,
)
from tasks.sample.rows import (
    AdmissionRow,
    DiagnosisRow,
    MicrobiologyRow,
    PatientRows,
    ProcedureRow,
)
from tasks.sample.specimens import take_specimens
from tasks.sample.streams import Stream, patient_stream

_YEARS = (2110, 2185)
_FATAL_SHARE = 0.05


def invent_patient(index: int, seed: int, scale: float, catalogue: Catalogue) -> PatientRows:
    """The hosp/ rows of one patient; they depend on index, seed and scale alone."""
    stream = patient_stream(seed, str(subject_id_of(index)))
    person = invent_person(index, stream, catalogue)
    stays = count_stays(stream, scale)
    start = _first_admission(stream)
    lasting = lasting_conditions(person, catalogue, stream)
    happened: set[str] = set()
    begin = start
    found: list[_StayRows] = []
    for number in range(stays):
        stay = stream.below(f"stay {number}")
        lead = _lead(person, lasting, happened, catalogue, stay)
        happened.add(lead.key)
        lasting.extend(key for key in lead.leaves if key not in lasting)
        can_die = number == stays - 1 and number > 0 and lead.fatal
        window = find_window(begin, lead, can_die and person.outcome < _FATAL_SHARE, stay)
        version = icd_version(person, number, stays)
        found.append(_stay_rows(person, number, version, lead, lasting, window, catalogue, stay))
        begin = window.discharged + time_at_home(stays, stay)
    return PatientRows(
        patient_row(person, start, found[-1].admission, stream),
        tuple(s.admission for s in found),
        tuple(row for s in found for row in s.diagnoses),
        tuple(row for s in found for row in s.procedures),
        tuple(row for s in found for row in s.microbiology),
    )


@dataclass(frozen=True)
class _StayRows:
    admission: AdmissionRow
    diagnoses: list[DiagnosisRow]
    procedures: list[ProcedureRow]
    microbiology: list[MicrobiologyRow]


def _first_admission(stream: Stream) -> datetime:
    year = stream.draw("start").randint(*_YEARS)
    minute = stream.draw("start minute").randrange(365 * 24 * 60)
    return parse_time(f"{year}-01-01 00:00:00") + timedelta(minutes=minute)


def _stay_rows(
    person: Person,
    number: int,
    version: int,
    lead: Condition,
    lasting: Sequence[str],
    window: Window,
    catalogue: Catalogue,
    stay: Stream,
) -> _StayRows:
    hadm_id = hadm_id_of(person.index, number)
    acute = [lead, *_secondary(lead, lasting, window, catalogue, stay)]
    coded = [*acute, *_coded_lasting(acute, lasting, catalogue)]
    procedures = _procedures(person, hadm_id, version, coded, window, catalogue, stay)
    return _StayRows(
        admission_row(person, hadm_id, lead, window, stay),
        _diagnoses(person, hadm_id, version, coded),
        procedures,
        take_specimens(
            person.subject_id,
            hadm_id,
            first_specimen_of(person.index, number),
            coded,
            (window.admitted, window.discharged),
            _procedure_days(procedures, catalogue),
            catalogue,
            stay,
        ),
    )


def _lead(
    person: Person, lasting: Sequence[str], happened: set[str], catalogue: Catalogue, stay: Stream
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


def _secondary(
    lead: Condition, lasting: Sequence[str], window: Window, catalogue: Catalogue, stay: Stream
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


def _diagnoses(
    person: Person, hadm_id: int, version: int, coded: Sequence[Condition]
) -> list[DiagnosisRow]:
    codes = [code.code for c in coded for code in c.codes if code.version == version]
    return [
        DiagnosisRow(person.subject_id, hadm_id, number, code, version)
        for number, code in enumerate(dict.fromkeys(codes), start=1)
    ]


def _procedures(
    person: Person,
    hadm_id: int,
    version: int,
    coded: Sequence[Condition],
    window: Window,
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


def _procedure_days(rows: Sequence[ProcedureRow], catalogue: Catalogue) -> dict[str, date]:
    """Day of every procedure by its key."""
    days: dict[str, date] = {}
    for row in rows:
        procedure = catalogue.procedure_of_code(row.icd_version, row.icd_code)
        if procedure is not None:
            days[procedure.key] = parse_date(row.chartdate)
    return days


def _procedure_day(condition: Condition, window: Window, rng: Random) -> date:
    days = (window.discharged.date() - window.admitted.date()).days
    latest = 0 if condition.elective else min(days, 4)
    return window.admitted.date() + timedelta(days=rng.randint(0, latest))
