from __future__ import annotations

import json

import pytest
from prefect import flow, get_client
from prefect.client.schemas.filters import ArtifactFilter, ArtifactFilterKey

from flows.reporting import publish_report, report_markdown
from tests.factories.runs import run_report

pytestmark = pytest.mark.usefixtures("prefect_server")


def published(key: str) -> str:
    with get_client(sync_client=True) as client:
        (found,) = client.read_artifacts(
            artifact_filter=ArtifactFilter(key=ArtifactFilterKey(any_=[key]))
        )
    return str(found.data)


def test_report_and_left_out_items_become_artifacts() -> None:
    report = run_report()

    @flow(name="artifacts")
    def publish() -> None:
        publish_report(report)

    publish()
    assert published("run-report") == report_markdown(report)
    assert json.loads(published("skipped-items")) == [
        {
            "id": "80000009",
            "subject_id": "90000001",
            "stage": "bundles",
            "outcome": "skipped",
            "reason": "no_end_time",
        }
    ]
