from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.servers.dialogue_writer import DialogueWriter
from tests.servers.writers import EchoWriter, FirstOf

_TIMES = ("2180-01-02 03:04:05", "2180-01-04 12:00:00")
_TASK = "The stay began {0} and ends {1}. The patient can be spoken to until {1}.\nPatient: {2}.\n"


def _write_stay(release: Path, hadm_id: str, patient: str, text: str) -> None:
    folder = release / "19999999" / hadm_id
    folder.mkdir(parents=True)
    start, end = _TIMES
    line = {"turn_number": 1, "time": start, "speaker": "Doctor", "text": text}
    summary = {
        "admission_start": start,
        "admission_end": end,
        "summary_paragraph": f"A stay with {text}",
        "problems": ["cough"],
    }
    files = {
        "conversation": {
            "subject_id": "19999999",
            "hadm_id": hadm_id,
            "admission_start": start,
            "admission_end": end,
            "conversation_lines": [line],
        },
        "summary": summary,
        "prompt_record": {"task_message": _TASK.format(*_TIMES, patient)},
    }
    for name, content in files.items():
        (folder / f"{name}.json").write_text(json.dumps(content), encoding="utf-8")


@pytest.fixture
def writer(tmp_path: Path) -> DialogueWriter:
    _write_stay(tmp_path, "29999991", "woman, age 60", "one")
    _write_stay(tmp_path, "29999992", "man, age 71", "two")
    return DialogueWriter(tmp_path)


def _ask(writer: DialogueWriter, task: str) -> dict[str, object]:
    system = {"role": "system", "content": "Write."}
    return json.loads(writer([system, {"role": "user", "content": task}]))


def test_a_stay_is_recognised_by_its_times_and_its_patient(writer: DialogueWriter) -> None:
    line = {"turn_number": 1, "time": _TIMES[0], "speaker": "Doctor", "text": "two"}
    assert _ask(writer, _TASK.format(*_TIMES, "man, age 71")) == {
        "conversation_lines": [line],
        "summary": {
            "admission_start": _TIMES[0],
            "admission_end": _TIMES[1],
            "summary_paragraph": "A stay with two",
            "problems": ["cough"],
        },
    }


def test_single_turns_and_the_summary_alone_are_answered_too(writer: DialogueWriter) -> None:
    task = _TASK.format(*_TIMES, "woman, age 60")
    turns = f"{task} Write a new text for each of these turns: 1, 7. The speaker stays."
    assert _ask(writer, turns) == {"turns": [{"turn_number": 1, "text": "one"}]}
    summary = f"The summary of a hospital stay has to be put differently.\n{task}"
    assert _ask(writer, summary) == {
        "summary_paragraph": "A stay with one",
        "problems": ["cough"],
    }


@pytest.mark.parametrize("task", ["Hello", _TASK.format(_TIMES[0], _TIMES[0], "man, age 71")])
def test_what_the_release_does_not_hold_is_left_to_others(
    writer: DialogueWriter, task: str
) -> None:
    messages = [{"role": "user", "content": task}]
    with pytest.raises(LookupError):
        writer(messages)
    assert FirstOf([writer, EchoWriter()])(messages) == {"text": task}
    with pytest.raises(LookupError, match="no writer"):
        FirstOf([writer])(messages)
