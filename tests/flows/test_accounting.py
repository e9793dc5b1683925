"""Bundles in = done + failed + skipped, whatever fails."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from flows.build_benchmark import build_benchmark
from flows.verify_release import verify_release
from tasks.adapters.models import ModelSpec, WorkItem, open_model
from tasks.adapters.programmatic import Rules
from tasks.contracts.build import RunReport
from tasks.contracts.chat import ChatModel, ChatRequest
from tasks.contracts.errors import ItemFailed, TooManyFailed
from tasks.dialogue import steps as dialogue_steps
from tests.factories.mimic_tree import patient, write_mimic_tree
from tests.factories.scripted import WatchedModel

pytestmark = pytest.mark.usefixtures("prefect_server")

STAYS = {1: 2, 2: 3, 3: 5, 4: 2}


def hadm(number: int, stay: int) -> str:
    return f"80000{number}{stay:02d}"


ADMISSIONS = [hadm(number, stay) for number, stays in STAYS.items() for stay in range(1, stays + 1)]


def expected(number: int, refused: set[str]) -> dict[str, str]:
    """What becomes of a patient's admissions: done until the first failure, skipped after it."""
    fates: dict[str, str] = {}
    fate = "done"
    for stay in range(1, STAYS[number] + 1):
        if fate == "failed":
            fate = "skipped"
        elif fate == "done" and hadm(number, stay) in refused:
            fate = "failed"
        fates[hadm(number, stay)] = fate
    return fates


def refuse(monkeypatch: pytest.MonkeyPatch, refused: set[str]) -> None:
    """Let the model fail for some admissions."""

    def check(request: ChatRequest[Any]) -> None:
        if request.payload.model_dump()["record"]["bundle"]["hadm_id"] in refused:
            raise ItemFailed("refused by the test")

    def opened(
        spec: ModelSpec, rules: dict[type, Rules], work: WorkItem | None = None
    ) -> ChatModel:
        return WatchedModel(open_model(spec, rules, work), check)

    monkeypatch.setattr(dialogue_steps, "open_model", opened)


@pytest.mark.parametrize("limit", ["1", "0.1"])
@pytest.mark.parametrize("seed", range(4))
def test_every_admission_is_accounted_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int, limit: str
) -> None:
    draw = random.Random(seed)
    # Patient 4 stays whole, as a build needs somebody left.
    refused = set(draw.sample(ADMISSIONS[:-2], k=draw.randint(1, 4)))
    refuse(monkeypatch, refused)
    monkeypatch.setenv("ANAMNESIS_FAILED_SHARE_LIMIT", limit)
    write_mimic_tree(tmp_path / "mimic", tuple(patient(one, stays=STAYS[one]) for one in STAYS))
    out = tmp_path / "out"
    try:
        build_benchmark(mimic=str(tmp_path / "mimic"), out=str(out))
    except TooManyFailed as error:
        assert (limit, error.exit_code) == ("0.1", 1)
    report = RunReport.model_validate_json((out / "report/run.json").read_bytes())

    fates = {one: fate for number in STAYS for one, fate in expected(number, refused).items()}
    count = report.stages["dialogues"]
    assert (count.computed, count.failed, count.skipped) == tuple(
        list(fates.values()).count(fate) for fate in ("done", "failed", "skipped")
    )
    assert report.stages["bundles"].computed == len(ADMISSIONS)
    listed = {item.id: (item.outcome, item.reason) for item in report.items}
    reasons = {
        "failed": ("failed", "refused by the test"),
        "skipped": ("skipped", "predecessor_failed"),
    }
    assert {one: listed[one] for one in listed if one in fates} == {
        one: reasons[fate] for one, fate in fates.items() if fate != "done"
    }
    kept = [number for number in STAYS if list(expected(number, refused).values())[1] == "done"]
    assert {item.id for item in report.items if item.reason == "fewer_than_two_sessions"} == {
        f"9000000{number}" for number in STAYS if number not in kept
    }
    if report.outcome == "failed":
        assert limit == "0.1"
        assert not (out / "release").exists()
        return
    assert report.outcome == "completed_with_failures"
    assert verify_release(out / "release") == []
    told = {
        hadm_id
        for number in kept
        for hadm_id in (path.name for path in (out / f"release/9000000{number}").glob("8*"))
    }
    assert told == {
        one for number in kept for one, fate in expected(number, refused).items() if fate == "done"
    }
    assert sorted(path.name for path in (out / "release").glob("9*")) == [
        f"9000000{number}" for number in kept
    ]
    manifest = json.loads((out / "release/manifest.json").read_text())
    assert {item["id"] for item in manifest["skipped"]} == set(listed)
