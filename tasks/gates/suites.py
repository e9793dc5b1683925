"""Runs a gate: its suites over the stage's tables, with Great Expectations."""

from __future__ import annotations

import importlib
import os
import re
import threading
import warnings
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import polars as pl
from pydantic import JsonValue

from tasks.contracts.build import ExpectationResult, GateResult
from tasks.contracts.errors import BadInputGateFailed, GateFailed, SettingError
from tasks.gates.suite_files import Suite, SuiteEntry, load_suites

if TYPE_CHECKING:
    from great_expectations.core import ExpectationValidationResult
    from great_expectations.expectations.expectation import Expectation

Tables = Mapping[str, pl.DataFrame]

FIRST_IDS = 20
BAD_INPUT_STAGES = ("source", "cohort")

_COLUMN_KEYS = ("column", "column_A", "column_B", "column_list")
_RESULT_FORMAT = {"result_format": "COMPLETE", "unexpected_index_column_names": ["id"]}
_EXCEPTION_LINE = re.compile(r"^(?:\w+\.)*(\w+(?:Error|Exception))\b", re.MULTILINE)
_LOCK = threading.Lock()


def run_gate(stage: str, tables: Tables, folder: Path | None = None) -> GateResult:
    """Judge a stage's tables by its suites; failing rows are named by their ``id`` only.

    ``folder`` replaces expectations/. Raises SettingError where suites and tables don't match or
    a suite is malformed; data that fails or can't be evaluated is a result, not an exception.
    """
    suites = load_suites(stage, folder)
    names = [suite.name for suite in suites]
    if sorted(names) != sorted(tables):
        raise SettingError(
            f"the {stage} gate has suites for {', '.join(names)} but tables "
            f"{', '.join(sorted(tables)) or 'none'}; every table needs its suite file"
        )
    results = [result for suite in suites for result in _judge(suite, tables[suite.name])]
    return GateResult(
        stage=stage,
        success=all(result.success for result in results),
        rows=sum(tables[name].height for name in names),
        results=tuple(results),
    )


def expected_results(stage: str) -> tuple[ExpectationResult, ...]:
    """What a verdict on a stage holds if every expectation of its suites is met."""
    return tuple(
        _unjudged(suite, entry).model_copy(update={"success": True})
        for suite in load_suites(stage)
        for entry in suite.content.expectations
    )


def require(result: GateResult) -> None:
    """Raise GateFailed (BadInputGateFailed for source and cohort) unless the gate passed."""
    if result.success:
        return
    failed = [one for one in result.results if not one.success]
    lines = [_failure(one) for one in failed]
    message = (
        f"the {result.stage} gate failed, {len(failed)} of {len(result.results)} expectations "
        f"over {result.rows} rows:\n- " + "\n- ".join(lines)
    )
    kind = BadInputGateFailed if result.stage in BAD_INPUT_STAGES else GateFailed
    raise kind(message, result)


def _failure(result: ExpectationResult) -> str:
    words = f"{result.notes} ({result.expectation})"
    if result.error:
        return f"{words}: could not be evaluated: {result.error}"
    if not result.failed_rows:
        return f"{words}: not met by the table"
    more = ", …" if result.failed_rows > len(result.first_ids) else ""
    return f"{words}: {result.failed_rows} rows, {', '.join(result.first_ids)}{more}"


def _judge(suite: Suite, table: pl.DataFrame) -> list[ExpectationResult]:
    """Verdicts in the order of the suite's entries."""
    if "id" not in table.columns:
        raise SettingError(f"table {suite.name} has no column id; every gate table needs one")
    lost = [
        [name for name in _columns(entry) if name not in table.columns]
        for entry in suite.content.expectations
    ]
    verdicts = _validate(suite, [n for n, columns in enumerate(lost) if not columns], table)
    results: list[ExpectationResult] = []
    for number, (entry, columns) in enumerate(zip(suite.content.expectations, lost, strict=True)):
        if columns:
            error = f"the table has no column {', '.join(columns)}"
            results.append(_unevaluated(suite, entry, error))
        else:
            results.append(_verdict(suite, entry, verdicts[number]))
    return results


def _columns(entry: SuiteEntry) -> list[str]:
    named: list[JsonValue] = []
    for key in _COLUMN_KEYS:
        value = entry.kwargs.get(key)
        named.extend(value if isinstance(value, list) else [value] if value is not None else [])
    return [str(name) for name in named]


def _validate(
    suite: Suite, numbers: Sequence[int], table: pl.DataFrame
) -> dict[int, ExpectationValidationResult]:
    """Run the entries of these numbers; the lock is there because GX keeps its context globally."""
    with _LOCK:
        gx = _great_expectations()
        context = gx.get_context(mode="ephemeral")
        context.variables.progress_bars = {"globally": False, "metric_calculations": False}
        judge = gx.ExpectationSuite(name=suite.name)
        for number in numbers:
            judge.add_expectation(_expectation(gx, suite, number))
        asset = context.data_sources.add_pandas("tables").add_dataframe_asset(suite.name)
        batch = asset.add_batch_definition_whole_dataframe("whole").get_batch(
            batch_parameters={"dataframe": table.to_pandas()}
        )
        validation = batch.validate(judge, result_format=dict(_RESULT_FORMAT))
    return {one.expectation_config.meta["entry"]: one for one in validation.results}


def _expectation(gx: ModuleType, suite: Suite, number: int) -> Expectation:
    """Build one expectation; raises SettingError naming file and entry where GX refuses it."""
    entry = suite.content.expectations[number]
    place = f"suite {suite.path.name}: entry {number + 1} ({entry.type})"
    try:
        build = gx.expectations.registry.get_expectation_impl(entry.type)
    except gx.exceptions.ExpectationNotFoundError:
        raise SettingError(
            f"{place}: Great Expectations has no expectation of that name; correct the type"
        ) from None
    try:
        return build(**entry.kwargs, meta={"entry": number})
    except gx.compatibility.pydantic.ValidationError as error:
        fault = error.errors()[0]
        key = ".".join(str(part) for part in fault["loc"] if part != "__root__") or "kwargs"
        raise SettingError(f"{place}, {key}: {fault['msg']}; correct the entry") from None


def _verdict(
    suite: Suite, entry: SuiteEntry, verdict: ExpectationValidationResult
) -> ExpectationResult:
    """Counts and ids of one verdict; GX's values and messages stay behind."""
    raised = _raised(verdict.exception_info or {})
    if raised:
        error = f"Great Expectations raised {raised}; compare the column's type and the arguments"
        return _unevaluated(suite, entry, error)
    ids = [str(row["id"]) for row in verdict.result.get("unexpected_index_list") or []]
    return _unjudged(suite, entry).model_copy(
        update={
            "success": bool(verdict.success),
            "failed_rows": int(verdict.result.get("unexpected_count") or 0),
            "first_ids": tuple(ids[:FIRST_IDS]),
        }
    )


def _unevaluated(suite: Suite, entry: SuiteEntry, error: str) -> ExpectationResult:
    return _unjudged(suite, entry).model_copy(update={"error": error})


def _unjudged(suite: Suite, entry: SuiteEntry) -> ExpectationResult:
    """An entry's name and meaning, not met as long as nobody says so."""
    given = ", ".join(f"{key}={value}" for key, value in entry.kwargs.items())
    return ExpectationResult(
        expectation=f"{suite.name}: {entry.type}({given})",
        table=suite.name,
        column=", ".join(_columns(entry)),
        notes=entry.meta.notes,
        success=False,
    )


def _raised(info: Mapping[str, Any]) -> str:
    """Class name of the exception behind a verdict, empty where there is none.

    Its message is left out: it can quote a value of the table.
    """
    records = [info] if "raised_exception" in info else list(info.values())
    for record in records:
        if record.get("raised_exception"):
            found = _EXCEPTION_LINE.findall(record.get("exception_traceback") or "")
            return found[0] if found else "an exception"
    return ""


@cache
def _great_expectations() -> ModuleType:
    """Import Great Expectations late (5 s), with its telemetry off and its warnings unheard."""
    os.environ["GX_ANALYTICS_ENABLED"] = "false"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        module = importlib.import_module("great_expectations")
    return module
