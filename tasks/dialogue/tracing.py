"""From the facts that a turn states to the places in the bundle they were taken from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from tasks.contracts.dialogue import SourcedLine
from tasks.contracts.evidence import PREVIOUS, AdmissionEvidence, EvidenceItem, TurnEvidence
from tasks.contracts.records import AdmissionBundle, Fact

_ROWS = {
    "diagnoses_icd": "diagnoses",
    "procedures_icd": "procedures",
    "microbiologyevents": "microbiology",
}
_STAY = {
    "admission date": ("/admission_start",),
    "discharge date": ("/admission_end",),
}
_WHOLE_STAY = ("/admission_start", "/admission_end")


def trace_turns(
    lines: Sequence[SourcedLine], facts: Iterable[Fact], bundle: AdmissionBundle
) -> AdmissionEvidence:
    """The items of the bundle behind each turn.

    Raises KeyError for a source that is no fact of the record, which the rules refuse before.
    """
    known = {fact.fact_id: fact for fact in facts}
    notes = _note_pointers(bundle)
    traced = ((line.turn_number, tuple(_items(line, known, notes))) for line in lines)
    return AdmissionEvidence(
        subject_id=bundle.subject_id,
        hadm_id=bundle.hadm_id,
        turns=tuple(
            TurnEvidence(turn_number=number, items=items) for number, items in traced if items
        ),
    )


def _items(
    line: SourcedLine, known: Mapping[str, Fact], notes: Mapping[str, str]
) -> Iterable[EvidenceItem]:
    for source in line.sources:
        yield _item(source, known, notes, whole=True)
    for touched in line.touches:
        yield _item(touched, known, notes, whole=False)


def _item(
    fact_id: str, known: Mapping[str, Fact], notes: Mapping[str, str], *, whole: bool
) -> EvidenceItem:
    if fact_id.startswith(PREVIOUS):
        problem = fact_id.removeprefix(PREVIOUS)
        return EvidenceItem(
            fact_id=fact_id,
            whole=whole,
            table="summary",
            pointers=(f"/previous_admission_summary/problems/{problem}",),
        )
    fact = known[fact_id]
    source = fact.source
    return EvidenceItem(
        fact_id=fact_id,
        whole=whole,
        table=source.table,
        pointers=_pointers(fact, notes),
        section=source.section,
        start=source.start,
        end=source.end,
    )


def _pointers(fact: Fact, notes: Mapping[str, str]) -> tuple[str, ...]:
    source = fact.source
    if source.table in _ROWS:
        return (f"/{_ROWS[source.table]}/{source.item}",)
    if source.item in notes:
        return (notes[source.item],)
    return _STAY.get(fact.label, _WHOLE_STAY)


def _note_pointers(bundle: AdmissionBundle) -> dict[str, str]:
    named = {
        "discharge_notes": bundle.discharge_notes,
        "radiology_notes": bundle.radiology_notes,
    }
    return {
        note.note_id: f"/{field}/{position}/text"
        for field, notes in named.items()
        for position, note in enumerate(notes)
    }
