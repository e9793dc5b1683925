"""Reads what an evaluation needs of any release in the MedLoCoMo layout: timelines and questions.

Ids may be written as numbers, cited turns may be missing, further fields are passed over.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, cast

from tasks.adapters.files import sha256_file
from tasks.audit.published import (
    QUESTIONS,
    TIMELINE,
    as_object,
    list_in,
    read_known,
    read_object,
)
from tasks.contracts.errors import ReleaseError
from tasks.contracts.evaluation import BenchmarkPatient, BenchmarkSession
from tasks.contracts.questions import ABSTENTION, Question, QuestionType

_LINES = "conversation_lines"
"""The turns of an admission, as the files name them."""

_PLAIN_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
"""A patient's id becomes the name of files."""


def files_digests(folder: Path) -> tuple[str, str]:
    """Digests of a patient's timeline and questions; raises ReleaseError naming a missing file."""
    digests: list[str] = []
    for name in (TIMELINE, QUESTIONS):
        try:
            digests.append(sha256_file(folder / name))
        except OSError as error:
            raise ReleaseError(
                f"{folder / name}: can't be read ({error.strerror}); every patient's folder holds "
                f"{TIMELINE} and {QUESTIONS}"
            ) from None
    return digests[0], digests[1]


def read_benchmark_patient(folder: Path) -> BenchmarkPatient:
    """Read one patient's folder.

    Raises ReleaseError naming the file and, for a question, its qa_id, and never their text.
    """
    timeline = read_object(folder / TIMELINE)
    sessions = [
        _session(as_object(one, folder / TIMELINE), place, folder / TIMELINE)
        for place, one in enumerate(list_in(timeline, "admissions", folder / TIMELINE), start=1)
    ]
    patient = BenchmarkPatient(
        subject_id=str(timeline.get("subject_id") or folder.name),
        sessions=tuple(sorted(sessions, key=lambda one: (one.admission_start, one.hadm_id))),
        questions=_questions(folder / QUESTIONS),
    )
    if not _PLAIN_ID.fullmatch(patient.subject_id):
        raise ReleaseError(
            f"{folder / TIMELINE}: subject_id is no plain id of letters and digits; correct it"
        )
    _refuse_empty(patient, folder)
    _refuse_repeats([one.hadm_id for one in sessions], "admission", folder / TIMELINE)
    _refuse_repeats([one.qa_id for one in patient.questions], "qa_id", folder / QUESTIONS)
    return patient


def refuse_repeated_patients(subject_ids: Iterable[str], release: Path) -> None:
    """Raise ReleaseError where two folders of a release hold the same patient."""
    twice = sorted(name for name, times in Counter(subject_ids).items() if times > 1)
    if twice:
        raise ReleaseError(
            f"{release}: two folders hold the patient {twice[0]}; take one of them away"
        )


def cites_unknown_admission(question: Question, patient: BenchmarkPatient) -> bool:
    """Whether a question's evidence names an admission that the timeline lacks."""
    cited = {*question.evidence.admissions, *(one.hadm_id for one in question.evidence.turns)}
    return not cited <= {one.hadm_id for one in patient.sessions}


def _session(given: Mapping[str, Any], place: int, path: Path) -> BenchmarkSession:
    stated = given.get("hadm_id")
    name = f"admission {stated}" if isinstance(stated, str | int) else f"admission at place {place}"
    return read_known(
        BenchmarkSession,
        {**given, "lines": given.get(_LINES)},
        path,
        name,
        names={"lines": _LINES},
    )


def _questions(path: Path) -> tuple[Question, ...]:
    asked = list_in(read_object(path), "qas", path)
    return tuple(
        _question(as_object(one, path), place, path) for place, one in enumerate(asked, start=1)
    )


def _question(given: Mapping[str, Any], place: int, path: Path) -> Question:
    """A question; an adversarial one without an answer has the canonical one."""
    stated = given.get("qa_id")
    name = str(stated) if stated and isinstance(stated, str | int) else f"question {place}"
    evidence = _evidence(given.get("evidence"), path, name)
    text = _answer(given.get("answer"), f"{path}: {name}")
    if not text.strip():
        if given.get("question_type") != QuestionType.ADVERSARIAL:
            raise ReleaseError(
                f"{path}: {name}: no answer, though the question is not adversarial; give it one, "
                "or take the question out"
            )
        text = ABSTENTION
    return read_known(Question, {**given, "evidence": evidence, "answer": text}, path, name)


def _answer(given: object, where: str) -> str:
    """A gold answer as text, empty where there is none; counts are written as numbers elsewhere."""
    if given is None or isinstance(given, str):
        return given or ""
    is_number = isinstance(given, int | float) and not isinstance(given, bool)
    if not is_number or (isinstance(given, float) and not math.isfinite(given)):
        raise ReleaseError(
            f"{where}: the answer is neither a text nor a finite number; write it as text"
        )
    return str(given)


def _evidence(given: object, path: Path, name: str) -> dict[str, Any]:
    """Evidence; published questions cite turns by number within one admission, or not at all."""
    stated = dict(as_object(given or {}, path))
    cited = _listed(stated, "admissions", f"{path}: {name}")
    admissions = [str(one) if isinstance(one, int) else one for one in cited]
    numbers = _listed(stated, "turn_ids", f"{path}: {name}") if len(admissions) == 1 else []
    turns = [{"hadm_id": admissions[0], "turn_number": number} for number in numbers]
    return {**stated, "admissions": admissions, "turns": stated.get("turns") or turns}


def _listed(evidence: Mapping[str, Any], field: str, where: str) -> list[object]:
    """A list of the evidence, empty where there is none."""
    value: object = evidence.get(field) or list[object]()
    if not isinstance(value, list):
        raise ReleaseError(f"{where}: evidence.{field} is no list; write it as one")
    return cast("list[object]", value)


def _refuse_empty(patient: BenchmarkPatient, folder: Path) -> None:
    if not patient.sessions:
        raise ReleaseError(
            f"{folder / TIMELINE}: no admissions, so there is nothing to ask about; restore the "
            "file from a copy, or take the folder away"
        )
    if not any(one.lines for one in patient.sessions):
        raise ReleaseError(
            f"{folder / TIMELINE}: no admission has any conversation_lines, so there is nothing to "
            "ask about; restore the file from a copy, or take the folder away"
        )
    if not patient.questions:
        raise ReleaseError(
            f"{folder / QUESTIONS}: no questions; restore the file from a copy, or take the "
            "folder away"
        )


def _refuse_repeats(ids: list[str], what: str, path: Path) -> None:
    repeated = [one for one, times in Counter(ids).items() if times > 1 or not one]
    if repeated:
        raise ReleaseError(
            f"{path}: {what} {repeated[0]!r} stands there more than once or is empty; each needs "
            "its own"
        )
