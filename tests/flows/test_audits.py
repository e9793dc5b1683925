"""Audits of a build, of the release it published, and of releases that are bad in one way."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from prefect import State, get_client
from prefect.client.schemas.filters import (
    ArtifactFilter,
    ArtifactFilterFlowRunId,
    ArtifactFilterKey,
)

from flows.audit_release import audit_release
from flows.build_benchmark import build_benchmark
from flows.cli import main
from tasks.contracts.audit_report import AuditReport
from tasks.contracts.build import RunReport
from tasks.contracts.errors import GateFailed
from tasks.gates import suite_files
from tasks.sample.writing import write_sample
from tests.factories.releases import write_release
from tests.factories.spoiled import SPOILED, Spoil

pytestmark = pytest.mark.usefixtures("prefect_server")

PATIENTS, SEED, SCALE = 34, 41, 0.6


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory, prefect_server: None) -> Path:
    """The output folder of a build of enough patients for every audit to judge."""
    folder = tmp_path_factory.mktemp("audited")
    write_sample(folder / "data", patients=PATIENTS, seed=SEED, scale=SCALE)
    build_benchmark(mimic=str(folder / "data"), out=str(folder / "out"))
    return folder / "out"


@pytest.fixture
def release(built: Path, tmp_path: Path) -> Path:
    """A copy of the release in the published layout: other files are left out."""
    kept = ("combined_conversation.json", "benchmark_qa.json", "formed_packet.json")
    for path in built.glob("release/**/*.json"):
        if path.name in kept:
            copy = tmp_path / path.relative_to(built)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, copy)
    return tmp_path / "release"


@pytest.fixture
def few(release: Path) -> Path:
    """Four of the release's patients: enough for what is judged item by item."""
    for folder in sorted(release.iterdir())[4:]:
        shutil.rmtree(folder)
    return release


def quietly(_what: str, _done: int, _total: int) -> None:
    """Nobody is told."""


def test_a_build_is_audited_and_the_figures_are_those_of_its_files(
    built: Path, release: Path
) -> None:
    stated = AuditReport.model_validate_json((built / "report/audit.json").read_bytes())
    run = RunReport.model_validate_json((built / "report/run.json").read_bytes())
    assert all(stated.passed.values())
    assert stated.patients == run.stages["audits"].computed >= 20
    assert stated.support.overall.share == 1.0
    assert (built / "report/audit.html").is_file()
    assert audit_release(release, quietly).report == stated


@pytest.mark.parametrize(("audit", "spoil"), SPOILED.items())
def test_a_release_that_is_bad_in_one_way_fails_one_audit(
    request: pytest.FixtureRequest, audit: str, spoil: Spoil
) -> None:
    whole = audit in ("wording", "variety")
    release: Path = request.getfixturevalue("release" if whole else "few")
    spoil(release)
    passed = audit_release(release, quietly).report.passed
    assert [name for name, met in passed.items() if not met] == [audit]


def test_a_release_without_records_has_nothing_to_be_grounded_in(few: Path) -> None:
    for path in few.glob("*/*/formed_packet.json"):
        path.unlink()
    found = audit_release(few, quietly)
    assert not found.report.passed["grounding"]
    assert found.report.grounding.turns.count == 0


def test_the_command_says_which_bound_is_not_met_and_leaves_with_1(
    few: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    SPOILED["support"](few)
    assert main(["audit", str(few), "--out", str(tmp_path / "audit")]) == 1
    said = capsys.readouterr().out
    assert "support, not met: The answer follows from what is cited alone. 1 items: " in said
    assert f"NOT passed: support: {few}" in said
    assert "a device that nobody mentioned" not in said
    assert sorted(os.listdir(tmp_path / "audit")) == [
        "audit.html",
        "audit.json",
        "audit_findings.jsonl",
    ]


def test_the_command_leaves_with_0_where_all_is_well(
    built: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["audit", str(built / "release")]) == 0
    assert f"passed: {built / 'release'}" in capsys.readouterr().out


@pytest.mark.parametrize("command", [["audit", "{}"], ["trace", "{}", "1_q01"]])
def test_no_release_is_wrong_use(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    assert main([part.format(tmp_path) for part in command]) == 2
    assert capsys.readouterr().err.startswith(f"error: no release at {tmp_path}")


def test_an_answer_is_followed_on_the_console(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_release(tmp_path / "release")
    assert main(["trace", str(folder), "99000001_88001001_q01"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("99000001_88001001_q01, ")
    assert lines[1].startswith("answer: ")
    assert lines[2].startswith("admission 88001001, turn ")


def bounds(monkeypatch: pytest.MonkeyPatch, folder: Path, change: Callable[[str], str]) -> None:
    shutil.copytree(suite_files.resource_folder("expectations"), folder)
    suite = folder / "audits_support_citations.json"
    suite.write_text(change(suite.read_text()))
    monkeypatch.setattr(suite_files, "resource_folder", lambda _name: folder)


def test_a_bound_that_is_not_met_stops_the_build_with_its_report_written(
    built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = Path(shutil.copytree(built, tmp_path / "out", symlinks=True))
    before = (out / "release/manifest.json").read_bytes()
    for name in ("audit.html", "audit.json"):
        (out / "report" / name).unlink()
    bounds(monkeypatch, tmp_path / "suites", lambda text: text.replace("3.0", "0.5"))
    with pytest.raises(GateFailed, match=r"the audits gate failed, 1 of"):
        build_benchmark(mimic=str(built.parent / "data"), out=str(out))
    assert (out / "release/manifest.json").read_bytes() == before
    run = json.loads((out / "report/run.json").read_text())
    assert run["outcome"] == "failed"
    assert [gate["stage"] for gate in run["gates"]][-1] == "audits"
    found = json.loads((out / "report/audit.json").read_text())
    assert [name for name, met in found["passed"].items() if not met] == ["support"]
    assert "failed" in (out / "report/audit.html").read_text()


def test_the_audits_of_a_run_are_an_artifact_and_made_once(built: Path) -> None:
    state: State[RunReport] = build_benchmark(
        mimic=str(built.parent / "data"), out=str(built), return_state=True
    )
    report = state.result()
    assert isinstance(report, RunReport)
    audits = report.stages["audits"]
    assert (audits.computed, audits.failed) == (0, 0)
    run_id = state.state_details.flow_run_id
    assert run_id is not None
    with get_client(sync_client=True) as client:
        (found,) = client.read_artifacts(
            artifact_filter=ArtifactFilter(
                key=ArtifactFilterKey(any_=["audits"]),
                flow_run_id=ArtifactFilterFlowRunId(any_=[run_id]),
            )
        )
    assert "| support | passed | supported answers | 1.000 |" in str(found.data)
