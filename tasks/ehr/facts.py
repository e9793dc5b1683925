"""Facts of an admission: what its bundle states, one target and one value each.

Every kind's label, value and detail follow one convention, described with examples in
docs/facts.md; ``extract_facts`` is the only place that numbers them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from tasks.contracts.records import AdmissionBundle, Fact, FactKind, PatientContext
from tasks.ehr.cultures import culture_statements, susceptibility_statements
from tasks.ehr.departure import departure_statements, tells_that_patient_died
from tasks.ehr.events import diagnosis_statements, procedure_statements, stay_statements
from tasks.ehr.history import (
    allergy_statements,
    complaint_statements,
    condition_statements,
    symptom_statements,
)
from tasks.ehr.imaging import imaging_statements
from tasks.ehr.laboratory import laboratory_statements
from tasks.ehr.medications import medication_statements
from tasks.ehr.sections import even_lines, split_discharge
from tasks.ehr.statements import COURSE_WORDS, Statement, plain_english, speakable
from tasks.ehr.titles import TITLE_WORDS
from tasks.ehr.treatment import course_statements
from tasks.ehr.vitals import vital_statements

_STORY = tuple(FactKind)
_OF_THE_DEPARTURE = frozenset(
    {
        FactKind.MEDICATION_CHANGE,
        FactKind.DISCHARGE_MEDICATION,
        FactKind.DISPOSITION,
        FactKind.CONDITION,
        FactKind.INSTRUCTION,
        FactKind.FOLLOW_UP,
    }
)
_NOTE_READERS = (
    complaint_statements,
    symptom_statements,
    condition_statements,
    allergy_statements,
    medication_statements,
    vital_statements,
    laboratory_statements,
    course_statements,
    departure_statements,
)
_EVENTS = frozenset(
    {FactKind.IMAGING, FactKind.CULTURE, FactKind.SUSCEPTIBILITY, FactKind.PROCEDURE}
)
_TITLED = frozenset({FactKind.DIAGNOSIS, FactKind.PROCEDURE})
_VALUES_PER_LABEL = frozenset({FactKind.IMAGING, FactKind.CULTURE, FactKind.PROCEDURE})


def extract_facts(bundle: AdmissionBundle, patient: PatientContext) -> tuple[Fact, ...]:
    """Everything of the bundle that a dialogue can state, in the order of the story.

    A target to which the record gives two different values is left out, so that every fact is the
    only answer to its own question; so is what can't be said, such as markup and other scripts.
    For a patient who died in the stay nothing of the departure is kept, and no event of a day after
    that of the death. Pure: equal input gives equal facts.
    """
    left_alive = not patient.died_in_hospital and not told_death(bundle)
    statements = [
        statement
        for statement in _statements(bundle, left_alive)
        if left_alive
        or not (statement.kind in _OF_THE_DEPARTURE or _after_the_last_day(statement, bundle))
    ]
    kept = sorted(_unambiguous(statements), key=lambda statement: _STORY.index(statement.kind))
    return tuple(_numbered(kept))


def _after_the_last_day(statement: Statement, bundle: AdmissionBundle) -> bool:
    last = bundle.timing_rules.conversation_end.date()
    return statement.kind in _EVENTS and statement.time is not None and statement.time.date() > last


def told_death(bundle: AdmissionBundle) -> bool:
    """Whether a discharge note says that the stay ended with the patient's death."""
    texts = [even_lines(note.text) for note in bundle.discharge_notes]
    return any(tells_that_patient_died(text, split_discharge(text)) for text in texts)


def _statements(bundle: AdmissionBundle, left_alive: bool) -> Iterable[Statement]:
    yield from stay_statements(bundle, left_alive)
    for note in bundle.discharge_notes:
        text = even_lines(note.text)
        sections = split_discharge(text)
        for read in _NOTE_READERS:
            found = read(note.note_id, text, sections)
            yield from map(_calmed, found) if text.isupper() else found
    yield from imaging_statements(bundle)
    yield from procedure_statements(bundle)
    yield from culture_statements(bundle)
    yield from susceptibility_statements(bundle)
    yield from diagnosis_statements(bundle)


def _calmed(statement: Statement) -> Statement:
    """A statement of a note typed in capitals throughout."""
    return replace(
        statement,
        label=statement.label.lower(),
        value=statement.value.lower(),
        detail={name: words.lower() for name, words in statement.detail.items()},
    )


def _unambiguous(statements: Iterable[Statement]) -> Iterable[Statement]:
    """First statement of every target whose statements agree on the value."""
    groups: dict[tuple[str, ...], list[Statement]] = {}
    for statement in statements:
        if _sayable(statement):
            groups.setdefault(_target(statement), []).append(statement)
    for group in groups.values():
        if len({statement.value.casefold() for statement in group}) == 1:
            yield group[0]


def _sayable(statement: Statement) -> bool:
    words = (statement.label, statement.value, *statement.detail.values())
    longest = TITLE_WORDS if statement.kind in _TITLED else COURSE_WORDS
    return bool(
        speakable(statement.label, longest) and speakable(statement.value, COURSE_WORDS)
    ) and all(map(plain_english, words))


def _target(statement: Statement) -> tuple[str, ...]:
    """What a question about the statement would have to name to be unique."""
    detail = statement.detail
    dated = detail.get("date", "") if statement.kind in _VALUES_PER_LABEL else ""
    return statement.kind, statement.label.casefold(), dated, detail.get("action", "")


def _numbered(statements: Iterable[Statement]) -> Iterable[Fact]:
    counts: dict[FactKind, int] = {}
    for statement in statements:
        counts[statement.kind] = counts.get(statement.kind, 0) + 1
        yield Fact(
            fact_id=f"{statement.kind.value}:{counts[statement.kind]}",
            kind=statement.kind,
            label=statement.label,
            value=statement.value,
            time=statement.time,
            detail=dict(statement.detail),
            source=statement.source,
        )
