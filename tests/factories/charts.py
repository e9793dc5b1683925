"""Small patient charts: facts, and dialogues whose turns state them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from tasks.contracts.clock import format_date, parse_time
from tasks.contracts.dialogue import SourcedLine
from tasks.contracts.questions import ChartAdmission, PatientChart
from tasks.contracts.records import (
    AdmissionBundle,
    DischargeNote,
    Fact,
    FactKind,
    SourceSpan,
    TimingRules,
)

DATED = frozenset({"procedure", "culture", "imaging", "susceptibility"})


def make_fact(kind: str, number: int, label: str, value: str, **detail: str) -> Fact:
    return Fact(
        fact_id=f"{kind}:{number}",
        kind=FactKind(kind),
        label=label,
        value=value,
        time=parse_time(f"{detail['date']} 12:00:00") if "date" in detail else None,
        detail=detail,
        source=SourceSpan(table="discharge", item="note"),
    )


def make_bundle(
    hadm_id: str, start: str, end: str, *, subject_id: str = "90000001", note: str = ""
) -> AdmissionBundle:
    notes = (
        (
            DischargeNote(
                note_id=f"{subject_id}-DS-1", note_seq=1, charttime=None, storetime=None, text=note
            ),
        )
        if note
        else ()
    )
    return AdmissionBundle(
        subject_id=subject_id,
        hadm_id=hadm_id,
        admission_start=parse_time(start),
        admission_end=parse_time(end),
        previous_admission_summary=None,
        discharge_notes=notes,
        radiology_notes=(),
        diagnoses=(),
        procedures=(),
        microbiology=(),
        timing_rules=TimingRules(
            admission_end_source="dischtime",
            conversation_end=parse_time(end),
            diagnosis_window_minutes=60,
        ),
    )


def stay_facts(start: datetime, end: datetime) -> tuple[Fact, ...]:
    days = (end.date() - start.date()).days
    length = {0: "less than one day", 1: "1 day"}.get(days, f"{days} days")
    return (
        make_fact("stay", 1, "admission date", format_date(start), date=format_date(start)),
        make_fact("stay", 2, "discharge date", format_date(end), date=format_date(end)),
        make_fact("stay", 3, "length of stay", length, days=str(days)),
    )


def state(fact: Fact) -> str:
    """A turn's text that states a fact in full."""
    if fact.kind.value in DATED:
        return f"About the {fact.label} of {fact.detail['date']}: {fact.value}."
    if fact.kind is FactKind.TREATMENT:
        extra = f" to {fact.detail['dose']}" if "dose" in fact.detail else ""
        return f"The {fact.label} was {fact.detail['action']}{extra} because of {fact.value}."
    return f"Regarding {fact.label}, it is {fact.value}."


def make_admission(
    hadm_id: str,
    start: str,
    end: str,
    facts: Sequence[Fact] = (),
    *,
    subject_id: str = "90000001",
    note: str = "",
    unstated: Sequence[Fact] = (),
) -> ChartAdmission:
    """A stay whose dialogue opens with the admission date and states one fact a turn.

    Turn 1 is the admission date, turn 2 + i states ``facts[i]``, then discharge date and length of
    stay in one turn; ``unstated`` facts are in the record only.
    """
    bundle = make_bundle(hadm_id, start, end, subject_id=subject_id, note=note)
    admitted, left, length = stay_facts(bundle.admission_start, bundle.admission_end)
    spoken: list[tuple[str, tuple[str, ...]]] = [
        (f"Your admission date is {admitted.value}.", (admitted.fact_id,))
    ]
    spoken += [(state(fact), (fact.fact_id,)) for fact in facts]
    farewell = f"The discharge date is {left.value}, so the length of stay is {length.value}."
    spoken.append((farewell, (left.fact_id, length.fact_id)))
    step = (bundle.admission_end - bundle.admission_start) / (len(spoken) + 1)
    lines = tuple(
        SourcedLine(
            turn_number=number,
            time=(bundle.admission_start + step * (number - 1)).replace(microsecond=0),
            speaker="Doctor" if number % 2 else "Patient",
            text=text,
            sources=sources,
        )
        for number, (text, sources) in enumerate(spoken, start=1)
    )
    return ChartAdmission(
        bundle=bundle, facts=(admitted, left, length, *facts, *unstated), lines=lines
    )


def make_chart(*admissions: ChartAdmission, subject_id: str = "90000001") -> PatientChart:
    return PatientChart(subject_id=subject_id, admissions=admissions)
