"""What a turn says of the stay itself, its dates and its length, held against the bundle."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta

from tasks.contracts.clock import format_date, parse_date
from tasks.contracts.records import AdmissionBundle

_DATE = re.compile(r"\b\d{4}-\d{2}-\d{2}\b")
_NEAR = r"[^.?!;,\d]{0,40}?"
_ADMISSION = re.compile(
    rf"\badmission date\b{_NEAR}(\d{{4}}-\d\d-\d\d)"
    r"|(\d{4}-\d\d-\d\d) as (?:your|the) admission date",
    re.IGNORECASE,
)
_DISCHARGE = re.compile(
    rf"\bdischarge date\b{_NEAR}(\d{{4}}-\d\d-\d\d)"
    r"|(\d{4}-\d\d-\d\d) as (?:your|the) discharge date",
    re.IGNORECASE,
)
_LENGTH = re.compile(
    rf"\blength of stay\b{_NEAR}(\d+|less than one) days?\b"
    r"|\b(\d+|less than one) days? as (?:your|the) length of stay",
    re.IGNORECASE,
)


class KnownDays:
    """Days that a stay's turns may speak of: this and earlier stays', and the bundle's rows'."""

    def __init__(self, bundle: AdmissionBundle, earlier: Sequence[AdmissionBundle]) -> None:
        self._spans = [
            (one.admission_start.date(), one.admission_end.date()) for one in (*earlier, bundle)
        ]
        notes = (*bundle.discharge_notes, *bundle.radiology_notes)
        rows = (*bundle.procedures, *bundle.microbiology)
        self._days = {row.normalized_time.date() for row in rows}
        self._days.update(note.charttime.date() for note in notes if note.charttime)
        self._written = {found for note in notes for found in _DATE.findall(note.text)}

    def unknown_in(self, text: str) -> int:
        """Dates of the text that nothing accounts for."""
        return sum(not self._known(found) for found in _DATE.findall(text))

    def _known(self, found: str) -> bool:
        if found in self._written:
            return True
        try:
            day = parse_date(found)
        except ValueError:
            return False
        return day in self._days or any(first <= day <= last for first, last in self._spans)


def misstates_stay(text: str, bundle: AdmissionBundle) -> bool:
    """The text gives another admission date, discharge date or length of stay than the record."""
    first, last = bundle.admission_start.date(), bundle.admission_end.date()
    return (
        _differs(_ADMISSION, text, format_date(first))
        or _differs(_DISCHARGE, text, format_date(last))
        or _differs(_LENGTH, text, _length(first, last))
    )


def _differs(form: re.Pattern[str], text: str, expected: str) -> bool:
    found = (match[1] or match[2] for match in form.finditer(text))
    return any(one.lower() != expected for one in found)


def _length(first: date, last: date) -> str:
    """Nights, as turns word them."""
    nights = (last - first) // timedelta(days=1)
    return str(nights) if nights else "less than one"
