from __future__ import annotations

import json
import logging
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from tasks.adapters.resources import resource_folder
from tasks.contracts.build import ExpectationResult, GateResult
from tasks.contracts.errors import BadInputGateFailed, GateFailed, SettingError
from tasks.gates.suites import require, run_gate
from tests.gates.stage_tables import sound_tables

MARKER = "ZEBRAMARKER the patient said a secret"


def suite(*entries: dict[str, Any], name: str = "letters") -> dict[str, Any]:
    return {
        "name": name,
        "meta": {"notes": "A row is a letter."},
        "expectations": [{"meta": {"notes": "A rule."}, **entry} for entry in entries],
    }


def entry(kind: str, **kwargs: Any) -> dict[str, Any]:
    return {"type": f"expect_{kind}", "kwargs": kwargs}


def write_suite(folder: Path, content: object, name: str = "letters") -> Path:
    (folder / f"{name}.json").write_text(json.dumps(content), encoding="utf-8")
    return folder


LETTERS = pl.DataFrame({"id": ["a", "b", "c"], "n": [1, 2, 3], "text": [MARKER, "x", "y"]})


def test_editing_a_suite_changes_the_verdict(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(resource_folder("expectations"), tmp_path / "suites"))
    tables = sound_tables()["cohort"]
    assert run_gate("cohort", tables, folder).success

    path = folder / "cohort.json"
    content = json.loads(path.read_text(encoding="utf-8"))
    for one in content["expectations"]:
        if one["kwargs"].get("column") == "usable_admissions":
            one["kwargs"]["min_value"] = 3
    path.write_text(json.dumps(content), encoding="utf-8")

    result = run_gate("cohort", tables, folder)
    assert [one.column for one in result.results if not one.success] == ["usable_admissions"]


def test_verdicts_come_in_the_order_of_the_suite(tmp_path: Path) -> None:
    folder = write_suite(
        tmp_path,
        suite(
            entry("column_values_to_be_between", column="n", max_value=2),
            entry("table_row_count_to_be_between", min_value=4),
            entry("column_values_to_be_unique", column="id"),
        ),
    )
    result = run_gate("letters", {"letters": LETTERS}, folder)
    assert [one.success for one in result.results] == [False, False, True]
    assert result.results[0].first_ids == ("c",)
    assert result.results[0].expectation == (
        "letters: expect_column_values_to_be_between(column=n, max_value=2)"
    )


def test_failing_rows_are_counted_in_full_but_only_the_first_are_named(tmp_path: Path) -> None:
    table = pl.DataFrame({"id": [f"r{n}" for n in range(50)], "n": [1] * 50})
    folder = write_suite(
        tmp_path, suite(entry("column_values_to_be_between", column="n", max_value=0))
    )
    (one,) = run_gate("letters", {"letters": table}, folder).results
    assert one.failed_rows == 50
    assert one.first_ids == tuple(f"r{n}" for n in range(20))


def test_an_empty_table_fails_through_its_row_count() -> None:
    tables = {name: table.head(0) for name, table in sound_tables()["bundles"].items()}
    result = run_gate("bundles", tables)
    failed = [one.expectation for one in result.results if not one.success]
    assert failed == ["bundles: expect_table_row_count_to_be_between(min_value=2)"]


def test_values_of_the_table_never_reach_a_result(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    folder = write_suite(
        tmp_path,
        suite(
            entry("column_value_lengths_to_be_between", column="text", max_value=3),
            entry("column_values_to_be_in_set", column="text", value_set=["x", "y"]),
            entry("column_values_to_be_between", column="text", max_value=3),
            entry("column_distinct_values_to_be_in_set", column="text", value_set=["x"]),
            entry("column_max_to_be_between", column="text", max_value=3),
        ),
    )
    result = run_gate("letters", {"letters": LETTERS}, folder)
    assert not any(one.success for one in result.results)
    with pytest.raises(GateFailed) as raised:
        require(result)
    printed = capfd.readouterr()
    seen = (result.model_dump_json(), str(raised.value), caplog.text, printed.out, printed.err)
    assert all("ZEBRAMARKER" not in text for text in seen)


def test_what_can_not_be_evaluated_is_told_apart_from_bad_data(tmp_path: Path) -> None:
    folder = write_suite(
        tmp_path,
        suite(
            entry("column_values_to_be_between", column="text", max_value=3),
            entry("column_values_to_be_between", column="colour", max_value=3),
            entry("column_values_to_be_between", column="n", max_value=3),
        ),
    )
    mixed, missing, sound = run_gate("letters", {"letters": LETTERS}, folder).results
    assert "TypeError" in mixed.error
    assert missing.error == "the table has no column colour"
    assert (mixed.success, missing.success) == (False, False)
    assert (mixed.failed_rows, missing.failed_rows) == (0, 0)
    assert (sound.success, sound.error) == (True, "")


def test_a_gate_runs_twice_in_one_process_and_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    first = run_gate("cohort", sound_tables()["cohort"])
    second = run_gate("cohort", sound_tables()["cohort"])
    assert first == second
    assert list(tmp_path.iterdir()) == []


def test_gates_in_several_threads_give_their_own_verdicts(tmp_path: Path) -> None:
    folder = write_suite(
        tmp_path, suite(entry("column_values_to_be_between", column="n", max_value=5))
    )

    def verdict(n: int) -> tuple[bool, tuple[str, ...]]:
        table = pl.DataFrame({"id": [f"row{n}"], "n": [n]})
        (one,) = run_gate("letters", {"letters": table}, folder).results
        return one.success, one.first_ids

    with ThreadPoolExecutor(max_workers=4) as pool:
        verdicts = list(pool.map(verdict, range(10)))
    assert verdicts == [(True, ())] * 6 + [(False, (f"row{n}",)) for n in range(6, 10)]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"name": "letters"}, r"letters\.json: meta: field required"),
        (suite(), r"letters\.json: top level|letters\.json: expectations"),
        (
            suite(entry("column_values_to_be_unique", column="id"), {"type": "expect_x"}),
            r"letters\.json: entry 2 \(expect_x\), kwargs: field required",
        ),
        (
            suite({"type": "expect_x", "kwargs": {}, "colour": 1}),
            r"entry 1 \(expect_x\), colour: extra inputs are not permitted",
        ),
        (suite({"type": 3, "kwargs": {}}), r"entry 1, type: input should be a valid string"),
        (
            suite({**entry("column_values_to_be_unique", column="id"), "meta": {}}),
            r"entry 1 \(expect_column_values_to_be_unique\), meta\.notes: field required",
        ),
        (
            suite(entry("column_values_to_be_purple", column="n")),
            r"entry 1 \(expect_column_values_to_be_purple\): .*no expectation of that name",
        ),
        (
            suite(entry("column_values_to_be_between", column="n", minimum=3)),
            r"entry 1 \(expect_column_values_to_be_between\), minimum: extra fields",
        ),
        (
            suite(entry("column_values_to_be_between", column="n")),
            r"entry 1 \(expect_column_values_to_be_between\), kwargs: .*cannot both be None",
        ),
        (suite(entry("x"), name="numbers"), r"its name is numbers, expected letters"),
        ([], r"letters\.json: top level"),
    ],
)
def test_a_malformed_suite_is_refused_naming_file_and_entry(
    tmp_path: Path, content: object, message: str
) -> None:
    folder = write_suite(tmp_path, content)
    with pytest.raises(SettingError, match=message):
        run_gate("letters", {"letters": LETTERS}, folder)


def test_a_suite_that_is_not_json_is_refused_by_line(tmp_path: Path) -> None:
    (tmp_path / "letters.json").write_text('{\n  "name": letters\n}', encoding="utf-8")
    with pytest.raises(SettingError, match=r"letters\.json: not JSON: .* at line 2, column 11"):
        run_gate("letters", {"letters": LETTERS}, tmp_path)


def test_a_suite_that_is_not_utf8_is_refused(tmp_path: Path) -> None:
    (tmp_path / "letters.json").write_bytes(b'{"name": "\xe9"}')
    with pytest.raises(SettingError, match=r"letters\.json: not UTF-8"):
        run_gate("letters", {"letters": LETTERS}, tmp_path)


def test_a_gate_without_suite_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match=r"letters gate has no suite: expected letters\.json"):
        run_gate("letters", {"letters": LETTERS}, tmp_path)


def test_tables_and_suites_must_match() -> None:
    with pytest.raises(SettingError, match="cohort gate has suites for cohort but tables others"):
        run_gate("cohort", {"others": LETTERS})


def test_a_table_without_ids_is_refused(tmp_path: Path) -> None:
    folder = write_suite(tmp_path, suite(entry("column_values_to_be_unique", column="n")))
    with pytest.raises(SettingError, match="table letters has no column id"):
        run_gate("letters", {"letters": LETTERS.drop("id")}, folder)


def gate(stage: str, *results: ExpectationResult) -> GateResult:
    return GateResult(
        stage=stage, success=all(one.success for one in results), rows=7, results=results
    )


BROKEN = ExpectationResult(
    expectation="t: expect_x(column=n)",
    notes="Numbers are small.",
    success=False,
    failed_rows=30,
    first_ids=("a", "b"),
)


def test_require_lets_a_passed_gate_pass() -> None:
    require(gate("dialogues", ExpectationResult(expectation="t: expect_x()", success=True)))


def test_require_names_the_expectation_the_count_and_the_first_ids() -> None:
    with pytest.raises(GateFailed) as raised:
        require(gate("dialogues", BROKEN))
    assert str(raised.value) == (
        "the dialogues gate failed, 1 of 1 expectations over 7 rows:\n"
        "- Numbers are small. (t: expect_x(column=n)): 30 rows, a, b, …"
    )
    assert raised.value.result.stage == "dialogues"
    assert raised.value.exit_code == 1


@pytest.mark.parametrize("stage", ["source", "cohort"])
def test_a_failed_source_or_cohort_gate_is_bad_input(stage: str) -> None:
    with pytest.raises(BadInputGateFailed) as raised:
        require(gate(stage, BROKEN))
    assert raised.value.exit_code == 2


def test_require_says_what_could_not_be_evaluated() -> None:
    error = ExpectationResult(
        expectation="t: expect_x()", notes="A rule.", success=False, error="raised TypeError"
    )
    table = ExpectationResult(expectation="t: expect_y()", notes="A count.", success=False)
    with pytest.raises(GateFailed) as raised:
        require(gate("release", error, table))
    assert str(raised.value).splitlines()[1:] == [
        "- A rule. (t: expect_x()): could not be evaluated: raised TypeError",
        "- A count. (t: expect_y()): not met by the table",
    ]
