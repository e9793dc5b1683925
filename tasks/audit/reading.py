"""Reads any release in the MedLoCoMo layout, ours or another's, one patient at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, cast

from tasks.audit.published import (
    QUESTIONS,
    TIMELINE,
    as_object,
    list_in,
    read_known,
    read_object,
)
from tasks.contracts.audit import AuditPatient, AuditSession
from tasks.contracts.errors import ReleaseError
from tasks.contracts.questions import Question
from tasks.contracts.records import AdmissionBundle

RECORD = "formed_packet.json"


def patient_folders(release: Path) -> list[Path]:
    """Folders of a release's patients, by name.

    Raises ReleaseError where the folder holds no patient with a timeline.
    """
    if not release.is_dir():
        raise ReleaseError(f"no release at {release}: it is not a folder; give a release's folder")
    found = sorted(path.parent for path in release.glob(f"*/{TIMELINE}"))
    lost = [one.parent for one in release.glob(f"*/{QUESTIONS}") if one.parent not in found]
    if lost:
        raise ReleaseError(
            f"{min(lost)}: {QUESTIONS} without {TIMELINE}; restore the file from a copy, or take "
            "the folder away"
        )
    if not found:
        raise ReleaseError(
            f"no release at {release}: no folder in it holds {TIMELINE}; give the folder release/ "
            "of a build's output, or a downloaded release"
        )
    return found


def read_patients(release: Path) -> Iterator[AuditPatient]:
    """Read every patient; raises ReleaseError naming the file that can't be read."""
    for folder in patient_folders(release):
        yield read_patient(folder)


def read_patient(folder: Path) -> AuditPatient:
    """Read one patient's folder: timeline, questions, and records where it has them.

    Fields that we don't know are passed over. Raises ReleaseError naming the file, and never its
    text.
    """
    timeline = read_object(folder / TIMELINE)
    questions = read_object(folder / QUESTIONS)
    return AuditPatient(
        subject_id=str(timeline.get("subject_id") or folder.name),
        sessions=_in_time_order(
            _session(folder, as_object(one, folder / TIMELINE))
            for one in list_in(timeline, "admissions", folder / TIMELINE)
        ),
        questions=tuple(
            _question(as_object(one, folder / QUESTIONS), folder / QUESTIONS)
            for one in list_in(questions, "qas", folder / QUESTIONS)
        ),
    )


def _in_time_order(sessions: Iterable[AuditSession]) -> tuple[AuditSession, ...]:
    return tuple(sorted(sessions, key=lambda one: (one.admission_start, one.hadm_id)))


def _session(folder: Path, given: Mapping[str, Any]) -> AuditSession:
    path = folder / TIMELINE
    session = read_known(
        AuditSession,
        {**given, "lines": given.get("conversation_lines"), "bundle": None},
        path,
    )
    record = folder / session.hadm_id / RECORD
    try:
        is_there = record.is_file()
    except OSError as error:
        raise ReleaseError(
            f"{path}: the folder of an admission can't be read ({error.strerror}); its name is "
            "the hadm_id: correct it, or make the folder readable"
        ) from None
    if not is_there:
        return session
    content = dict(read_object(record))
    content.setdefault("previous_admission_summary", None)
    content["timing_rules"] = _timing(content.get("timing_rules"), given)
    return session.model_copy(update={"bundle": read_known(AdmissionBundle, content, record)})


def _timing(given: object, session: Mapping[str, Any]) -> dict[str, Any]:
    """Timing rules are written freely in other releases; audits need only the window's end."""
    known = cast("dict[str, Any]", given) if isinstance(given, dict) else {}
    return {
        "admission_end_source": "dischtime",
        "conversation_end": session.get("admission_end"),
        "diagnosis_window_minutes": 60,
        **{
            name: value
            for name, value in known.items()
            if name in ("admission_end_source", "conversation_end", "diagnosis_window_minutes")
        },
    }


def _question(given: Mapping[str, Any], path: Path) -> Question:
    """A question; published ones cite turns by number within one admission, or not at all."""
    evidence = dict(as_object(given.get("evidence"), path))
    admissions = [str(one) for one in _listed(evidence, "admissions", path)]
    evidence["admissions"] = admissions
    if evidence.get("turns") is None:
        numbers = _listed(evidence, "turn_ids", path) if len(admissions) == 1 else []
        evidence["turns"] = [
            {"hadm_id": admissions[0], "turn_number": number} for number in numbers
        ]
    return read_known(Question, {**given, "evidence": evidence}, path)


def _listed(given: Mapping[str, Any], name: str, path: Path) -> list[object]:
    """A list of an object, empty where it is left out; raises ReleaseError for another value."""
    return [] if given.get(name) is None else list_in(given, name, path)
