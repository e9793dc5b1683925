"""The bundles gate's table: a row an admission."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from itertools import pairwise
from typing import Any

import polars as pl
from pydantic import BaseModel

from tasks.contracts.records import AdmissionBundle
from tasks.gates.tables.rows import table

NOON = time(12)
DIAGNOSIS_WINDOW = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class BundleRow:
    """One admission; ``id`` is the hadm_id."""

    id: str
    subject_id: str
    window_seconds: int
    speaking_seconds: int
    speaking_seconds_after_end: int
    seconds_since_previous_start: int
    starts_after_death: bool
    discharge_notes: int
    empty_notes: int
    foreign_notes: int
    window_off_rule: bool
    repeated_items: int
    items_out_of_order: int
    events_off_rule: int


def bundle_tables(
    patients: Iterable[Sequence[AdmissionBundle]], died_in: Container[str]
) -> dict[str, pl.DataFrame]:
    """The table ``bundles`` of each patient's admissions in time order.

    ``died_in`` holds the hadm_ids of stays known to have ended with death; a bundle alone shows a
    death only where the patient's last moment lies before the stay's end.
    """
    rows = [
        _row(bundle, bundles[:position], died_in)
        for bundles in patients
        for position, bundle in enumerate(bundles)
    ]
    return {"bundles": table(rows, BundleRow)}


def _row(
    bundle: AdmissionBundle, earlier: Sequence[AdmissionBundle], died_in: Container[str]
) -> BundleRow:
    start, end, last = bundle.admission_start, bundle.admission_end, _last(bundle)
    deaths = [_last(one) for one in earlier if one.hadm_id in died_in or _cut_short(one)]
    since = _seconds(start - earlier[-1].admission_start) if earlier else 0
    notes = (*bundle.discharge_notes, *bundle.radiology_notes)
    return BundleRow(
        id=bundle.hadm_id,
        subject_id=bundle.subject_id,
        window_seconds=_seconds(end - start),
        speaking_seconds=_seconds(last - start),
        speaking_seconds_after_end=max(0, _seconds(last - end)),
        seconds_since_previous_start=since,
        starts_after_death=any(start >= death for death in deaths),
        discharge_notes=len(bundle.discharge_notes),
        empty_notes=sum(not note.text.strip() for note in notes),
        foreign_notes=sum(not one.note_id.startswith(f"{bundle.subject_id}-") for one in notes),
        window_off_rule=bundle.timing_rules.diagnosis_window_minutes
        != _diagnosis_window(bundle) // timedelta(minutes=1),
        repeated_items=sum(_repeated(items) for items in _lists(bundle)),
        items_out_of_order=_out_of_order(bundle),
        events_off_rule=_events_off_rule(bundle),
    )


def _seconds(span: timedelta) -> int:
    return int(span.total_seconds())


def _last(bundle: AdmissionBundle) -> datetime:
    return bundle.timing_rules.conversation_end


def _cut_short(bundle: AdmissionBundle) -> bool:
    """The patient stops speaking before the stay's end: the rule for a death within it."""
    return _last(bundle) < bundle.admission_end


def _lists(bundle: AdmissionBundle) -> tuple[Sequence[BaseModel], ...]:
    return (
        bundle.discharge_notes,
        bundle.radiology_notes,
        bundle.diagnoses,
        bundle.procedures,
        bundle.microbiology,
    )


def _repeated(items: Sequence[BaseModel]) -> int:
    """Rows that stand twice, times that a rule assigned left aside; notes by their id."""
    seen = {
        getattr(item, "note_id", None) or item.model_dump_json(exclude={"normalized_time"})
        for item in items
    }
    return len(items) - len(seen)


def _out_of_order(bundle: AdmissionBundle) -> int:
    notes = [(n.note_seq, n.charttime, n.storetime, n.note_id) for n in bundle.discharge_notes]
    reports = [(n.charttime, n.storetime, n.note_id) for n in bundle.radiology_notes]
    diagnoses = [(d.seq_num, d.icd_version, d.icd_code) for d in bundle.diagnoses]
    procedures = [(p.chartdate, p.seq_num, p.icd_version, p.icd_code) for p in bundle.procedures]
    microbiology = [(m.normalized_time,) for m in bundle.microbiology]
    groups: tuple[Sequence[tuple[Any, ...]], ...] = (
        notes, reports, diagnoses, procedures, microbiology,
    )  # fmt: skip
    return sum(_descents(keys) for keys in groups)


def _descents(keys: Sequence[tuple[Any, ...]]) -> int:
    """Neighbours in the wrong order; the first pair of different parts decides."""
    found = 0
    for one, other in pairwise(keys):
        pairs = [(a, b) for a, b in zip(one, other, strict=True) if a != b]
        if pairs and None not in pairs[0] and pairs[0][0] > pairs[0][1]:
            found += 1
    return found


def _events_off_rule(bundle: AdmissionBundle) -> int:
    diagnoses = sum(
        one.normalized_time != _anchor(bundle, place)
        or one.time_provenance != "discharge_phase_anchor"
        for place, one in enumerate(bundle.diagnoses, start=1)
    )
    procedures = sum(
        not _at_noon(one.chartdate, one.normalized_time)
        or one.time_provenance != "date_only_normalized"
        for one in bundle.procedures
    )
    microbiology = sum(
        not (
            one.time_provenance == "recorded" and one.normalized_time == one.charttime
            if one.charttime is not None
            else one.time_provenance == "date_only_normalized"
            and _at_noon(one.chartdate, one.normalized_time)
        )
        for one in bundle.microbiology
    )
    return diagnoses + procedures + microbiology


def _diagnosis_window(bundle: AdmissionBundle) -> timedelta:
    return min(DIAGNOSIS_WINDOW, bundle.admission_end - bundle.admission_start)


def _anchor(bundle: AdmissionBundle, place: int) -> datetime:
    """When a diagnosis is anchored: n of them cut the window into n + 1 parts of whole seconds."""
    window = _diagnosis_window(bundle)
    seconds = _seconds(window) * place // (len(bundle.diagnoses) + 1)
    return bundle.admission_end - window + timedelta(seconds=seconds)


def _at_noon(day: date | None, moment: datetime) -> bool:
    return day is not None and moment == datetime.combine(day, NOON)
