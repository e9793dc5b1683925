from __future__ import annotations

import json
import threading
from collections.abc import Callable
from typing import Any

import pytest
from prefect import State, flow, get_client
from prefect.client.schemas.filters import (
    ArtifactFilter,
    ArtifactFilterFlowRunId,
    ArtifactFilterKey,
)

from flows.progress import SilentProgress, current_progress, listening
from flows.progress_artifact import publishing_progress
from flows.reporting import publish_report, report_markdown
from tests.factories.runs import run_report

pytestmark = pytest.mark.usefixtures("prefect_server")


def published(key: str, run: State[Any]) -> str:
    """What a flow run published under a key; other tests use the same server."""
    run_id = run.state_details.flow_run_id
    assert run_id is not None
    with get_client(sync_client=True) as client:
        (found,) = client.read_artifacts(
            artifact_filter=ArtifactFilter(
                key=ArtifactFilterKey(any_=[key]),
                flow_run_id=ArtifactFilterFlowRunId(any_=[run_id]),
            )
        )
    return str(found.data)


def test_report_and_left_out_items_become_artifacts() -> None:
    report = run_report()

    @flow(name="artifacts")
    def publish() -> None:
        publish_report(report)

    run = publish(return_state=True)
    assert published("run-report", run) == report_markdown(report)
    assert json.loads(published("skipped-items", run)) == [
        {
            "id": "80000009",
            "subject_id": "90000001",
            "stage": "bundles",
            "outcome": "skipped",
            "reason": "no_end_time",
            "eligible": True,
        }
    ]


def test_progress_is_published_and_passed_on() -> None:
    heard: list[str] = []

    class Listener(SilentProgress):
        def item_ended(self, stage: str) -> None:
            heard.append(stage)

    @flow(name="progress")
    def work() -> None:
        with publishing_progress():
            progress = current_progress()
            progress.stage_started("source", 0)
            progress.item_ended("source")
            progress.stage_started("dialogues", 3)
            progress.item_ended("dialogues")
            progress.item_ended("dialogues")

    with listening(Listener()):
        run = work(return_state=True)
    assert heard == ["source", "dialogues", "dialogues"]
    assert float(published("progress-dialogues", run)) == pytest.approx(200 / 3)


def test_progress_is_published_at_most_twenty_times(monkeypatch: pytest.MonkeyPatch) -> None:
    updates: list[float] = []

    def note(_: object, progress: float) -> None:
        updates.append(progress)

    monkeypatch.setattr("flows.progress_artifact.update_progress_artifact", note)
    _thousand_items(lambda: None)
    assert set(updates) <= {5.0 * step for step in range(1, 21)}
    assert updates == sorted(set(updates))
    assert updates[-1] == 100.0


def test_a_slow_server_of_progress_holds_no_item_up(monkeypatch: pytest.MonkeyPatch) -> None:
    all_ended = threading.Event()
    updates: list[float] = []

    def note(_: object, progress: float) -> None:
        assert all_ended.wait(30)
        updates.append(progress)

    monkeypatch.setattr("flows.progress_artifact.update_progress_artifact", note)
    _thousand_items(all_ended.set)
    assert updates[-1] == 100.0
    assert len(updates) <= 2


def _thousand_items(then: Callable[[], None]) -> None:
    @flow(name="progress-of-many")
    def work() -> None:
        with publishing_progress():
            current_progress().stage_started("many", 1000)
            for _ in range(1000):
                current_progress().item_ended("many")
            then()

    work()
