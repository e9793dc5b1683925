"""Medication lists at admission and discharge, and what changed between them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from tasks.contracts.records import FactKind, SourceSpan
from tasks.ehr.medication_entries import Prescription, parse_entry
from tasks.ehr.passages import items
from tasks.ehr.sections import Section, named
from tasks.ehr.statements import Statement, speakable
from tasks.terminology.vocabulary import things_named

_NUMBER = re.compile(r"\d+(?:\.\d+)?")


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
        *_held(lists, note_id),
        *_changes(lists, note_id),
    )


def _list(note: str, sections: Iterable[Section]) -> tuple[Prescription, ...]:
    parsed = (parse_entry(entry) for section in sections for entry in items(note, section))
    return tuple(prescription for prescription in parsed if prescription)


def _listed(
    kind: FactKind, prescriptions_: tuple[Prescription, ...], note_id: str, section: str
) -> Iterable[Statement]:
    for prescription in prescriptions_:
        value = speakable(prescription.written)
        if value and not prescription.held:
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


def _held(lists: MedicationLists, note_id: str) -> Iterable[Statement]:
    """Drugs that the discharge list puts on hold, whether or not they were taken before.

    A drug that the same list also tells to take is left out.
    """
    taken = {prescription.drug for prescription in lists.discharge if not prescription.held}
    for prescription in lists.discharge:
        if prescription.held and prescription.drug not in taken:
            yield _change(prescription.drug, ("held", "held"), None, prescription, note_id)


def _changes(lists: MedicationLists, note_id: str) -> Iterable[Statement]:
    """Drugs on one list alone, or on both with another dose or frequency.

    A drug listed twice, or that stands on the other list in another form or by another name, is
    left out: the lists don't say whether it changed. So is a drug that either list puts on hold.
    """
    if not lists.admission or not lists.discharge:
        return
    before, after = _single(lists.admission), _single(lists.discharge)
    for drug, prescription in after.items():
        if prescription.held or (drug in before and before[drug].held):
            change = None
        elif drug in before:
            change = _difference(before[drug], prescription)
        else:
            change = None if _listed_alike(drug, lists.admission) else ("new", "new medication")
        if change:
            yield _change(drug, change, before.get(drug), prescription, note_id)
    for drug, prescription in before.items():
        if drug not in after and not prescription.held and not _listed_alike(drug, lists.discharge):
            yield _change(drug, ("stopped", "stopped"), prescription, prescription, note_id)


def _single(prescriptions_: tuple[Prescription, ...]) -> dict[str, Prescription]:
    drugs = [prescription.drug for prescription in prescriptions_]
    return {
        prescription.drug: prescription
        for prescription in prescriptions_
        if drugs.count(prescription.drug) == 1
    }


def _listed_alike(drug: str, prescriptions_: tuple[Prescription, ...]) -> bool:
    """Whether a list may hold the drug by another name: a form, a brand, the generic name."""
    first, things = drug.split()[0], things_named("drugs", drug, short=True)
    return any(
        prescription.drug.split()[0] == first
        or things & things_named("drugs", prescription.drug, short=True)
        for prescription in prescriptions_
    )


def _difference(before: Prescription, after: Prescription) -> tuple[str, str] | None:
    if before.dose and after.dose and not _same_dose(before.dose, after.dose):
        return _direction(before.dose, after.dose), f"from {before.dose} to {after.dose}"
    if _same_dose(before.dose, after.dose) and before.frequency and after.frequency:
        if before.frequency == after.frequency:
            return None
        return "changed", f"from {before.frequency} to {after.frequency}"
    return None


def _same_dose(one: str, other: str) -> bool:
    """Whether two doses are the same amount: ``25.0 mg`` and ``25 mg``, ``1 tablets`` too."""
    return _comparable(one) == _comparable(other)


def _comparable(dose: str) -> tuple[tuple[float, ...], str]:
    numbers = tuple(float(number) for number in _NUMBER.findall(dose))
    return numbers, _NUMBER.sub("", dose).strip().rstrip("s").casefold()


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
    value = words if name in ("new", "stopped", "held") else f"{name} {words}"
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
