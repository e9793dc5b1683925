"""Shortens what a model is shown of a stay that is longer than it reads; the record stays whole."""

from __future__ import annotations

from collections.abc import Iterator

from tasks.contracts.dialogue import ShortenedSource
from tasks.contracts.records import AdmissionRecord, Fact

Shortened = tuple[AdmissionRecord, ShortenedSource | None]
"""What is shown of a record, and what was left out of it; null where it is whole."""


def shortened(record: AdmissionRecord) -> Iterator[Shortened]:
    """The record, then ever shorter ones, until no radiology and no microbiology is left.

    Each level leaves out the later half of the radiology notes that remain, then, without any,
    the later half of the microbiology rows; the first ones, which led to what was done, stay
    longest. Discharge notes, diagnoses and procedures are never left out. Facts taken from what is
    left out go with it.
    """
    bundle = record.bundle
    yield record, None
    notes, rows = len(bundle.radiology_notes), len(bundle.microbiology)
    while notes or rows:
        notes, rows = (notes // 2, rows) if notes else (0, rows // 2)
        yield (
            _kept(record, notes, rows),
            ShortenedSource(
                radiology_notes=len(bundle.radiology_notes) - notes,
                microbiology=len(bundle.microbiology) - rows,
            ),
        )


def _kept(record: AdmissionRecord, notes: int, rows: int) -> AdmissionRecord:
    """The record with its first radiology notes and its first microbiology rows only."""
    bundle = record.bundle.model_copy(
        update={
            "radiology_notes": record.bundle.radiology_notes[:notes],
            "microbiology": record.bundle.microbiology[:rows],
        }
    )
    known = {note.note_id for note in bundle.radiology_notes}

    def is_kept(fact: Fact) -> bool:
        source = fact.source
        if source.table == "radiology":
            return source.item in known
        return source.table != "microbiologyevents" or int(source.item) < rows

    return record.model_copy(
        update={"bundle": bundle, "facts": tuple(filter(is_kept, record.facts))}
    )
