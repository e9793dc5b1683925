from __future__ import annotations

import json
from pathlib import Path

import pytest

from tasks.contracts.errors import SourceError
from tasks.contracts.rubrics import Query
from tasks.rubrics.reading.answers import read_answers
from tasks.rubrics.reading.counting import ReadingLog
from tasks.rubrics.reading.queries import read_queries
from tests.unit.rubrics.shared_data import PUBLIC, needs_public_data


def queries(tmp_path: Path, name: str, text: str) -> tuple[tuple[Query, ...], ReadingLog]:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    log = ReadingLog(name)
    return read_queries(path, log), log


def test_a_line_of_text_is_an_index_and_a_query(tmp_path: Path) -> None:
    (one,), _ = queries(tmp_path, "q.txt", "12\tUser: how to reduce bloating\n")
    assert one.query_id == "12"
    assert one.question == "how to reduce bloating"
    assert one.language == "en"


def test_a_conversation_keeps_its_speakers(tmp_path: Path) -> None:
    line = "0\tUser: Chill Assistant: Do you feel cold? User: no fever, is it serious"
    (one,), _ = queries(tmp_path, "q.txt", line)
    assert [(turn.speaker, turn.text) for turn in one.messages] == [
        ("user", "Chill"),
        ("assistant", "Do you feel cold?"),
        ("user", "no fever, is it serious"),
    ]
    assert one.said == "Chill\nno fever, is it serious"


def test_a_chinese_conversation_keeps_its_speakers(tmp_path: Path) -> None:
    line = "0\t用户：发烧 助手：多少度？ 用户: 39度"
    (one,), _ = queries(tmp_path, "q.txt", line)
    assert [(turn.speaker, turn.text) for turn in one.messages] == [
        ("user", "发烧"),
        ("assistant", "多少度？"),
        ("user", "39度"),
    ]


def test_a_text_without_numbers_is_numbered_by_line(tmp_path: Path) -> None:
    found, _ = queries(tmp_path, "q.txt", "what is gout\n\nwhat is asthma")
    assert [(one.query_id, one.question) for one in found] == [
        ("0", "what is gout"),
        ("2", "what is asthma"),
    ]


@pytest.mark.parametrize(
    "record",
    [
        {"query_id": "a", "query": "what is gout"},
        {"index": "a", "original_query": "what is gout"},
        {"id": "a", "messages": [{"role": "user", "content": "what is gout"}]},
        {"prompt_id": "a", "prompt": [{"role": "user", "content": "what is gout"}]},
        {"id": "a", "conversations": [{"from": "human", "value": "what is gout"}]},
        {"id": "a", "dialogue": [{"speaker": "患者", "text": "what is gout"}]},
        {"id": "a", "conversation": "User: what is gout"},
    ],
)
def test_json_lines_may_name_the_query_in_several_ways(
    tmp_path: Path, record: dict[str, object]
) -> None:
    (one,), _ = queries(tmp_path, "q.jsonl", json.dumps(record))
    assert (one.query_id, one.question) == ("a", "what is gout")


def test_chinese_problems_are_told_apart_and_numbered(tmp_path: Path) -> None:
    lines = "\n".join(json.dumps({"problem": one}) for one in ("感冒怎么办？", "什么是痛风？"))
    found, _ = queries(tmp_path, "q.jsonl", lines)
    assert [(one.query_id, one.language) for one in found] == [("0", "zh"), ("1", "zh")]


def test_records_that_ask_nothing_or_repeat_an_id_are_refused(tmp_path: Path) -> None:
    records: list[object] = [
        {"id": "a", "query": "what is gout"},
        {"id": "a", "query": "what is asthma"},
        {"id": "b", "query": "  "},
        {"id": "../x", "query": "what is asthma"},
        {"id": "c", "messages": [{"role": "assistant", "content": "hello"}]},
        7,
    ]
    found, log = queries(tmp_path, "q.jsonl", "\n".join(map(json.dumps, records)))
    assert [one.query_id for one in found] == ["a"]
    assert {one.rule: one.count for one in log.counts()} == {
        "repeated_query": 1,
        "no_question": 2,
        "no_plain_id": 1,
        "not_a_record": 1,
    }


def test_an_empty_file_and_a_missing_one_are_errors_with_a_remedy(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="holds no query"):
        queries(tmp_path, "q.txt", "\n")
    with pytest.raises(SourceError, match="can't be read"):
        read_queries(tmp_path / "none.txt", ReadingLog("none"))


def test_answers_are_read_by_id_and_empty_ones_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    lines = [
        {"index": 0, "reference_response": "Drink water."},
        {"index": 1, "reference_response": ""},
    ]
    path.write_text("\n".join(map(json.dumps, lines)))
    log = ReadingLog("a.jsonl")
    assert read_answers(path, log) == {"0": "Drink water."}
    assert [(one.rule, one.first) for one in log.counts()] == [("empty_answer", ("1",))]


def test_rounds_of_a_group_are_one_conversation(tmp_path: Path) -> None:
    records = [
        {"groupCode": 5, "round": 1, "problem": "什么是痛风？", "sanswer": "关节病。"},
        {"groupCode": 5, "round": 2, "problem": "如何治疗？", "sanswer": "多喝水。"},
        {"groupCode": 6, "round": 1, "problem": "什么是哮喘？", "sanswer": "气道病。"},
    ]
    found, _ = queries(tmp_path, "q.jsonl", "\n".join(map(json.dumps, records)))
    assert [[turn.text for turn in one.messages] for one in found] == [
        ["什么是痛风？"],
        ["什么是痛风？", "关节病。", "如何治疗？"],
        ["什么是哮喘？"],
    ]


@needs_public_data
def test_the_public_conversations_and_answers_are_read_whole() -> None:
    log = ReadingLog("conversations.txt")
    found = read_queries(PUBLIC / "conversations.txt", log)
    assert [one.query_id for one in found] == [str(number) for number in range(254)]
    assert sum(len(one.messages) > 1 for one in found) == 4
    assert log.counts() == ()
    assert len(read_answers(PUBLIC / "reference_responses.jsonl", ReadingLog("a"))) == 242


def test_separators_of_lines_within_a_text_query_do_not_split_it(tmp_path: Path) -> None:
    path = tmp_path / "queries.txt"
    path.write_bytes("0\tis it\x85 safe\u2028today\r\n1\tand tomorrow\n".encode())
    found = read_queries(path, ReadingLog("queries.txt"))
    assert [(one.query_id, one.question) for one in found] == [
        ("0", "is it\x85 safe\u2028today"),
        ("1", "and tomorrow"),
    ]


def test_an_answer_of_a_round_that_is_no_text_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "rounds.jsonl"
    rounds = [
        {"problem": "一", "groupCode": 1, "round": 1, "sanswer": 5},
        {"problem": "二", "groupCode": 1, "round": 2},
    ]
    path.write_text("\n".join(json.dumps(one) for one in rounds), "utf-8")
    second = read_queries(path, ReadingLog("rounds.jsonl"))[1]
    assert [one.text for one in second.messages] == ["一", "二"]


def test_a_query_without_an_id_after_a_broken_line_keeps_its_place(tmp_path: Path) -> None:
    path = tmp_path / "queries.jsonl"
    path.write_text('{"query": "a"}\n{"query": \n{"query": "c"}\nnull\n', "utf-8")
    log = ReadingLog("queries.jsonl")
    assert [one.query_id for one in read_queries(path, log)] == ["0", "2"]
    assert {one.rule: one.count for one in log.counts()} == {"not_json": 1, "not_a_record": 1}


def test_json_lines_are_told_by_what_they_hold_not_by_the_name(tmp_path: Path) -> None:
    found, _ = queries(tmp_path, "queries.txt", '{"index": 7, "query": "is it safe"}\n')
    assert [(one.query_id, one.question) for one in found] == [("7", "is it safe")]


def test_what_is_no_turn_of_the_conversation_is_left_out_and_counted(tmp_path: Path) -> None:
    said = [
        {"role": "system", "content": "Be brief."},
        {"role": "User ", "content": [{"type": "text", "text": "It hurts."}, "Here."]},
        {"role": "assistant", "content": " "},
        {"role": "user", "content": "Since today."},
    ]
    record = json.dumps({"id": "a", "messages": said})
    (one,), log = queries(tmp_path, "q.jsonl", record)
    assert [turn.text for turn in one.messages] == ["It hurts.\nHere.", "Since today."]
    assert [(one.action, one.rule, one.count) for one in log.counts()] == [
        ("repaired", "empty_message", 1),
        ("repaired", "other_speaker", 1),
    ]


@pytest.mark.parametrize(
    "content", [None, 7, {"text": "x"}, [{"type": "image_url", "image_url": {}}], [["x"]]]
)
def test_a_message_that_is_no_text_refuses_its_record(tmp_path: Path, content: object) -> None:
    lost = {"id": "a", "messages": [{"role": "user", "content": content}]}
    text = "\n".join(map(json.dumps, (lost, {"id": "b", "query": "what is gout"})))
    (one,), log = queries(tmp_path, "q.jsonl", text)
    assert one.query_id == "b"
    assert log.refusals == 1
    assert [(one.rule, one.first) for one in log.counts()] == [
        ("message_without_text", ("line 1",))
    ]


@pytest.mark.parametrize("head", ["id\tquery", "index\ttext"])
def test_the_head_of_a_table_is_no_query(tmp_path: Path, head: str) -> None:
    (one,), log = queries(tmp_path, "q.tsv", f"{head}\n7\twhat is gout\n")
    assert (one.query_id, one.question) == ("7", "what is gout")
    assert [one.rule for one in log.counts()] == ["header_line"]


def test_a_table_with_commas_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="tables with commas"):
        queries(tmp_path, "q.csv", "id,query\n1,what is gout\n")


def test_a_file_of_refused_records_says_why(tmp_path: Path) -> None:
    with pytest.raises(
        SourceError, match=r"refused: no_plain_id at line 1; no_question at line 2 and 1 more"
    ):
        queries(tmp_path, "q.jsonl", '{"id": 1.5}\n{"id": 1}\n{"id": 2, "query": 3}\n')


@pytest.mark.parametrize(
    ("stated", "read_as", "rules"),
    [(3.0, "3", ["id_as_decimal"]), (None, "0", []), ("a.b", "a.b", []), (2**63, str(2**63), [])],
)
def test_ids_are_read_as_they_are_meant(
    tmp_path: Path, stated: object, read_as: str, rules: list[str]
) -> None:
    record = {"index": stated, "query": "what is gout"}
    (one,), log = queries(tmp_path, "q.jsonl", json.dumps(record))
    assert one.query_id == read_as
    assert [one.rule for one in log.counts()] == rules
    path = tmp_path / "answers.jsonl"
    path.write_text(json.dumps({"index": stated, "answer": "Drink water."}))
    assert read_answers(path, ReadingLog("answers")) == {read_as: "Drink water."}


@pytest.mark.parametrize("name", ["q.txt", "queries"])
def test_a_json_list_is_told_by_what_it_holds_not_by_the_name(tmp_path: Path, name: str) -> None:
    (one,), _ = queries(tmp_path, name, '[\n {"query": "what is gout"}]')
    assert (one.query_id, one.question) == ("0", "what is gout")


def test_a_text_in_brackets_is_a_text(tmp_path: Path) -> None:
    (one,), _ = queries(tmp_path, "q.txt", "[urgent] what is gout")
    assert one.question == "[urgent] what is gout"
