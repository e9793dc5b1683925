"""Follows an answer back: question → cited turns → places in the record."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

from pydantic import Field, ValidationError

from tasks.audit.reading import RECORD, patient_folders, read_patient
from tasks.contracts.audit import AuditPatient, AuditSession
from tasks.contracts.base import Contract
from tasks.contracts.dialogue import ConversationLine
from tasks.contracts.errors import ReleaseError, SettingError
from tasks.contracts.evidence import AdmissionEvidence, EvidenceItem, follow
from tasks.contracts.questions import Question

EVIDENCE = "evidence.json"

_ROW_FIELDS = (
    "long_title",
    "spec_type_desc",
    "test_name",
    "org_name",
    "ab_name",
    "interpretation",
    "comments",
)


class TracedSource(Contract):
    """One place of the record behind a turn. ``text`` is patient text."""

    where: str = Field(description="File, JSON pointer, and section and characters of a note")
    text: str = Field(description="What stands there")


class TracedTurn(Contract):
    """A cited turn with the places behind it."""

    hadm_id: str = Field(description="MIMIC admission id")
    line: ConversationLine = Field(description="The turn")
    sources: tuple[TracedSource, ...] = Field(description="Empty where none is recorded")
    known: bool = Field(description="The release holds record and evidence of the admission")


class AnswerTrace(Contract):
    """A question with everything its answer rests on."""

    question: Question = Field(description="The question")
    turns: tuple[TracedTurn, ...] = Field(description="Cited turns in their order")


def trace_answer(release: Path, qa_id: str) -> AnswerTrace:
    """Find a question in a release and follow its citations.

    Raises SettingError for an unknown qa_id and ReleaseError for a file that can't be read.
    """
    folder, patient, question = _find(release, qa_id)
    sessions = {session.hadm_id: session for session in patient.sessions}
    turns: list[TracedTurn] = []
    for cited in question.evidence.turns:
        session = sessions.get(cited.hadm_id)
        lines = session.lines if session else ()
        line = next((one for one in lines if one.turn_number == cited.turn_number), None)
        if session is None or line is None:
            raise ReleaseError(
                f"{folder}: {qa_id} cites turn {cited.turn_number} of {cited.hadm_id}, which does "
                "not exist; run `anamnesis audit` on the release"
            )
        sources = tuple(_sources(folder / session.hadm_id, session, line.turn_number))
        known = session.bundle is not None and (folder / session.hadm_id / EVIDENCE).is_file()
        turns.append(TracedTurn(hadm_id=session.hadm_id, line=line, sources=sources, known=known))
    return AnswerTrace(question=question, turns=tuple(turns))


def _find(release: Path, qa_id: str) -> tuple[Path, AuditPatient, Question]:
    subject = qa_id.partition("_")[0]
    folders = sorted(patient_folders(release), key=lambda one: one.name != subject)
    for folder in folders:
        patient = read_patient(folder)
        for question in patient.questions:
            if question.qa_id == qa_id:
                return folder, patient, question
    raise SettingError(
        f"no question {qa_id} in {release}; qa_ids stand in each patient's benchmark_qa.json"
    )


def _sources(folder: Path, session: AuditSession, turn: int) -> Iterator[TracedSource]:
    path = folder / EVIDENCE
    if session.bundle is None or not path.is_file():
        return
    packet = session.bundle.model_dump(mode="json")
    for item in _items(path, turn):
        for pointer in item.pointers:
            yield TracedSource(where=_place(item, pointer), text=_text(packet, pointer, item))


def _items(path: Path, turn: int) -> tuple[EvidenceItem, ...]:
    try:
        evidence = AdmissionEvidence.model_validate_json(path.read_bytes())
    except (OSError, ValidationError):
        raise ReleaseError(
            f"{path}: not evidence as documented; restore the file from a copy, or build again"
        ) from None
    return next((one.items for one in evidence.turns if one.turn_number == turn), ())


def _place(item: EvidenceItem, pointer: str) -> str:
    parts = [f"{RECORD}{pointer}"]
    if item.section:
        parts.append(item.section)
    if item.start is not None:
        parts.append(f"characters {item.start} to {item.end}")
    return ", ".join(parts)


def _text(packet: Mapping[str, Any], pointer: str, item: EvidenceItem) -> str:
    value = follow(packet, pointer)
    if isinstance(value, dict):
        row = cast("dict[str, Any]", value)
        return ", ".join(str(row[name]) for name in _ROW_FIELDS if row.get(name))
    if isinstance(value, str) and item.start is not None:
        return " ".join(value[item.start : item.end].split())
    return value if isinstance(value, str) else json.dumps(value)
