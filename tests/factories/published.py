"""A release as others publish one: two files a patient, ids as numbers, no cited turns."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

TIMELINE, QUESTIONS = "combined_conversation.json", "benchmark_qa.json"


def publish(release: Path, folder: Path) -> Path:
    """Write a release of ours in the published layout; returns its folder."""
    for path in sorted(release.glob(f"*/{TIMELINE}")):
        made = folder / path.parent.name
        made.mkdir(parents=True)
        timeline = _read(path)
        timeline["subject_id"] = int(timeline["subject_id"])
        timeline["written_by"] = "somebody else"
        for session in timeline["admissions"]:
            session["hadm_id"] = int(session["hadm_id"])
        _write(made / TIMELINE, timeline)
        asked = _read(path.parent / QUESTIONS)
        asked["qas"] = [_published(one) for one in asked["qas"]]
        _write(made / QUESTIONS, asked)
    return folder


def change(path: Path, **changes: Any) -> None:
    """Change fields of the first question of a file; None takes a field away."""
    content = _read(path)
    first = content["qas"][0]
    for name, value in changes.items():
        if value is None:
            first.pop(name, None)
        else:
            first[name] = value
    _write(path, content)


def _published(question: dict[str, Any]) -> dict[str, Any]:
    evidence = {"admissions": [int(one) for one in question["evidence"]["admissions"]]}
    if question["scope"] == "single_admission":
        evidence["turn_ids"] = question["evidence"]["turn_ids"]
    made = {**question, "evidence": evidence, "difficulty": 3}
    if question["question_type"] == "adversarial":
        del made["answer"]
    return made


def _read(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8"))


def _write(path: Path, content: dict[str, Any]) -> None:
    path.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
