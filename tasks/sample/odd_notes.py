"""Oddities of notes: times, numbers, links, layout and quoting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from random import Random

from tasks.contracts.clock import format_time, parse_time
from tasks.sample.ids import LOST_SLOT, hadm_id_of
from tasks.sample.rows import NoteRow, SamplePatient

_PARAGRAPH = (
    "pt seen and treated, see flow sheet. felt better after fluids 1 L, ambulating, "
    "taking po.\nd/c home, f/u with pcp in 1 week.\n"
)
# A quotation mark right before a comma, and a line with as many commas as a record has.
_QUOTED = '\nTold the nurse "it rattles", then "no better", twice.\na,b,c,d,e,f,g,h\n'


def odd_store_times(patient: SamplePatient, rng: Random) -> SamplePatient:
    """Summaries stored before they were charted, or never."""
    summaries: list[NoteRow] = []
    for note in patient.notes.discharge:
        early = format_time(parse_time(note.charttime) - timedelta(minutes=rng.randint(30, 600)))
        summaries.append(replace(note, storetime=rng.choice((early, ""))))
    return _with_summaries(patient, summaries)


def sequence_gaps(patient: SamplePatient, rng: Random) -> SamplePatient:
    """Numbers of summaries with gaps, two digits after one."""
    summaries: list[NoteRow] = []
    number = rng.randint(2, 8)
    for note in patient.notes.discharge:
        note_id = f"{note.subject_id}-{note.note_type}-{number}"
        summaries.append(replace(note, note_id=note_id, note_seq=number))
        number += rng.randint(1, 4)
    return _with_summaries(patient, summaries)


def without_headings(patient: SamplePatient, rng: Random) -> SamplePatient:
    """A summary typed as one paragraph."""
    summaries = list(patient.notes.discharge)
    place = rng.randrange(len(summaries))
    summaries[place] = replace(summaries[place], text=_PARAGRAPH)
    return _with_summaries(patient, summaries)


def second_summary(patient: SamplePatient, rng: Random) -> SamplePatient:
    """A second summary and an addendum for one stay."""
    del rng
    last = patient.notes.discharge[-1]
    number = last.note_seq
    second = replace(
        last,
        note_id=f"{last.subject_id}-DS-{number + 1}",
        note_seq=number + 1,
        text=f"{last.text}\nAddendum:\nThe summary was reviewed and signed again.\n",
    )
    addendum = replace(
        last,
        note_id=f"{last.subject_id}-AD-{number + 2}",
        note_type="AD",
        note_seq=number + 2,
        text="Addendum:\nFollow-up with the clinic was confirmed by telephone.\n",
    )
    return _with_summaries(patient, (*patient.notes.discharge, second, addendum))


def repeated_summary(patient: SamplePatient, rng: Random) -> SamplePatient:
    """A note that stands twice, word for word."""
    del rng
    summaries = patient.notes.discharge
    return _with_summaries(patient, (*summaries, summaries[-1]))


def hard_quoting(patient: SamplePatient, rng: Random) -> SamplePatient:
    """Quotation marks and commas where a careless reader breaks."""
    summaries = list(patient.notes.discharge)
    place = rng.randrange(len(summaries))
    summaries[place] = replace(summaries[place], text=summaries[place].text + _QUOTED)
    return _with_summaries(patient, summaries)


def orphan_notes(patient: SamplePatient, rng: Random) -> SamplePatient:
    """Notes without a stay, and of a stay that admissions lacks."""
    del rng
    last = patient.notes.discharge[-1]
    number = last.note_seq + 10
    loose = replace(last, note_id=f"{last.subject_id}-DS-{number}", hadm_id="", note_seq=number)
    lost = replace(
        last,
        note_id=f"{last.subject_id}-DS-{number + 1}",
        hadm_id=str(hadm_id_of(patient.index, LOST_SLOT)),
        note_seq=number + 1,
    )
    return _with_summaries(patient, (*patient.notes.discharge, loose, lost))


def stay_without_summary(patient: SamplePatient, rng: Random) -> SamplePatient:
    """A stay whose summary was never released."""
    del rng
    summaries = patient.notes.discharge
    if len(summaries) < 4:
        return patient
    return _with_summaries(patient, (summaries[0], *summaries[2:]))


def _with_summaries(patient: SamplePatient, summaries: Sequence[NoteRow]) -> SamplePatient:
    return replace(patient, notes=replace(patient.notes, discharge=tuple(summaries)))
