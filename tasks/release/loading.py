"""Reads a release back through its contracts; what can't be read is a problem, not a crash."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from tasks.contracts.build import Manifest
from tasks.contracts.dialogue import (
    AdmissionDialogue,
    Conversation,
    PatientSummary,
    PromptRecord,
    SourcedLine,
    Timeline,
)
from tasks.contracts.errors import ReleaseError
from tasks.contracts.evidence import AdmissionEvidence
from tasks.contracts.questions import QuestionSet
from tasks.contracts.records import AdmissionBundle, AdmissionSummary
from tasks.contracts.release import (
    GATES,
    MANIFEST,
    STATISTICS,
    GateReport,
    PatientQuestions,
    PatientSessions,
    Problem,
    ReleaseFile,
)
from tasks.contracts.statistics import ReleaseStatistics
from tasks.release.canonical import published_json
from tasks.release.inventory import admission_folders, take_inventory

Model = TypeVar("Model", bound=BaseModel)

_FIELD_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
_NOT_CANONICAL = (
    "not written as releases are: a key twice or out of order, other blanks, line ends or numbers"
)

REBUILD = "build the release again, or restore the file from a copy"


@dataclass(frozen=True)
class LoadedPatient:
    """One patient's folder; parts are null where a file of theirs can't be read."""

    subject_id: str
    sessions: PatientSessions | None
    questions: PatientQuestions | None
    problems: tuple[Problem, ...]


@dataclass(frozen=True)
class LoadedRelease:
    """A release's own files; its patients are read one at a time, by ``patients``."""

    folder: Path
    manifest: Manifest | None
    statistics: ReleaseStatistics | None
    gates: GateReport | None
    files: tuple[ReleaseFile, ...]
    problems: tuple[Problem, ...]

    def patients(self) -> Iterator[LoadedPatient]:
        """Read every patient, in the order of their folders' names."""
        stated = self.manifest.substitutions if self.manifest else {}
        for subject_id, admissions in admission_folders(self.folder).items():
            yield _load_patient(self.folder, subject_id, admissions, stated.get(subject_id, {}))


def load_release(folder: Path) -> LoadedRelease:
    """Read a release's manifest, statistics and gates and list its files.

    Raises ReleaseError where the folder is no release at all.
    """
    if not folder.is_dir():
        raise ReleaseError(f"no release at {folder}: it is not a folder; give a release's folder")
    patients = [name for name in admission_folders(folder) if name.isdigit()]
    if not (folder / MANIFEST).exists() and not patients:
        raise ReleaseError(
            f"no release at {folder}: it holds neither {MANIFEST} nor a patient's folder; "
            "give the folder release/ of a build's output"
        )
    reader = _Reader(folder)
    manifest = reader.read(MANIFEST, Manifest)
    return LoadedRelease(
        folder=folder,
        manifest=manifest,
        statistics=reader.read(STATISTICS, ReleaseStatistics),
        gates=reader.read(GATES, GateReport),
        files=tuple(take_inventory(folder, manifest)),
        problems=tuple(reader.problems),
    )


@dataclass
class _Reader:
    """Reads files through contracts and collects what is wrong with them."""

    folder: Path
    problems: list[Problem] = field(default_factory=list[Problem])

    def read(self, path: str, model: type[Model]) -> Model | None:
        """The file as a contract, or null with a problem noted; a missing file is no news here.

        The inventory names missing files.
        """
        if not (self.folder / path).is_file():
            return None
        try:
            content = (self.folder / path).read_bytes()
            value = model.model_validate_json(content)
        except OSError as error:
            self.note(path, "", f"can't be read: {error.strerror}", "make the file readable")
        except ValidationError as error:
            for fault in error.errors(include_url=False, include_input=False):
                self.note(
                    path, _place(fault), f"not as documented: {_plain(fault['msg'])}", REBUILD
                )
        else:
            if content != published_json(value):
                self.note(path, "", _NOT_CANONICAL, REBUILD)
            return value
        return None

    def note(self, path: str, where: str, what: str, remedy: str) -> None:
        """Add a problem."""
        self.problems.append(Problem(path=path, where=where, what=what, remedy=remedy))


def _place(fault: ErrorDetails) -> str:
    """Where a fault is; an unknown field is named where it looks like a field's name."""
    parts = [str(part) for part in fault["loc"]]
    if fault["type"] == "extra_forbidden" and not _FIELD_NAME.fullmatch(parts[-1]):
        parts[-1] = "a field of another name"
    return ".".join(parts)


def _plain(message: str) -> str:
    """A validation message on one line."""
    return " ".join(message.split())


def _load_patient(
    folder: Path, subject_id: str, admissions: list[str], substitutions: dict[str, int]
) -> LoadedPatient:
    reader = _Reader(folder)
    timeline = reader.read(f"{subject_id}/combined_conversation.json", Timeline)
    summary = reader.read(f"{subject_id}/patient_summary.json", PatientSummary)
    cross = reader.read(f"{subject_id}/cross_admission_qa.json", QuestionSet)
    benchmark = reader.read(f"{subject_id}/benchmark_qa.json", QuestionSet)
    dialogues = [_load_dialogue(reader, subject_id, hadm_id) for hadm_id in admissions]
    asked = {
        hadm_id: reader.read(f"{subject_id}/{hadm_id}/qa.json", QuestionSet)
        for hadm_id in admissions
    }
    accepted = sorted(
        (one for one in dialogues if one is not None),
        key=lambda one: (one.bundle.admission_start, one.bundle.hadm_id),
    )
    whole = len(accepted) == len(admissions)
    sessions = None
    if timeline and summary and whole:
        sessions = PatientSessions(dialogues=tuple(accepted), timeline=timeline, summary=summary)
    ordered = [one.bundle.hadm_id for one in accepted]
    filed = {one: found for one in ordered if (found := asked.get(one)) is not None}
    questions = None
    if cross and benchmark and whole and len(filed) == len(asked):
        questions = PatientQuestions(
            subject_id=subject_id,
            admissions=filed,
            cross=cross,
            benchmark=benchmark,
            substitutions=substitutions,
        )
    return LoadedPatient(subject_id, sessions, questions, tuple(reader.problems))


def _load_dialogue(reader: _Reader, subject_id: str, hadm_id: str) -> AdmissionDialogue | None:
    base = f"{subject_id}/{hadm_id}"
    bundle = reader.read(f"{base}/formed_packet.json", AdmissionBundle)
    record = reader.read(f"{base}/prompt_record.json", PromptRecord)
    conversation = reader.read(f"{base}/conversation.json", Conversation)
    summary = reader.read(f"{base}/summary.json", AdmissionSummary)
    evidence = reader.read(f"{base}/evidence.json", AdmissionEvidence)
    if bundle is None or record is None or conversation is None:
        return None
    if summary is None or evidence is None:
        return None
    dialogue = AdmissionDialogue(
        bundle=bundle,
        lines=tuple(
            SourcedLine(
                turn_number=line.turn_number, time=line.time, speaker=line.speaker, text=line.text
            )
            for line in conversation.conversation_lines
        ),
        summary=summary,
        prompt_record=record,
        evidence=evidence,
    )
    if (bundle.subject_id, bundle.hadm_id) != (subject_id, hadm_id):
        reader.note(
            f"{base}/formed_packet.json",
            "subject_id, hadm_id",
            f"expected {subject_id}, {hadm_id} as the folders say, found "
            f"{bundle.subject_id}, {bundle.hadm_id}",
            REBUILD,
        )
        return None
    if (evidence.subject_id, evidence.hadm_id) != (subject_id, hadm_id):
        reader.note(
            f"{base}/evidence.json", "subject_id, hadm_id", "not those of the folders", REBUILD
        )
    if dialogue.conversation() != conversation:
        reader.note(
            f"{base}/conversation.json",
            "subject_id, hadm_id, admission_start, admission_end",
            "not those of formed_packet.json",
            REBUILD,
        )
    return dialogue
