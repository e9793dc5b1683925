"""Answers dialogue requests as a good model would, from a release of the same data."""

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
_TURNS = re.compile(r"a new text for each of these turns: (?P<numbers>[\d, and]+)")
_SUMMARY = "The summary of a hospital stay has to be put differently"
_PUBLISHED = ("turn_number", "time", "speaker", "text")


@dataclass(frozen=True)
class _Stay:
    """One admission of the release: how it is recognised and what is answered."""

    patient: str
    dialogue: dict[str, Any]
    whole: str
    """The answer to a request for all of it, written once."""

    def turns(self, numbers: str) -> str:
        """Texts of some turns, as they stand."""
        wanted = [int(number) for number in re.findall(r"\d+", numbers)]
        lines = self.dialogue["conversation_lines"]
        texts = {line["turn_number"]: line["text"] for line in lines}
        turns = [{"turn_number": one, "text": texts[one]} for one in wanted if one in texts]
        return json.dumps({"turns": turns}, ensure_ascii=False)

    def summary(self) -> str:
        """The summary alone, without its times."""
        summary = self.dialogue["summary"]
        answer = {name: summary[name] for name in ("summary_paragraph", "problems")}
        return json.dumps(answer, ensure_ascii=False)


class DialogueWriter:
    """Recognises a stay by its times, and twins by the patient's age and gender.

    Everything is read when it is made, so that an answer takes no time. Raises LookupError for
    what is no dialogue request, and for a stay that the release lacks.
    """

    def __init__(self, release: Path) -> None:
        self._stays: dict[tuple[str, str], list[_Stay]] = {}
        for file in sorted(release.glob("*/*/conversation.json")):
            self._add(file.parent)

    def __call__(self, messages: Sequence[Message]) -> str:
        task = next(message["content"] for message in messages if message["role"] == "user")
        times = _STAY.search(task)
        if times is None:
            raise LookupError("the request is not for a dialogue")
        stay = self._find(times.group(1), times.group(2), _patient(task))
        if turns := _TURNS.search(task):
            return stay.turns(turns["numbers"])
        return stay.summary() if _SUMMARY in task else stay.whole

    def _find(self, start: str, end: str, patient: str) -> _Stay:
        stays = self._stays.get((start, end), [])
        if not stays:
            raise LookupError(f"the release holds no stay from {start} to {end}")
        return next((stay for stay in stays if stay.patient == patient), stays[0])

    def _add(self, folder: Path) -> None:
        conversation = _read(folder / "conversation.json")
        lines = [
            {name: line[name] for name in _PUBLISHED} for line in conversation["conversation_lines"]
        ]
        dialogue = {"conversation_lines": lines, "summary": _read(folder / "summary.json")}
        patient = _patient(_read(folder / "prompt_record.json")["task_message"])
        times = (conversation["admission_start"], conversation["admission_end"])
        whole = json.dumps(dialogue, ensure_ascii=False)
        self._stays.setdefault(times, []).append(_Stay(patient, dialogue, whole))


def _patient(task: str) -> str:
    found = _PATIENT.search(task)
    return found["patient"].strip(" .") if found else ""


def _read(path: Path) -> dict[str, Any]:
    return json.loads(path.read_bytes())
