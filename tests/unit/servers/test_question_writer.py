"""The test server's answers to question requests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.servers.question_writer import QuestionWriter

PREFIX = "During the hospitalization from 2150-06-01 to 2150-06-05, "


def question(kind: str, turn: int) -> dict[str, Any]:
    return {
        "question_type": kind,
        "question": f"{PREFIX}what about {kind}?",
        "answer": "rash",
        "evidence": {"turn_ids": [turn]},
    }


def write_stay(folder: Path, first: str, turn: int) -> None:
    folder.mkdir(parents=True)
    lines = {"conversation_lines": [{"turn_number": 1, "text": first}]}
    (folder / "conversation.json").write_text(json.dumps(lines))
    kinds = ("medical_reasoning", "care_plan_rationale", "adversarial")
    asked = {"qas": [question(kind, turn) for kind in kinds]}
    (folder / "qa.json").write_text(json.dumps(asked))


@pytest.fixture
def writer(tmp_path: Path) -> QuestionWriter:
    write_stay(tmp_path / "90000001" / "80000001", "You came in with a cough.", 4)
    write_stay(tmp_path / "90000001" / "80000002", "You came in with a fever.", 7)
    return QuestionWriter(tmp_path)


def answer(writer: QuestionWriter, task: str) -> list[dict[str, Any]]:
    messages = [{"role": "system", "content": "s"}, {"role": "user", "content": task}]
    return json.loads(writer(messages))["questions"]


def test_a_stay_is_known_by_its_dates_and_its_twin_by_the_first_turn(writer: QuestionWriter):
    task = (
        "Write:\n- `medical_reasoning`: a result\n\n"
        f"Each begins with exactly these words: `{PREFIX}`\n"
        "1 | 2150-06-01 10:00:00 | Doctor | You came in with a fever."
    )
    (found,) = answer(writer, task)
    assert found["question_type"] == "medical_reasoning"
    assert found["cited_turns"] == [7]


def test_listed_questions_come_back_as_they_stand_or_with_another_target(writer: QuestionWriter):
    swap = {"old": "latex", "new": "penicillin"}
    task = "\n".join(
        [
            json.dumps({"number": 1, "question": "What of latex?", "keep": ["latex"]}),
            json.dumps({"number": 2, "question": "What of Latex?", "replace": [swap]}),
        ]
    )
    assert answer(writer, task) == [
        {"number": 1, "question": "What of latex?"},
        {"number": 2, "question": "What of penicillin?"},
    ]


@pytest.mark.parametrize(
    "task",
    ["Tell me a story.", "begins with exactly these words: `During the hospitalization on 2150, `"],
)
def test_what_it_has_no_answer_to_is_an_error(writer: QuestionWriter, task: str):
    with pytest.raises(LookupError):
        answer(writer, task)
