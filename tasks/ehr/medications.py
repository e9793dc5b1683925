"""Medication lists at admission and discharge, and what changed between them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from tasks.contracts.records import FactKind, SourceSpan
from tasks.ehr.passages import Passage, items
from tasks.ehr.sections import Section, named
from tasks.ehr.statements import Statement, speakable
from tasks.ehr.vocabulary import prescriptions

_DRUG_WORDS = 5
_AMOUNT = (
    r"\d[\d,]*(?:\.\d+)?(?:\s?[-/]\s?\d+(?:\.\d+)?)?\s?"
    r"(?:mg/mL|mcg/hr|mg|mcg|micrograms?|milligrams?|grams?|gm|g|mEq|mmol|mL|ml|units?|UNIT|"
    r"puffs?|PUFF|tabs?|TAB|tablets?|caps?|CAP|capsules?|drops?|DROP|sprays?|SPRY|patch(?:es)?|PTCH|"
    r"NEB|APPL|LOZ|SUPP|%)(?![A-Za-z])"
)
_NAME = r"(?P<drug>[A-Za-z%][A-Za-z0-9 \-/',.+&%]*?(?:\s?[\(\[][^()\[\]]*[\)\]][A-Za-z ]*)*)"
_DOSED = re.compile(rf"^{_NAME}[\s,:]+(?P<dose>{_AMOUNT})(?P<rest>.*)$", re.IGNORECASE)
_PRESCRIPTION_TAIL = re.compile(r"\s(?:RX\s?\*|Disp(?:ense)?\b|Refills?:|#\*).*$")
_BRACKETS = re.compile(r"\s*[\(\[][^()\[\]]*[\)\]]")
_NOT_DRUGS = re.compile(
    r"^(?:the pre-?admission|none|no |not |patient|please|rx\b|unknown|allerg|insulin sc|"
    r"sliding|fingerstick|all |see |prior to|you |continue|stop|same|n/a|medications?\b)",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


@dataclass(frozen=True)
class Prescription:
    """One entry of a medication list; ``written`` is empty where no dose or frequency is given."""

    drug: str
    dose: str
    route: str
    frequency: str
    start: int
    end: int

    @property
    def written(self) -> str:
        """Dose, route and frequency in the words that are spoken."""
        if not (self.dose or self.frequency):
            return ""
        return " ".join(part for part in (self.dose, self.route, self.frequency) if part)


@dataclass(frozen=True)
class MedicationLists:
    """The two lists of one note."""

    admission: tuple[Prescription, ...]
    discharge: tuple[Prescription, ...]


def medication_statements(
    note_id: str, note: str, sections: tuple[Section, ...]
) -> tuple[Statement, ...]:
    """Home and discharge medications of a discharge note, and the changes between them."""
    admission = named(sections, "admission medications")
    discharge = named(sections, "discharge medications")
    lists = MedicationLists(_list(note, admission), _list(note, discharge))
    return (
        *_listed(FactKind.HOME_MEDICATION, lists.admission, note_id, "Medications on Admission"),
        *_listed(FactKind.DISCHARGE_MEDICATION, lists.discharge, note_id, "Discharge Medications"),
        *_changes(lists, note_id),
    )


def parse_entry(entry: Passage) -> Prescription | None:
    """One line of a medication list; null where it names no drug.

    What follows a removed number is not read: the drug stays on the list without a dose.
    """
    text = _PRESCRIPTION_TAIL.sub("", entry.text).strip()
    if not text or _NOT_DRUGS.match(text) or text.endswith(":"):
        return None
    dosed = _DOSED.match(text)
    name, dose, rest = (dosed["drug"], dosed["dose"], dosed["rest"]) if dosed else _undosed(text)
    drug = speakable(_BRACKETS.sub("", name), _DRUG_WORDS).lower()
    if not drug or not drug[0].isalpha():
        return None
    rest = rest.split("__")[0]
    return Prescription(
        drug,
        _amount(" ".join(dose.split())),
        _route(rest),
        _frequency(rest),
        entry.start,
        entry.end,
    )


def _undosed(text: str) -> tuple[str, str, str]:
    """Name, no dose and the rest of an entry that gives at most a route or a frequency."""
    spellings = (*prescriptions().routes, *prescriptions().frequencies)
    written = _written_as(spellings).search(text)
    end = min(written.start() if written else len(text), len(re.split(r"[,;:.(]|__", text)[0]))
    return text[:end], "", text[end:]


def _list(note: str, sections: Iterable[Section]) -> tuple[Prescription, ...]:
    parsed = (parse_entry(entry) for section in sections for entry in items(note, section))
    return tuple(prescription for prescription in parsed if prescription)


def _amount(dose: str) -> str:
    spoken = {"PUFF": "puff", "TAB": "tablet", "CAP": "capsule", "UNIT": "unit", "DROP": "drop"}
    number, _, unit = dose.partition(" ")
    return f"{number} {spoken.get(unit, unit)}" if unit else dose


def _route(rest: str) -> str:
    match = _written_as(tuple(prescriptions().routes)).search(rest)
    return _lookup(prescriptions().routes, match[0]) if match else ""


def _frequency(rest: str) -> str:
    match = _written_as(tuple(prescriptions().frequencies)).search(rest)
    frequency = _lookup(prescriptions().frequencies, match[0]) if match else ""
    if re.search(r"\bPRN\b|\bas needed\b", rest, re.IGNORECASE):
        return f"{frequency} as needed".strip()
    return frequency


@cache
def _written_as(spellings: tuple[str, ...]) -> re.Pattern[str]:
    ordered = sorted(spellings, key=lambda spelling: (-len(spelling), spelling))
    words = "|".join(map(re.escape, ordered))
    return re.compile(rf"(?<![\w/])(?:{words})(?![\w/])", re.IGNORECASE)


def _lookup(words: dict[str, str], spelling: str) -> str:
    return words.get(spelling) or words.get(spelling.upper()) or words[spelling.lower()]


def _listed(
    kind: FactKind, prescriptions_: tuple[Prescription, ...], note_id: str, section: str
) -> Iterable[Statement]:
    for prescription in prescriptions_:
        value = speakable(prescription.written)
        if value:
            parts = {
                "dose": prescription.dose,
                "route": prescription.route,
                "frequency": prescription.frequency,
            }
            yield Statement(
                kind=kind,
                label=prescription.drug,
                value=value,
                source=_span(prescription, note_id, section),
                detail={name: part for name, part in parts.items() if part},
            )


def _span(prescription: Prescription, note_id: str, section: str) -> SourceSpan:
    return SourceSpan(
        table="discharge",
        item=note_id,
        section=section,
        start=prescription.start,
        end=prescription.end,
    )


def _changes(lists: MedicationLists, note_id: str) -> Iterable[Statement]:
    """Drugs on one list alone, or on both with another dose or frequency.

    A drug listed twice, or whose first word stands on the other list in another form, is left out:
    the lists don't say whether it changed.
    """
    if not lists.admission or not lists.discharge:
        return
    before, after = _single(lists.admission), _single(lists.discharge)
    for drug, prescription in after.items():
        if drug in before:
            change = _difference(before[drug], prescription)
        else:
            change = None if _listed_alike(drug, lists.admission) else ("new", "new medication")
        if change:
            yield _change(drug, change, before.get(drug), prescription, note_id)
    for drug, prescription in before.items():
        if drug not in after and not _listed_alike(drug, lists.discharge):
            yield _change(drug, ("stopped", "stopped"), prescription, prescription, note_id)


def _single(prescriptions_: tuple[Prescription, ...]) -> dict[str, Prescription]:
    drugs = [prescription.drug for prescription in prescriptions_]
    return {
        prescription.drug: prescription
        for prescription in prescriptions_
        if drugs.count(prescription.drug) == 1
    }


def _listed_alike(drug: str, prescriptions_: tuple[Prescription, ...]) -> bool:
    first = drug.split()[0]
    return any(prescription.drug.split()[0] == first for prescription in prescriptions_)


def _difference(before: Prescription, after: Prescription) -> tuple[str, str] | None:
    if before.dose and after.dose and before.dose != after.dose:
        return _direction(before.dose, after.dose), f"from {before.dose} to {after.dose}"
    if before.dose == after.dose and before.frequency and after.frequency:
        if before.frequency == after.frequency:
            return None
        return "changed", f"from {before.frequency} to {after.frequency}"
    return None


def _direction(before: str, after: str) -> str:
    """``increased`` or ``decreased`` where both doses are one number of the same unit."""
    old, new = _NUMBER.findall(before), _NUMBER.findall(after)
    same_unit = _NUMBER.sub("", before) == _NUMBER.sub("", after)
    if len(old) != 1 or len(new) != 1 or not same_unit or float(old[0]) == float(new[0]):
        return "changed"
    return "increased" if float(new[0]) > float(old[0]) else "decreased"


def _change(
    drug: str,
    change: tuple[str, str],
    before: Prescription | None,
    stated: Prescription,
    note_id: str,
) -> Statement:
    name, words = change
    value = words if name in ("new", "stopped") else f"{name} {words}"
    detail = {"change": name}
    if words.startswith("from ") and before:
        old, new = words.removeprefix("from ").split(" to ", 1)
        detail |= {"from": old, "to": new}
    section = "Medications on Admission" if name == "stopped" else "Discharge Medications"
    return Statement(
        kind=FactKind.MEDICATION_CHANGE,
        label=drug,
        value=value,
        source=_span(stated, note_id, section),
        detail=detail,
    )
