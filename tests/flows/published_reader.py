"""A strict reader of the published benchmark's layout, written without any of this project's code.

It opens ``combined_conversation.json`` and ``benchmark_qa.json`` only, as consumers of the
published data do, and refuses what they refuse.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

SCOPES = {
    "single_admission": {"medical_reasoning", "care_plan_rationale", "adversarial"},
    "cross_admission": {
        "adversarial",
        "longitudinal_progression",
        "cross_admission_comparison",
        "frequency_pattern",
    },
}


def read_published(release: Path) -> dict[str, dict[str, Any]]:
    """Every question by qa_id; raises AssertionError at the first thing a consumer refuses."""
    questions: dict[str, dict[str, Any]] = {}
    for patient in sorted(path for path in release.iterdir() if path.is_dir()):
        timeline = json.loads((patient / "combined_conversation.json").read_text("utf-8"))
        assert timeline["subject_id"] == patient.name
        turns = {one["hadm_id"]: _turns(one) for one in timeline["admissions"]}
        assert timeline["processed_hadm_ids"] == list(turns)
        starts = [one["admission_start"] for one in timeline["admissions"]]
        assert starts == sorted(starts)
        for item in json.loads((patient / "benchmark_qa.json").read_text("utf-8"))["qas"]:
            assert item["qa_id"] not in questions, f"repeated {item['qa_id']}"
            _check(item, turns)
            questions[item["qa_id"]] = item
    return questions


def _turns(admission: dict[str, Any]) -> set[int]:
    for line in admission["conversation_lines"]:
        assert set(line) == {"turn_number", "time", "speaker", "text"}
        assert line["text"].strip()
        assert line["speaker"] in {"Doctor", "Patient"}
        assert admission["admission_start"] <= line["time"] <= admission["admission_end"]
    return {line["turn_number"] for line in admission["conversation_lines"]}


def _check(item: dict[str, Any], turns: dict[str, set[int]]) -> None:
    assert item["question_type"] in SCOPES[item["scope"]], item["qa_id"]
    assert item["question"].strip()
    assert item["answer"].strip()
    evidence = item["evidence"]
    assert set(evidence["admissions"]) <= set(turns), item["qa_id"]
    if item["scope"] == "single_admission":
        (hadm_id,) = evidence["admissions"]
        assert evidence["turn_ids"], item["qa_id"]
        assert set(evidence["turn_ids"]) <= turns[hadm_id], item["qa_id"]
    else:
        assert "turn_ids" not in evidence
        assert len(evidence["admissions"]) >= 2, item["qa_id"]
        for cited in evidence["turns"]:
            assert cited["turn_number"] in turns[cited["hadm_id"]], item["qa_id"]
