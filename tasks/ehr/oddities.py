"""Counts what is odd in the records that were kept (docs/record-oddities.md).

Nothing here changes a record: each count shows how often a rule of reading was needed, so that
nobody has to find out from the dialogues. What is left out is counted in ``tasks.ehr.cohort``.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime, time

from tasks.contracts.build import OddityCount
from tasks.contracts.records import (
    AdmissionBundle,
    Diagnosis,
    DischargeNote,
    MicrobiologyEvent,
    PatientContext,
    Procedure,
    RadiologyNote,
)
from tasks.ehr.facts import told_death
from tasks.ehr.sections import Section, even_lines, named, split_discharge, split_radiology

Oddity = tuple[str, str]
"""A MIMIC table and a code."""

_LAST_UNSHIFTED_YEAR = 2200
_ADDENDUM_IDS = "-AD-"
_ONCE_A_NOTE = ("history", "course", "instructions")
_PLAIN_CONTROLS = frozenset("\n\t")
_HIDDEN = frozenset({"Cc", "Cf", "Co", "Cn", "Zl", "Zp"})


def bundle_oddities(bundle: AdmissionBundle, patient: PatientContext) -> Counter[Oddity]:
    """How often each oddity stands in one admission's bundle."""
    return Counter(
        [
            *(("admissions", code) for code in _stay(bundle, patient)),
            *(("discharge", code) for note in bundle.discharge_notes for code in _summary(note)),
            *(("radiology", code) for note in bundle.radiology_notes for code in _report(note)),
            *(("diagnoses_icd", code) for code in _diagnoses(bundle.diagnoses)),
            *(("procedures_icd", code) for row in bundle.procedures for code in _event(row)),
            *(("microbiologyevents", code) for row in bundle.microbiology for code in _event(row)),
            *_outside_stay(bundle),
        ]
    )


def oddity_counts(tally: Counter[Oddity]) -> tuple[OddityCount, ...]:
    """The counts by table and code, those of nothing left out."""
    return tuple(
        OddityCount(table=table, oddity=code, count=count)
        for (table, code), count in sorted(tally.items())
        if count
    )


def _stay(bundle: AdmissionBundle, patient: PatientContext) -> Iterator[str]:
    rules = bundle.timing_rules
    if rules.admission_end_source != "dischtime":
        yield "end_from_note"
    if bundle.admission_start.date() == bundle.admission_end.date():
        yield "same_day_stay"
    if rules.conversation_end < bundle.admission_end:
        yield "cut_at_death"
    if bundle.admission_end.year > _LAST_UNSHIFTED_YEAR:
        yield "year_past_2200"
    if told_death(bundle) and not patient.died_in_hospital:
        yield "death_only_in_note"
    if len(bundle.discharge_notes) > 1:
        yield "several_discharge_notes"


def _summary(note: DischargeNote) -> Iterator[str]:
    yield from _note_times(note)
    yield from _note_text(note.text)
    text = even_lines(note.text)
    sections = split_discharge(text)
    if _ADDENDUM_IDS in note.note_id or named(sections, "addendum"):
        yield "addendum"
    if _without_headings(sections):
        yield "no_headings"
        return
    for name in _ONCE_A_NOTE:
        filled = [part for part in named(sections, name) if text[part.start : part.end].strip()]
        if not filled:
            yield f"no_{name}"
        if len(filled) > 1:
            yield f"repeated_{name}"


def _report(note: RadiologyNote) -> Iterator[str]:
    yield from _note_times(note)
    yield from _note_text(note.text)
    if _without_headings(split_radiology(even_lines(note.text))):
        yield "no_headings"


def _note_times(note: DischargeNote | RadiologyNote) -> Iterator[str]:
    if note.charttime is None:
        yield "no_charttime"
    elif note.charttime.time() == time():
        yield "midnight_charttime"
    if note.storetime is None:
        yield "no_storetime"
    elif note.charttime is not None and note.storetime < note.charttime:
        yield "stored_before_charted"


def _note_text(text: str) -> Iterator[str]:
    # CRLF is a line end as good as any; a note is mostly ASCII, so few characters are looked up.
    unusual = {char for char in text.replace("\r\n", "\n") if not " " <= char <= "~"}
    if any(unicodedata.category(char) in _HIDDEN for char in unusual - _PLAIN_CONTROLS):
        yield "hidden_characters"


def _without_headings(sections: Sequence[Section]) -> bool:
    return [section.name for section in sections] == ["whole"]


def _diagnoses(diagnoses: Sequence[Diagnosis]) -> Iterator[str]:
    yield from ("untitled_code" for row in diagnoses if not row.long_title)
    codes = Counter((row.icd_code, row.icd_version) for row in diagnoses)
    # More often than once at different priorities; equal rows were merged before.
    yield from ("code_listed_again" for _ in range(sum(codes.values()) - len(codes)))


def _event(row: Procedure | MicrobiologyEvent) -> Iterator[str]:
    if row.time_provenance == "date_only_normalized":
        yield "date_only_normalized"
    if isinstance(row, Procedure) and not row.long_title:
        yield "untitled_code"


def _outside_stay(bundle: AdmissionBundle) -> Iterator[Oddity]:
    """Events by their day where only that is known, by their time where it is recorded."""
    start, end = bundle.admission_start, bundle.admission_end
    dated = [
        *(("discharge", note.charttime, True) for note in bundle.discharge_notes),
        *(("radiology", note.charttime, False) for note in bundle.radiology_notes),
        *(("procedures_icd", row.normalized_time, True) for row in bundle.procedures),
        *(
            ("microbiologyevents", row.normalized_time, row.charttime is None)
            for row in bundle.microbiology
        ),
    ]
    for table, moment, day_only in dated:
        if moment is not None and not _within(moment, start, end, day_only=day_only):
            yield table, "outside_stay"


def _within(moment: datetime, start: datetime, end: datetime, *, day_only: bool) -> bool:
    if day_only:
        return start.date() <= moment.date() <= end.date()
    return start <= moment <= end
