"""Puts the real data's oddities into invented patients, each some of them by its index."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from tasks.sample import odd_notes, odd_records
from tasks.sample.rows import SamplePatient
from tasks.sample.streams import patient_stream

_EVERY = 5

# Notes are odd last: what a record's oddity does to a note may itself be numbered or repeated.
QUIRKS: tuple[Callable[[SamplePatient, Random], SamplePatient], ...] = (
    odd_records.discharged_before_admission,
    odd_records.unlinked_events,
    odd_records.padded_codes,
    odd_records.stay_after_death,
    odd_records.unknown_code,
    odd_records.date_only_cultures,
    odd_records.zero_length,
    odd_records.unknown_language,
    odd_records.repeated_diagnoses,
    odd_notes.odd_store_times,
    odd_notes.hard_quoting,
    odd_notes.without_headings,
    odd_notes.stay_without_summary,
    odd_notes.sequence_gaps,
    odd_notes.second_summary,
    odd_notes.orphan_notes,
    odd_notes.repeated_summary,
)


def with_quirks(patient: SamplePatient, seed: int) -> SamplePatient:
    """The patient with every fifth oddity, beginning at another one for each index."""
    stream = patient_stream(seed, str(patient.hosp.patient.subject_id))
    for number, quirk in enumerate(QUIRKS):
        if (patient.index + number) % _EVERY == 0:
            patient = quirk(patient, stream.draw("quirk", quirk.__name__))
    return patient
