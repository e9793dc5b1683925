"""Reads any release in the MedLoCoMo layout, ours or another's, one patient at a time."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar, cast, get_args

from pydantic import BaseModel, ValidationError

from tasks.contracts.audit import AuditPatient, AuditSession
from tasks.contracts.errors import ReleaseError
from tasks.contracts.questions import Question
from tasks.contracts.records import AdmissionBundle

Model = TypeVar("Model", bound=BaseModel)

TIMELINE = "combined_conversation.json"
QUESTIONS = "benchmark_qa.json"
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
    timeline = _object(folder / TIMELINE)
    questions = _object(folder / QUESTIONS)
    return AuditPatient(
        subject_id=str(timeline.get("subject_id") or folder.name),
        sessions=_in_time_order(
            _session(folder, _mapping(one, folder / TIMELINE))
            for one in _list(timeline, "admissions", folder / TIMELINE)
        ),
        questions=tuple(
            _question(_mapping(one, folder / QUESTIONS), folder / QUESTIONS)
            for one in _list(questions, "qas", folder / QUESTIONS)
        ),
    )


def _in_time_order(sessions: Iterable[AuditSession]) -> tuple[AuditSession, ...]:
    return tuple(sorted(sessions, key=lambda one: (one.admission_start, one.hadm_id)))


def _session(folder: Path, given: Mapping[str, Any]) -> AuditSession:
    path = folder / TIMELINE
    session = _read(
        AuditSession,
        {**given, "lines": given.get("conversation_lines"), "bundle": None},
        path,
    )
    record = folder / session.hadm_id / RECORD
    if not record.is_file():
        return session
    content = dict(_object(record))
    content.setdefault("previous_admission_summary", None)
    content["timing_rules"] = _timing(content.get("timing_rules"), given)
    return session.model_copy(update={"bundle": _read(AdmissionBundle, content, record)})


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
    evidence = dict(_mapping(given.get("evidence"), path))
    admissions = [str(one) for one in evidence.get("admissions") or ()]
    evidence["admissions"] = admissions
    if evidence.get("turns") is None:
        numbers = evidence.get("turn_ids") or () if len(admissions) == 1 else ()
        evidence["turns"] = [
            {"hadm_id": admissions[0], "turn_number": number} for number in numbers
        ]
    return _read(Question, {**given, "evidence": evidence}, path)


def _read(model: type[Model], given: Mapping[str, Any], path: Path) -> Model:
    """The part of an object that a contract knows, as that contract."""
    try:
        return model.model_validate(_known(model, given))
    except ValidationError as error:
        fault = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in fault["loc"])
        raise ReleaseError(
            f"{path}: {place}: {fault['msg']}; correct the file, or restore it from a copy"
        ) from None


def _known(model: type[BaseModel], given: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a contract, at every depth; empty titles and names for those left out.

    Ids may be written as numbers.
    """
    kept: dict[str, Any] = {}
    for name, field in model.model_fields.items():
        if name not in given:
            if field.is_required() and field.annotation is str:
                kept[name] = ""
            continue
        kept[name] = _known_value(field.annotation, given[name])
    return kept


def _known_value(annotation: Any, value: Any) -> Any:
    inner = next(iter(_models(annotation)), None)
    if inner is None:
        return str(value) if annotation is str and isinstance(value, int) else value
    if isinstance(value, list):
        return [
            _known(inner, cast("dict[str, Any]", one)) if isinstance(one, dict) else one
            for one in cast("list[object]", value)
        ]
    return _known(inner, cast("dict[str, Any]", value)) if isinstance(value, dict) else value


def _models(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for argument in get_args(annotation):
        yield from _models(argument)


def _object(path: Path) -> Mapping[str, Any]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ReleaseError(
            f"{path}: can't be read ({error.strerror}); every patient's folder holds {TIMELINE} "
            f"and {QUESTIONS}"
        ) from None
    except (ValueError, RecursionError):
        raise ReleaseError(
            f"{path}: not a JSON file; restore it from a copy, or build again"
        ) from None
    return _mapping(content, path)


def _mapping(value: object, path: Path) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise ReleaseError(
            f"{path}: expected an object, found another value; restore the file from a copy"
        )
    return cast("dict[str, Any]", value)


def _list(given: Mapping[str, Any], name: str, path: Path) -> list[object]:
    value = given.get(name)
    if not isinstance(value, list):
        raise ReleaseError(f"{path}: no list {name}; restore the file from a copy")
    return cast("list[object]", value)
