"""Evaluations for tests: servers that answer by a rule, and what a run left behind."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Generator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from prefect.client.orchestration import get_client

from flows.evaluate_benchmark import evaluate_benchmark
from tasks.contracts.build import RunReport
from tests.servers.answer_writer import AnswerWriter
from tests.servers.chat_server import ChatServer
from tests.servers.requests import ModelRules

MODEL = "test-model"
PAGE = 200
"""What Prefect's server answers at once."""


@contextmanager
def serving(
    answering: Callable[[str], str | None], **given: Any
) -> Generator[tuple[ChatServer, AnswerWriter]]:
    writer = AnswerWriter(answering)
    models = {name: ModelRules() for name in (MODEL, "other-model", "judge", "embedder")}
    with ChatServer(writer, models=models, **given) as server:
        yield server, writer


def evaluate(release: Path, out: Path, server: ChatServer, **given: Any) -> RunReport:
    settings: dict[str, Any] = {"strategy": ["full-context"], "model": [MODEL], **given}
    report = evaluate_benchmark(
        release=str(release),
        out=str(out),
        provider="openai",
        base_url=server.base_url,
        judge_model=settings.pop("judge_model", "judge"),
        **settings,
    )
    assert isinstance(report, RunReport)
    return report


def rows(out: Path) -> dict[str, dict[str, str]]:
    with (out / "leaderboard.csv").open(encoding="utf-8", newline="") as stream:
        return {row["system"]: row for row in csv.DictReader(stream)}


def scores(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (out / "scores.jsonl").read_text().splitlines()]


def evaluate_by_rules(release: Path, out: Path, **given: Any) -> RunReport:
    report = evaluate_benchmark(release=str(release), out=str(out), **given)
    assert isinstance(report, RunReport)
    return report


def read_answers(out: Path, name: str) -> list[dict[str, Any]]:
    path = out / "cache" / "predictions" / f"{name}.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def everything_prefect_keeps() -> str:
    """What the server answers of all runs, their parameters, states, logs and artifacts."""
    found: list[str] = []
    with get_client(sync_client=True) as client:
        for path in (
            "/flow_runs/filter",
            "/task_runs/filter",
            "/logs/filter",
            "/artifacts/filter",
        ):
            for offset in count(0, PAGE):
                asked = {"limit": PAGE, "offset": offset}
                answer = client.request("POST", path, json=asked)
                found.append(answer.text)
                if len(answer.json()) < PAGE:
                    break
    return "".join(found)
