from __future__ import annotations

import json
from math import nan
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.contracts.errors import SourceError
from tasks.contracts.rubrics import Criterion, RubricSet
from tasks.rubrics.reading.checklists import read_checklists, read_problems
from tasks.rubrics.reading.counting import ReadingLog
from tasks.rubrics.reading.rubrics import by_query, read_criteria, read_rubrics
from tests.unit.rubrics.shared_data import CASES, PUBLIC, needs_cases, needs_public_data

SAYS = {"criterion": "says to call for help", "axis": "accuracy", "points": 5}


def read(tmp_path: Path, text: str) -> tuple[RubricSet, dict[tuple[str, str], int]]:
    path = tmp_path / "rubrics.jsonl"
    path.write_text(text, encoding="utf-8")
    log = ReadingLog("rubrics.jsonl")
    found = read_rubrics(path, "made", log)
    return found, {(one.action, one.rule): one.count for one in log.counts()}


def criteria_of(values: list[object]) -> tuple[tuple[Criterion, ...], dict[str, int]]:
    log = ReadingLog("made")
    found = read_criteria(values, "7", log)
    return found, {one.rule: one.count for one in log.counts() if one.action != "kept"}


def test_a_healthbench_line_is_read_as_it_is(tmp_path: Path) -> None:
    found, counts = read(tmp_path, json.dumps({"index": 3, "rubrics": [SAYS]}))
    assert found.rubrics[0].query_id == "3"
    assert found.rubrics[0].criteria[0].points == 5
    assert counts == {("kept", "no_negative_criterion"): 1}


def test_trailing_commas_are_taken_away_outside_of_texts(tmp_path: Path) -> None:
    line = '{"index": 1, "rubrics": [{"criterion": "a,] b", "axis": "accuracy", "points": -2},],}'
    found, counts = read(tmp_path, line)
    assert found.rubrics[0].criteria[0].criterion == "a,] b"
    assert counts[("repaired", "trailing_comma")] == 1


@pytest.mark.parametrize("points", ["NaN", "Infinity", "-Infinity"])
def test_points_that_are_no_finite_number_are_refused(tmp_path: Path, points: str) -> None:
    bad = f'{{"criterion": "b", "axis": "accuracy", "points": {points}}}'
    found, counts = read(tmp_path, f'{{"index": 1, "rubrics": [{json.dumps(SAYS)}, {bad}]}}')
    assert len(found.rubrics[0].criteria) == 1
    assert counts[("repaired", "number_not_finite")] == 1
    assert counts[("refused", "points_not_a_number")] == 1


@pytest.mark.parametrize(
    ("points", "rule"),
    [
        ("5", "points_not_a_number"),
        (True, "points_not_a_number"),
        (None, "points_not_a_number"),
        (1e308, "points_out_of_range"),
        (nan, "points_out_of_range"),
        (11, "points_out_of_range"),
        (-11, "points_out_of_range"),
        (2.5, "points_not_whole"),
        (0, "points_zero"),
    ],
)
def test_points_out_of_the_stated_range_are_refused(points: object, rule: str) -> None:
    found, counts = criteria_of([SAYS, {**SAYS, "criterion": "b", "points": points}])
    assert len(found) == 1
    assert counts == {rule: 1}


def test_whole_points_written_as_decimals_are_read() -> None:
    found, counts = criteria_of([{**SAYS, "points": -10.0}])
    assert found[0].points == -10
    assert counts == {"points_as_decimal": 1}


def test_duplicates_but_for_case_blanks_and_a_full_stop_count_once() -> None:
    found, counts = criteria_of([SAYS, {**SAYS, "criterion": "Says to call  for help. "}])
    assert len(found) == 1
    assert counts["duplicate_criterion"] == 1


@pytest.mark.parametrize(
    ("axis", "read_as", "rule"),
    [
        ("Accuracy", "accuracy", "axis_spelling"),
        ("communication quality", "communication_quality", "axis_spelling"),
        ("communication", "communication_quality", "axis_of_another_set"),
        ("safety", "accuracy", "axis_of_another_set"),
    ],
)
def test_known_spellings_of_axes_are_repaired(axis: str, read_as: str, rule: str) -> None:
    found, counts = criteria_of([{**SAYS, "axis": axis}])
    assert found[0].axis == read_as
    assert counts == {rule: 1}


def test_an_axis_that_nobody_knows_is_refused() -> None:
    found, counts = criteria_of([{**SAYS, "axis": "vibes"}, {**SAYS, "axis": None}])
    assert found == ()
    assert counts == {"no_axis": 1, "unknown_axis": 1}


def test_the_axis_may_stand_among_the_tags() -> None:
    found, _ = criteria_of(
        [{"criterion": "a", "points": 2, "tags": ["level:example", "axis:completeness"]}]
    )
    assert found[0].axis == "completeness"


def test_records_without_an_id_or_a_list_are_refused_and_empty_rubrics_kept(tmp_path: Path) -> None:
    lines = [{"rubrics": [SAYS]}, {"index": 2}, {"index": 3, "rubrics": []}, [1]]
    found, counts = read(tmp_path, "\n".join(json.dumps(one) for one in lines))
    assert [one.query_id for one in found.rubrics] == ["3"]
    assert counts[("refused", "no_query_id")] == 1
    assert counts[("refused", "no_criteria_list")] == 1
    assert counts[("refused", "not_a_record")] == 1
    assert counts[("kept", "empty_rubric")] == 1


def test_a_line_that_is_no_json_is_refused_and_the_others_read(tmp_path: Path) -> None:
    found, counts = read(tmp_path, '{"index": 1\n' + json.dumps({"index": 2, "rubrics": [SAYS]}))
    assert [one.query_id for one in found.rubrics] == ["2"]
    assert counts[("refused", "not_json")] == 1


def test_a_list_of_criteria_is_the_rubric_of_every_query(tmp_path: Path) -> None:
    found, _ = read(tmp_path, json.dumps([SAYS]))
    rubric = by_query(found, ["12"])["12"]
    assert rubric is not None
    assert rubric.query_id == "12"


def test_a_file_without_rubrics_is_an_error_that_says_what_is_expected(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="holds no rubric"):
        read(tmp_path, "\n")


@needs_cases
def test_points_of_the_shared_case_are_all_refused() -> None:
    case = json.loads((CASES / "G1_rubrics.json").read_text())[7]
    found, counts = criteria_of(case["items"])
    assert found == ()
    assert counts == {"points_not_a_number": 2, "points_out_of_range": 1}


@needs_public_data
@pytest.mark.parametrize(
    ("name", "criteria", "refused"),
    [
        ("reference_rubrics.jsonl", 2324, {}),
        ("GPT4o_rubrics.jsonl", 2538, {}),
        ("final_rubrics.jsonl", 3568, {"points_zero": 1, "unknown_axis": 1}),
    ],
)
def test_public_files_are_read_whole(name: str, criteria: int, refused: dict[str, int]) -> None:
    log = ReadingLog(name)
    found = read_rubrics(PUBLIC / name, name, log)
    assert len(found.rubrics) == 254
    assert sum(len(one.criteria) for one in found.rubrics) == criteria
    assert {one.rule: one.count for one in log.counts() if one.action == "refused"} == refused


@given(
    st.lists(
        st.fixed_dictionaries(
            {
                "criterion": st.one_of(st.text(max_size=8), st.none(), st.integers()),
                "axis": st.one_of(st.sampled_from(["accuracy", "safety", "x"]), st.none()),
                "points": st.one_of(st.integers(-20, 20), st.floats(), st.text(max_size=2)),
            }
        )
        | st.integers(),
        max_size=6,
    )
)
def test_whatever_stands_in_a_list_each_item_is_kept_or_counted(values: list[object]) -> None:
    log = ReadingLog("made")
    found = read_criteria(values, "1", log)
    refused = sum(one.count for one in log.counts() if one.action == "refused")
    assert len(found) + refused == len(values)


def test_not_a_number_and_a_trailing_comma_in_one_line_are_both_repaired(tmp_path: Path) -> None:
    bad = '{"criterion": "b", "axis": "accuracy", "points": NaN},'
    found, counts = read(tmp_path, f'{{"index": 1, "rubrics": [{json.dumps(SAYS)}, {bad}]}}')
    assert [one.criterion for one in found.rubrics[0].criteria] == ["says to call for help"]
    assert counts[("repaired", "trailing_comma")] == 1
    assert counts[("repaired", "number_not_finite")] == 1


def test_a_line_cut_after_not_a_number_is_refused(tmp_path: Path) -> None:
    whole = json.dumps({"index": 1, "rubrics": [SAYS]})
    found, counts = read(tmp_path, f'{{"index": 0, "rubrics": [{{"points": NaN\n{whole}')
    assert [one.query_id for one in found.rubrics] == ["1"]
    assert counts[("refused", "not_json")] == 1


def test_a_key_given_twice_refuses_the_record(tmp_path: Path) -> None:
    twice = '{"index": 0, "index": 1, "rubrics": []}'
    found, counts = read(tmp_path, f"{twice}\n{json.dumps({'index': 2, 'rubrics': [SAYS]})}")
    assert [one.query_id for one in found.rubrics] == ["2"]
    assert counts[("refused", "repeated_key")] == 1


def test_half_a_character_is_replaced(tmp_path: Path) -> None:
    line = json.dumps({"index": 0, "rubrics": [{**SAYS, "criterion": "calls \ud83d and 😀"}]})
    found, counts = read(tmp_path, line)
    assert found.rubrics[0].criteria[0].criterion == "calls \ufffd and 😀"
    assert counts[("repaired", "half_character")] == 1


def test_a_record_over_several_lines_is_one_record(tmp_path: Path) -> None:
    found, _ = read(tmp_path, json.dumps({"index": 4, "rubrics": [SAYS]}, indent=1))
    assert [one.query_id for one in found.rubrics] == ["4"]


def test_criteria_of_records_laid_out_over_lines_are_no_fixed_rubric(tmp_path: Path) -> None:
    record = f'{{\n"index": 4, "rubrics": [\n{json.dumps(SAYS)}\n]}}\n'
    with pytest.raises(SourceError, match="holds no rubric"):
        read(tmp_path, record * 2)


def test_a_refused_record_keeps_its_place(tmp_path: Path) -> None:
    path = tmp_path / "checklists.jsonl"
    path.write_text('{"problem": "一"\n\n{"problem": "二", "checklist": ["说明"]}\n', "utf-8")
    found = read_checklists(path, "gold", ReadingLog("checklists"))
    assert [one.query_id for one in found.rubrics] == ["1"]
    assert read_problems(path) == {"1": "二"}


@given(st.text(alphabet='{}[]",:NaN \n\\ud8a01', max_size=60))
def test_whatever_a_file_holds_is_read_or_refused_in_a_sentence(text: str) -> None:
    with TemporaryDirectory() as folder:
        try:
            read(Path(folder), text)
        except SourceError as error:
            assert "correct" in str(error) or "expected" in str(error)


def test_a_sign_against_the_wording_is_kept_and_counted(tmp_path: Path) -> None:
    merit = {**SAYS, "criterion": "Correctly states the dose", "points": -5}
    fault = {**SAYS, "criterion": "遗漏危险信号", "points": 5}
    found, counts = read(tmp_path, json.dumps({"index": 1, "rubrics": [SAYS, merit, fault]}))
    assert [one.points for one in found.rubrics[0].criteria] == [5, -5, 5]
    assert counts == {("kept", "sign_against_wording"): 2}


def test_full_width_and_half_width_texts_are_duplicates() -> None:
    full_width = "Ｓａｙｓ　５ ｍｇ．"  # noqa: RUF001 - full width
    texts = ("Says 5 mg", full_width, "Says 50 mg")
    found, counts = criteria_of([{**SAYS, "criterion": one} for one in texts])
    assert [one.criterion for one in found] == ["Says 5 mg", "Says 50 mg"]
    assert counts == {"blanks": 1, "duplicate_criterion": 1}


def test_an_axis_among_tags_is_found_however_it_is_spelt() -> None:
    tagged = {"criterion": "a", "points": 5, "tags": ["level:example", "Axis: Context Awareness"]}
    found, counts = criteria_of([tagged])
    assert (found[0].axis, counts) == ("context_awareness", {"axis_spelling": 1})


LITERAL = """[
  {'criterion': "Doesn't state the dose, or {'nothing'}", 'axis': 'accuracy', 'points': -5,},
  {'criterion': 'States the dose', 'axis': 'accuracy', 'points': 5, 'tags': None},
]
"""


def test_a_python_literal_is_read_and_counted(tmp_path: Path) -> None:
    found, counts = read(tmp_path, LITERAL)
    assert [(one.query_id, len(one.criteria)) for one in found.rubrics] == [("*", 2)]
    assert found.rubrics[0].criteria[0].criterion == "Doesn't state the dose, or {'nothing'}"
    assert counts == {("repaired", "python_literal"): 1}
    lines = "\n".join(f"{{'index': {n}, 'rubrics': [{SAYS!r}]}}" for n in range(2))
    found, counts = read(tmp_path, lines)
    assert [one.query_id for one in found.rubrics] == ["0", "1"]
    assert counts[("repaired", "python_literal")] == 2


@pytest.mark.parametrize(
    "text",
    ["[__import__('os')]", "{'index': 1, 'index': 2}", "{1: []}", "{'a': {1, 2}}", "{'a': b'x'}"],
)
def test_what_is_more_than_plain_values_is_no_literal(tmp_path: Path, text: str) -> None:
    with pytest.raises(SourceError):
        read(tmp_path, text)
