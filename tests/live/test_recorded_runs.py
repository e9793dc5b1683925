"""The server's history of runs: complete, in final states, and deleted on demand."""

from __future__ import annotations

import sqlite3
import subprocess
from collections import Counter
from collections.abc import Generator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.live.building import Place, report_of, run_address, sampled_place, stricter_checkout
from tests.live.command import address, anamnesis

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

STAGES = {"dialogue": "dialogues", "timeline": "timelines", "questions": "questions"}
"""Stages whose items are a task run each, by the first word of the run's name."""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Generator[Place]:
    with sampled_place(tmp_path_factory, "--patients=12", "--seed=1") as made:
        yield made


def recorded(place: Place, run_id: str) -> list[dict[str, Any]]:
    """The run's task runs as the server tells them at once, after the command ended."""
    url = address(anamnesis("server", "status", home=place.home).stdout)
    found: list[dict[str, Any]] = []
    while True:
        query = {"flow_runs": {"id": {"any_": [run_id]}}, "limit": 200, "offset": len(found)}
        page = httpx.post(f"{url}/task_runs/filter", json=query, trust_env=False).json()
        found += page
        if len(page) < 200:
            return found


def assert_recorded_as_reported(
    place: Place, ended: subprocess.CompletedProcess[str], out: Path
) -> int:
    """Task runs by stage and state are what run.json counts; returns how many there are."""
    report = report_of(out)
    run_id = run_address(ended).rpartition("/")[2]
    assert report.flow_run_id == run_id
    found = recorded(place, run_id)
    states = Counter(run["state_type"] for run in found)
    assert not set(states) & {"PENDING", "RUNNING", "SCHEDULED"}
    for word, stage in STAGES.items():
        if stage not in report.stages:
            continue
        names = Counter(run["state_name"] for run in found if run["name"].split()[0] == word)
        counted = report.stages[stage]
        expected = {
            "Completed": counted.computed,
            "Cached": counted.cached,
            "Failed": counted.failed,
        }
        assert names == Counter(expected), stage
    gates = {run["name"]: run["state_type"] for run in found if run["name"].startswith("gate ")}
    assert gates == {
        f"gate {gate.stage}": "COMPLETED" if gate.success else "FAILED" for gate in report.gates
    }
    return len(found)


def test_every_task_run_of_good_failed_and_repeated_runs_is_recorded_and_prune_deletes_them(
    place: Place, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    first = place.build(out)
    assert first.returncode == 0, first.stderr
    total = assert_recorded_as_reported(place, first, out)
    assert total > 150

    again = place.build(out)
    assert again.returncode == 0, again.stderr
    assert report_of(out).stages["dialogues"].computed == 0
    assert assert_recorded_as_reported(place, again, out) == total

    failed_out = tmp_path / "failed"
    failed = place.build(failed_out, stricter_checkout(tmp_path / "checkout"))
    assert failed.returncode == 1, failed.stderr
    total_failed = assert_recorded_as_reported(place, failed, failed_out)

    prune = ("server", "prune", "--older-than-days")
    kept = anamnesis(*prune, "1", home=place.home)
    assert kept.returncode == 0, kept.stderr
    assert kept.stdout.startswith("deleted: 0 flow runs, 0 task runs, 0 artifacts")
    counts = f"3 flow runs, {2 * total + total_failed} task runs"
    would = anamnesis(*prune, "0", "--dry-run", home=place.home)
    assert would.stdout.startswith(f"would be deleted: {counts}")
    done = anamnesis(*prune, "0", home=place.home)
    assert done.stdout.startswith(f"deleted: {counts}")
    with closing(sqlite3.connect(place.home / "prefect.db")) as database:
        for table in ("flow_run", "task_run", "task_run_state", "artifact", "log"):
            assert database.execute(f"select count(*) from {table}").fetchone() == (0,), table  # noqa: S608
