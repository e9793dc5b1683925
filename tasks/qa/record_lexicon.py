"""Charts before there are dialogues, as if each stay's dialogue told all of its facts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tasks.contracts.clock import format_date
from tasks.contracts.dialogue import SourcedLine
from tasks.contracts.questions import ChartAdmission, PatientChart
from tasks.contracts.records import AdmissionRecord, Fact, FactKind
from tasks.qa.stays import DATED_KINDS

_NOT_SAID = frozenset({"date", "days", "point", "result"})
"""Parts of facts that no answer is taken from."""


def told_in_full(subject_id: str, records: Sequence[AdmissionRecord]) -> PatientChart:
    """A patient's chart with one line a fact in place of the dialogues, records in time order.

    A language model's questions can start before the last dialogue is written; what its dialogues
    leave out makes a target no rarer, as they leave out alike of all patients.
    """
    return PatientChart(
        subject_id=subject_id,
        admissions=tuple(
            ChartAdmission(bundle=record.bundle, facts=record.facts, lines=tuple(_lines(record)))
            for record in records
        ),
    )


def _lines(record: AdmissionRecord) -> Iterator[SourcedLine]:
    """The stay's first day, then each fact; said when it began, for order doesn't matter here."""
    began = record.bundle.admission_start
    yield SourcedLine(turn_number=1, time=began, speaker="Doctor", text=format_date(began))
    for number, fact in enumerate(record.facts, start=2):
        yield SourcedLine(
            turn_number=number,
            time=began,
            speaker="Doctor",
            text=_told(fact),
            sources=(fact.fact_id,),
        )


def _told(fact: Fact) -> str:
    """A fact with all of its parts, so that whatever forms ask for stands in the line."""
    day = f"{fact.detail['date']}: " if fact.kind in DATED_KINDS and "date" in fact.detail else ""
    parts = "; ".join(text for name, text in fact.detail.items() if name not in _NOT_SAID and text)
    label = fact.detail.get("test", "") if fact.kind is FactKind.LAB else ""
    return f"{day}{fact.label} {label}: {fact.value}; {parts}".strip(" ;")
