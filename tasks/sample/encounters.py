"""One stay's times and its admissions row."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random

from tasks.contracts.clock import format_time
from tasks.sample.entries import Condition
from tasks.sample.people import Person
from tasks.sample.rows import AdmissionRow
from tasks.sample.streams import Stream


@dataclass(frozen=True)
class Window:
    """The times of one stay and whether the patient died in it."""

    admitted: datetime
    discharged: datetime
    died: bool

    @property
    def hours(self) -> float:
        """Length in hours."""
        return (self.discharged - self.admitted).total_seconds() / 3600


def find_window(begin: datetime, lead: Condition, died: bool, stay: Stream) -> Window:
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
    return Window(admitted, max(discharged, admitted + timedelta(hours=4)), died)


def time_at_home(stays: int, stay: Stream) -> timedelta:
    """Time at home: heavy-tailed, shorter for patients who come often."""
    median_days = min(120.0, max(14.0, 700 / stays))
    days = min(900.0, max(2.0, median_days * math.exp(stay.draw("gap").gauss(0, 0.9))))
    return timedelta(minutes=round(days * 24 * 60))


def admission_row(
    person: Person, hadm_id: int, lead: Condition, window: Window, stay: Stream
) -> AdmissionRow:
    """The stay's row of ``admissions``."""
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


def _arrival(lead: Condition, window: Window, rng: Random) -> tuple[str, str]:
    if lead.elective:
        return "SURGICAL SAME DAY ADMISSION", "PHYSICIAN REFERRAL"
    if window.hours < 30:
        kind = rng.choice(("EU OBSERVATION", "OBSERVATION ADMIT", "DIRECT OBSERVATION"))
        return kind, "EMERGENCY ROOM"
    if rng.random() < 0.14:
        return "URGENT", "TRANSFER FROM HOSPITAL"
    return rng.choice(("EW EMER.", "EW EMER.", "EW EMER.", "DIRECT EMER.")), "EMERGENCY ROOM"


def _destination(person: Person, window: Window, rng: Random) -> str:
    if window.hours < 48 or person.age < 55:
        return rng.choice(("HOME", "HOME", "HOME", "HOME HEALTH CARE", ""))
    return rng.choice(
        ("HOME", "HOME HEALTH CARE", "HOME HEALTH CARE", "SKILLED NURSING FACILITY", "REHAB")
    )
