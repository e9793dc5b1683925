"""Answers as a good model would, from a release of the same data by the programmatic provider."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.servers.faults import Message

_TIME = r"\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}"
_STAY = re.compile(rf"The stay began ({_TIME}) and ends ({_TIME})")
_PATIENT = re.compile(r"Patient: (?P<patient>[^\n]*)")
_PUBLISHED = ("turn_number", "time", "speaker", "text")


@dataclass(frozen=True)
class _Stay:
    """One admission of the release: how it is recognised and the answer to its request."""

    patient: str
    answer: str


class ReleaseWriter:
    """Recognises a stay by its times, and twins by the patient's age and gender.

    Everything is read when it is made, so that an answer takes no time. Raises LookupError for a
    request that the release has no answer to: the server then fails with status 500.
    """

    def __init__(self, release: Path) -> None:
        self._stays: dict[tuple[str, str], list[_Stay]] = {}
        for folder in sorted(release.glob("*/*")):
            if (folder / "conversation.json").is_file():
                self._add(folder)

    def __call__(self, messages: Sequence[Message]) -> str:
        task = next(message["content"] for message in messages if message["role"] == "user")
        if stay := _STAY.search(task):
            return self._dialogue(stay.group(1), stay.group(2), task)
        raise LookupError("the request is not for a dialogue")

    def _dialogue(self, start: str, end: str, task: str) -> str:
        stays = self._stays.get((start, end), [])
        if not stays:
            raise LookupError(f"the release holds no stay from {start} to {end}")
        patient = _patient(task)
        return next((stay for stay in stays if stay.patient == patient), stays[0]).answer

    def _add(self, folder: Path) -> None:
        conversation = _read(folder / "conversation.json")
        summary = _read(folder / "summary.json")
        asked = _read(folder / "prompt_record.json")["task_message"]
        lines = [
            {name: line[name] for name in _PUBLISHED} for line in conversation["conversation_lines"]
        ]
        answer = json.dumps({"conversation_lines": lines, "summary": summary}, ensure_ascii=False)
        times = (conversation["admission_start"], conversation["admission_end"])
        self._stays.setdefault(times, []).append(_Stay(_patient(asked), answer))


def _patient(task: str) -> str:
    found = _PATIENT.search(task)
    return found.group("patient").strip(" .") if found else ""


def _read(path: Path) -> dict[str, Any]:
    return json.loads(path.read_bytes())
