"""Bad releases made by hand from a good one: each is wrong in one way."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

Spoil = Callable[[Path], None]

NOT_IN_ANY_RECORD = "amikacin"
"""A drug that the factories' cohorts lack; ``spoil_grounding`` makes sure."""

_HINT = "Thank you, that is good to know and I will keep it in mind."


def spoil_grounding(release: Path) -> None:
    """A doctor speaks of a drug that the patient never had."""
    folder = _patients(release)[0]
    records = "".join(path.read_text("utf-8") for path in folder.glob("*/formed_packet.json"))
    assert NOT_IN_ANY_RECORD not in records.casefold()
    with _edited(folder / "combined_conversation.json") as timeline:
        line = next(line for line in _uncited(folder, timeline) if line["speaker"] == "Doctor")
        line["text"] += f" We also gave you {NOT_IN_ANY_RECORD}."


def spoil_support(release: Path) -> None:
    """An answer gives another value than the turn it cites."""
    with _edited(_patients(release)[0] / "benchmark_qa.json") as asked:
        item = next(one for one in asked["qas"] if one["question_type"] == "care_plan_rationale")
        item["answer"] = "a device that nobody mentioned"


def spoil_answerability(release: Path) -> None:
    """A question that the record answers counts as one that it can't answer."""
    with _edited(_patients(release)[0] / "benchmark_qa.json") as asked:
        item = next(one for one in asked["qas"] if one["question_type"] == "care_plan_rationale")
        item["question_type"] = "adversarial"
        item["answer"] = "the question is not answerable"


def spoil_wording(release: Path) -> None:
    """Adversarial questions open with an auxiliary, as half of the published ones do."""
    for folder in _patients(release):
        with _edited(folder / "benchmark_qa.json") as asked:
            for item in asked["qas"]:
                if item["question_type"] == "adversarial":
                    prefix, comma, rest = item["question"].rpartition(", ")
                    item["question"] = f"{prefix}{comma}was it ever asked: {rest}"


def spoil_variety(release: Path) -> None:
    """One sentence is said again and again."""
    for folder in _patients(release):
        with _edited(folder / "combined_conversation.json") as timeline:
            for number, line in enumerate(_uncited(folder, timeline)):
                if line["speaker"] == "Patient" and number % 8 == 0:
                    line["text"] = _HINT


def spoil_duplicates(release: Path) -> None:
    """A question is asked of its patient twice, with other stops."""
    with _edited(_patients(release)[0] / "benchmark_qa.json") as asked:
        item = next(one for one in asked["qas"] if one["question_type"] == "care_plan_rationale")
        again = f"{item['question'].rstrip('?')} ?"
        asked["qas"].append({**item, "qa_id": f"{item['qa_id']}9", "question": again})


SPOILED: dict[str, Spoil] = {
    "grounding": spoil_grounding,
    "support": spoil_support,
    "answerability": spoil_answerability,
    "wording": spoil_wording,
    "variety": spoil_variety,
    "duplicates": spoil_duplicates,
}
"""By the audit that has to fail, and no other."""


@contextmanager
def _edited(path: Path) -> Generator[Any]:
    """A JSON file that is written back at the end of the block."""
    content: Any = json.loads(path.read_text("utf-8"))
    yield content
    path.write_text(json.dumps(content), encoding="utf-8")


def _patients(release: Path) -> list[Path]:
    return sorted(path.parent for path in release.glob("*/benchmark_qa.json"))


def _uncited(folder: Path, timeline: Any) -> Iterator[Any]:
    """Turns that no question cites, in a fixed random order."""
    asked = json.loads((folder / "benchmark_qa.json").read_text("utf-8"))["qas"]
    cited = {
        (turn["hadm_id"], turn["turn_number"])
        for item in asked
        for turn in item["evidence"]["turns"]
    }
    lines = [
        line
        for session in timeline["admissions"]
        for line in session["conversation_lines"]
        if (session["hadm_id"], line["turn_number"]) not in cited
    ]
    random.Random(folder.name).shuffle(lines)
    yield from lines
