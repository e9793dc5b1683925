"""Runs of the flows of rubrics for tests: queries, servers that play every role, results."""

from __future__ import annotations

import json
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from flows.evaluate_rubrics import evaluate_rubrics
from flows.generate_rubrics import generate_rubrics
from tasks.contracts.build import RunReport
from tests.servers.chat_server import ChatServer
from tests.servers.requests import ModelRules
from tests.servers.rubric_writer import RubricWriter

MARKER = "zyxwordofapatient"
QUERIES = {
    "0": f"how to reduce bloating {MARKER}",
    "1": "my 6-year-old needs booster vaccines for school",
    "2": "感冒发烧怎么办？",
}


def write_queries(folder: Path, queries: dict[str, str] | None = None) -> str:
    path = folder / "queries.jsonl"
    lines = [{"query_id": id, "query": text} for id, text in (queries or QUERIES).items()]
    path.write_text("\n".join(json.dumps(one, ensure_ascii=False) for one in lines))
    return str(path)


def generate(queries: str, out: Path, **given: Any) -> RunReport:
    report = generate_rubrics(queries=queries, out=str(out), **given)
    assert isinstance(report, RunReport)
    return report


def rubrics(out: Path, name: str = "rubrics.jsonl") -> list[dict[str, Any]]:
    return [json.loads(line) for line in (out / name).read_text().splitlines()]


@contextmanager
def serving(writer: RubricWriter) -> Generator[ChatServer]:
    names = ("m", "judge", "other-judge")
    with ChatServer(writer, models={name: ModelRules() for name in names}) as server:
        yield server


def measures(out: Path) -> dict[str, Any]:
    return json.loads((out / "measures.json").read_text(), parse_constant=pytest.fail)


def evaluate(out: Path, given: dict[str, Any]) -> RunReport:
    report = evaluate_rubrics(out=str(out), **given)
    assert isinstance(report, RunReport)
    return report
