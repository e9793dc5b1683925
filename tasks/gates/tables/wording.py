"""What a published text must not say: removed identifiers, ids, and names of tables and files."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tasks.contracts.records import AdmissionBundle

REMOVED_MARK = "___"

_TOKEN = re.compile(r"[\w-]+")
_NOTE_ID = re.compile(r"\b\d+-(?:DS|RR|AR)-\d+\b", re.IGNORECASE)
_SOURCE_NAME = re.compile(
    r"\b(?:diagnoses_icd|procedures_icd|d_icd_\w+|microbiologyevents|[a-z]+_notes?|hadm_id"
    r"|subject_id|note_id|turn_id|icd_code|mimic[- ]?iv|formed_packet|\w+\.(?:csv|json)(?:\.gz)?"
    r"|discharge notes?|radiology notes?|microbiology table|evidence turns?)\b",
    re.IGNORECASE,
)


def has_removed_mark(text: str) -> bool:
    """The text holds ``___``, MIMIC's mark of a removed identifier."""
    return REMOVED_MARK in text


def names_source(text: str) -> bool:
    """The text names a table, a file, a column or a kind of note."""
    return _SOURCE_NAME.search(text) is not None


class Identifiers:
    """The ids of a patient; finds them in texts as whole words."""

    def __init__(self, bundles: Iterable[AdmissionBundle]) -> None:
        known: set[str] = set()
        for bundle in bundles:
            known.update((bundle.subject_id, bundle.hadm_id))
            known.update(note.note_id for note in bundle.discharge_notes)
            known.update(note.note_id for note in bundle.radiology_notes)
        self._known = frozenset(known)

    def within(self, text: str) -> bool:
        """The text holds one of the ids, or anything shaped like a note id."""
        return _NOTE_ID.search(text) is not None or not self._known.isdisjoint(_TOKEN.findall(text))
