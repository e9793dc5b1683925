"""Which of a patient's admissions can have a session, and when (docs/reading-mimic.md)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Literal

EndSource = Literal["dischtime", "discharge_charttime", "discharge_storetime"]

_LAST_SECOND = time(23, 59, 59)


@dataclass(frozen=True)
class RecordedAdmission:
    """An admission as recorded, with the latest times of its discharge notes.

    ``eligible`` says that a discharge note is linked to it.
    """

    subject_id: str
    hadm_id: str
    admittime: datetime
    dischtime: datetime | None
    deathtime: datetime | None
    recorded_as_died: bool
    eligible: bool
    latest_charttime: datetime | None
    latest_storetime: datetime | None


@dataclass(frozen=True)
class Stay:
    """A usable admission: start < conversation_end <= end."""

    hadm_id: str
    start: datetime
    end: datetime
    end_source: EndSource
    conversation_end: datetime
    died: bool


@dataclass(frozen=True)
class LeftOut:
    """An admission that has no session, and the reason code."""

    hadm_id: str
    reason: str


@dataclass(frozen=True)
class PatientStays:
    """A patient's admissions, each either usable or left out, both in time order."""

    usable: tuple[Stay, ...]
    left_out: tuple[LeftOut, ...]


def sort_out_stays(admissions: Sequence[RecordedAdmission], dod: date | None) -> PatientStays:
    """Split one patient's admissions, in any order, into usable stays and those left out.

    The first reason that applies counts: after_death by another record than its own,
    no_discharge_note, no_end_time, negative_stay, zero_length_stay, after_death by its own
    record, overlapping_stay (begins before an earlier usable stay's end).
    """
    death = moment_of_death(admissions, dod)
    usable: list[Stay] = []
    left_out: list[LeftOut] = []
    for admission in sorted(admissions, key=_time_order):
        end, source = admission_end(admission)
        others = [other for other in admissions if other is not admission]
        already_dead = _begins_after(moment_of_death(others, dod), admission)
        reason = "after_death" if already_dead else _reason(admission, end, death, usable)
        if reason or end is None or source is None:
            left_out.append(LeftOut(admission.hadm_id, reason))
        else:
            usable.append(_stay(admission, end, source, death))
    return PatientStays(tuple(usable), tuple(left_out))


def moment_of_death(admissions: Sequence[RecordedAdmission], dod: date | None) -> datetime | None:
    """The earliest time at which the record says that the patient was dead; null if never.

    A deathtime counts, the discharge of a stay recorded as fatal without one, and the last
    second of ``dod``.
    """
    moments = [
        admission.deathtime or admission.dischtime
        for admission in admissions
        if admission.deathtime or admission.recorded_as_died
    ]
    moments.append(datetime.combine(dod, _LAST_SECOND) if dod else None)
    return min((moment for moment in moments if moment), default=None)


def admission_end(admission: RecordedAdmission) -> tuple[datetime | None, EndSource | None]:
    """The admission's end and where it is taken from (spec section 4)."""
    if admission.dischtime:
        return admission.dischtime, "dischtime"
    if admission.latest_charttime:
        return admission.latest_charttime, "discharge_charttime"
    if admission.latest_storetime:
        return admission.latest_storetime, "discharge_storetime"
    return None, None


def death_is_contradicted(admissions: Sequence[RecordedAdmission], dod: date | None) -> bool:
    """Whether what the record tells of a death doesn't agree.

    Fatal stay and deathtime belong together, within the stay, once, on ``dod``, with no stay
    that begins later. A death outside hospital has ``dod`` alone.
    """
    fatal = [one for one in admissions if one.recorded_as_died or one.deathtime]
    death = moment_of_death(admissions, dod)
    return (
        len(fatal) > 1
        or any(_begins_after(death, one) for one in admissions)
        or any(not _dies_within(one, dod) for one in fatal)
    )


def _dies_within(admission: RecordedAdmission, dod: date | None) -> bool:
    death = admission.deathtime
    return (
        death is not None
        and admission.recorded_as_died
        and death.date() == dod
        and admission.admittime <= death
        and (admission.dischtime is None or death <= admission.dischtime)
    )


def _begins_after(death: datetime | None, admission: RecordedAdmission) -> bool:
    return death is not None and admission.admittime >= death


def _time_order(admission: RecordedAdmission) -> tuple[datetime, str]:
    return admission.admittime, admission.hadm_id


def _reason(
    admission: RecordedAdmission,
    end: datetime | None,
    death: datetime | None,
    usable: Sequence[Stay],
) -> str:
    rules = (
        ("no_discharge_note", not admission.eligible),
        ("no_end_time", end is None),
        ("negative_stay", end is not None and end < admission.admittime),
        ("zero_length_stay", end == admission.admittime),
        ("after_death", _begins_after(death, admission)),
        ("overlapping_stay", bool(usable) and admission.admittime < usable[-1].end),
    )
    return next((reason for reason, applies in rules if applies), "")


def _stay(
    admission: RecordedAdmission, end: datetime, source: EndSource, death: datetime | None
) -> Stay:
    conversation_end = min(end, death) if death else end
    died = admission.recorded_as_died or admission.deathtime is not None or conversation_end < end
    return Stay(admission.hadm_id, admission.admittime, end, source, conversation_end, died)
