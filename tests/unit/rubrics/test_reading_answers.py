from __future__ import annotations

import json
from pathlib import Path

import pytest

from tasks.contracts.errors import SourceError
from tasks.rubrics.reading.answers import read_answers
from tasks.rubrics.reading.checklists import read_problems
from tasks.rubrics.reading.counting import ReadingLog
from tasks.rubrics.reading.queries import read_queries
from tests.unit.rubrics.shared_data import PUBLIC, needs_public_data

QUESTIONS = {"0": "感冒怎么办？", "1": "什么是痛风？", "2": "继续", "3": "继续"}


def answers(
    tmp_path: Path, records: list[dict[str, object]], questions: dict[str, str] | None = QUESTIONS
) -> tuple[dict[str, str], dict[str, int]]:
    path = tmp_path / "answers.jsonl"
    path.write_text("\n".join(map(json.dumps, records)))
    log = ReadingLog(path.name)
    found = read_answers(path, log, questions)
    return found, {one.rule: one.count for one in log.counts()}


def test_an_answer_that_states_its_question_is_one_to_the_query_that_asks_it(
    tmp_path: Path,
) -> None:
    records: list[dict[str, object]] = [
        {"problem": "什么是痛风？ ", "sanswer": "尿酸"},
        {"problem": "什么是哮喘？", "sanswer": "气道"},
        {"problem": "用户：你好 助手：您好 用户：感冒怎么办？", "sanswer": "休息"},
        {"problem": "继续", "sanswer": "好"},
        {"problem": "继续", "sanswer": "再来"},
    ]
    assert answers(tmp_path, records) == (
        {"1": "尿酸", "0": "休息", "3": "好"},
        {"another_problem": 2},
    )


def test_an_id_or_a_place_counts_where_no_question_tells(tmp_path: Path) -> None:
    by_place: list[dict[str, object]] = [{"answer": "a"}, {"answer": "b"}]
    assert answers(tmp_path, by_place) == ({"0": "a", "1": "b"}, {})
    by_id: list[dict[str, object]] = [{"index": 1, "question": "another", "answer": "a"}]
    assert answers(tmp_path, by_id) == ({"1": "a"}, {})
    asking: list[dict[str, object]] = [{"question": "another", "answer": "a"}]
    assert answers(tmp_path, asking, None) == ({"0": "a"}, {})


def test_answers_to_other_questions_alone_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"holds no answer .refused: another_problem at line 1"):
        answers(tmp_path, [{"problem": "什么是哮喘？", "sanswer": "气道"}])


@needs_public_data
def test_public_answers_are_joined_to_checklists_by_what_they_ask() -> None:
    checklists = PUBLIC / "llmeval_med_zh_checklist.jsonl"
    read = read_queries(checklists, ReadingLog("checklists"))
    questions = {one.query_id: one.question for one in read}
    data_set = PUBLIC / "llmeval_med_zh_dataset.jsonl"
    found = read_answers(data_set, ReadingLog("answers"), questions)
    problems = read_problems(checklists)
    lines = map(json.loads, data_set.read_text(encoding="utf-8").splitlines())
    stated = {one["problem"].strip(): one["sanswer"].strip() for one in lines}
    assert len(found) == 84
    assert all(stated[problems[query_id].strip()] == text for query_id, text in found.items())
