"""Note rows of a patient: discharge summaries and radiology reports with ids and times."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, time, timedelta

from tasks.adapters.mimic_hosp import HospStay
from tasks.contracts.clock import format_time
from tasks.sample.course import tell_patient
from tasks.sample.discharge_note import discharge_note
from tasks.sample.lookup import Catalogue
from tasks.sample.radiology_note import radiology_note
from tasks.sample.rows import NoteRow, PatientNotes
from tasks.sample.story import Story
from tasks.sample.streams import Stream, patient_stream
from tasks.sample.timing import last_day


def write_notes(stays: Sequence[HospStay], catalogue: Catalogue, seed: int) -> PatientNotes:
    """The notes of one patient's stays, given in time order."""
    discharge: list[NoteRow] = []
    radiology: list[NoteRow] = []
    seen: set[str] = set()
    for story in tell_patient(stays, catalogue, seed):
        stream = patient_stream(seed, story.stay.subject_id).below(story.stay.hadm_id)
        discharge.append(_discharge_row(story, len(discharge) + 1, catalogue, stream))
        for study in story.studies:
            if study.entry.radiology:
                text = radiology_note(study, study.entry.examination in seen)
                seen.add(study.entry.examination)
                radiology.append(
                    _radiology_row(story, len(radiology) + 1, study.time, text, stream)
                )
    return PatientNotes(tuple(discharge), tuple(radiology))


def _discharge_row(story: Story, number: int, catalogue: Catalogue, stream: Stream) -> NoteRow:
    """The summary, charted as MIMIC does: on the day of discharge at midnight."""
    charted = datetime.combine(last_day(story.stay), time())
    stored = charted + timedelta(minutes=stream.draw("stored").randint(13 * 60, 60 * 60))
    return NoteRow(
        note_id=f"{story.stay.subject_id}-DS-{number}",
        subject_id=int(story.stay.subject_id),
        hadm_id=story.stay.hadm_id,
        note_type="DS",
        note_seq=number,
        charttime=format_time(charted),
        storetime=format_time(stored),
        text=discharge_note(story, catalogue, stream),
    )


def _radiology_row(story: Story, number: int, when: datetime, text: str, stream: Stream) -> NoteRow:
    stored = when + timedelta(minutes=stream.draw("read", str(number)).randint(40, 900))
    return NoteRow(
        note_id=f"{story.stay.subject_id}-RR-{number}",
        subject_id=int(story.stay.subject_id),
        hadm_id=story.stay.hadm_id,
        note_type="RR",
        note_seq=number,
        charttime=format_time(when),
        storetime=format_time(stored),
        text=text,
    )
