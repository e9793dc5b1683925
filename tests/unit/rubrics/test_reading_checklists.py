from __future__ import annotations

import json
from pathlib import Path

from tasks.rubrics.reading.checklists import read_checklists
from tasks.rubrics.reading.counting import ReadingLog
from tests.unit.rubrics.shared_data import PUBLIC, needs_public_data


def test_the_parts_of_a_checklist_decide_points_and_labels_the_axis(tmp_path: Path) -> None:
    text = (
        "核心需求：\n1. 内容要求：解释原因。\n2. 语言要求：语言简洁。\n\n"
        "二、次要需求：\n1. 强调就医。"
    )
    path = tmp_path / "zh.jsonl"
    path.write_text(json.dumps({"problem": "为什么？", "checklist": text}), encoding="utf-8")
    found = read_checklists(path, "zh", ReadingLog("zh")).rubrics[0]
    assert [(one.criterion, one.axis, one.points) for one in found.criteria] == [
        ("解释原因。", "accuracy", 5),
        ("语言简洁。", "communication_quality", 5),
        ("强调就医。", "completeness", 3),
    ]


def test_a_checklist_item_that_says_none_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "zh.jsonl"
    items = ["提醒就医。 无", "无", "无痛检查"]
    path.write_text(json.dumps({"problem": "x", "checklist": items}), encoding="utf-8")
    log = ReadingLog("zh")
    found = read_checklists(path, "zh", log).rubrics[0]
    assert [one.criterion for one in found.criteria] == ["提醒就医。", "无痛检查"]
    assert [one.count for one in log.counts() if one.rule == "placeholder_item"] == [2]


@needs_public_data
def test_public_checklists_are_read_whole() -> None:
    found = read_checklists(PUBLIC / "llmeval_med_zh_checklist.jsonl", "zh", ReadingLog("zh"))
    assert len(found.rubrics) == 114
    assert sum(len(one.criteria) for one in found.rubrics) == 402
