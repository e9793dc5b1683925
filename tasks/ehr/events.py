"""Statements of dated and coded rows: the stay, diagnoses and procedures."""

from __future__ import annotations

import re
from datetime import timedelta

from tasks.contracts.clock import format_date, format_time
from tasks.contracts.records import AdmissionBundle, Diagnosis, FactKind, Procedure, SourceSpan
from tasks.ehr.statements import Statement, tells_death
from tasks.ehr.titles import procedure_words, title_words

_HOURS = re.compile(r"(?P<hours>\d{1,3})\s+(?:consecutive\s+)?hours\b", re.IGNORECASE)
_VENTILATION = re.compile(r"\bventilation\b", re.IGNORECASE)
_HOURS_OF_VENTILATION = 24
_STATUS_CODE = {9: re.compile(r"^[VE]"), 10: re.compile(r"^[V-Z]")}


def stay_statements(bundle: AdmissionBundle, left_alive: bool) -> tuple[Statement, ...]:
    """Admission date; for a patient who left alive also discharge date and length of stay."""
    start, end = bundle.admission_start, bundle.admission_end
    source = SourceSpan(table="admissions", item="0")
    first, last = format_date(start), format_date(end)
    admission = Statement(FactKind.STAY, "admission date", first, source, start, {"date": first})
    if not left_alive:
        return (admission,)
    days = (end.date() - start.date()).days
    return (
        admission,
        Statement(FactKind.STAY, "discharge date", last, source, end, {"date": last}),
        Statement(
            FactKind.STAY, "length of stay", stay_words(days), source, end, {"days": str(days)}
        ),
    )


def stay_words(days: int) -> str:
    """Length of stay in calendar days, in words that are spoken."""
    if days == 0:
        return "less than one day"
    return "1 day" if days == 1 else f"{days} days"


def diagnosis_statements(bundle: AdmissionBundle) -> tuple[Statement, ...]:
    """Billed diagnoses with a title; external causes and status codes count only in first place."""
    statements: list[Statement] = []
    for position, diagnosis in enumerate(bundle.diagnoses):
        primary = diagnosis.seq_num == 1 and not any(
            statement.value == "primary" for statement in statements
        )
        label = "" if _is_status(diagnosis) and not primary else title_words(diagnosis.long_title)
        if label and not tells_death(diagnosis.long_title):
            statements.append(_diagnosis(diagnosis, label, position, primary))
    return tuple(statements)


def procedure_statements(bundle: AdmissionBundle) -> tuple[Statement, ...]:
    """Billed procedures with a title, dated."""
    labelled = (
        (position, procedure, procedure_words(procedure.long_title))
        for position, procedure in enumerate(bundle.procedures)
    )
    return tuple(
        _procedure(procedure, label, position)
        for position, procedure, label in labelled
        if label and not tells_death(procedure.long_title)
    )


def _is_status(diagnosis: Diagnosis) -> bool:
    pattern = _STATUS_CODE.get(diagnosis.icd_version)
    return bool(pattern and pattern.match(diagnosis.icd_code))


def _diagnosis(diagnosis: Diagnosis, label: str, position: int, primary: bool) -> Statement:
    return Statement(
        kind=FactKind.DIAGNOSIS,
        label=label,
        value="primary" if primary else "secondary",
        source=SourceSpan(table="diagnoses_icd", item=str(position)),
        time=diagnosis.normalized_time,
        detail={
            "priority": str(diagnosis.seq_num),
            "title": " ".join(diagnosis.long_title.split()),
            "code": diagnosis.icd_code,
        },
    )


def lasting_hours(title: str) -> int:
    """Hours that a procedure lasts by its title (0 if it tells none; ventilation lasts a day)."""
    told = _HOURS.search(title)
    if told:
        return int(told["hours"])
    return _HOURS_OF_VENTILATION if _VENTILATION.search(title) else 0


def _procedure(procedure: Procedure, label: str, position: int) -> Statement:
    date = format_date(procedure.chartdate)
    detail = {"date": date, "title": " ".join(procedure.long_title.split())}
    if hours := lasting_hours(procedure.long_title):
        detail["reported"] = format_time(procedure.normalized_time + timedelta(hours=hours))
    return Statement(
        kind=FactKind.PROCEDURE,
        label=label,
        value=date,
        source=SourceSpan(table="procedures_icd", item=str(position)),
        time=procedure.normalized_time,
        detail=detail,
    )
