"""What Prefect's pages show of a run, seen through a browser."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path

import pytest

from tasks.adapters.files import read_model
from tasks.contracts.build import RunReport
from tests.live.browser import Page, browsing
from tests.live.command import SECONDS, anamnesis, environment

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

CHECKOUT = Path(__file__).parents[2]
GATES = ("source", "cohort", "bundles", "dialogues", "timelines", "questions", "release")


class Place:
    """A Prefect home, a sample and what runs printed."""

    def __init__(self, home: Path, data: Path) -> None:
        self.home = home
        self.data = data

    def build(self, out: Path, checkout: Path = CHECKOUT) -> subprocess.CompletedProcess[str]:
        """Build into a folder."""
        return subprocess.run(
            [sys.executable, "-m", "flows.cli", "build", f"--mimic={self.data}", f"--out={out}"],
            env=environment(self.home, PYTHONPATH=str(checkout)),
            cwd=checkout,
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Generator[Place]:
    home = tmp_path_factory.mktemp("prefect-home")
    data = tmp_path_factory.mktemp("sample")
    sampled = anamnesis("sample", f"--out={data}", "--patients=3", "--quirks", home=home)
    assert sampled.returncode == 0, sampled.stderr
    yield Place(home, data)
    anamnesis("server", "stop", home=home)


@pytest.fixture
def page(tmp_path: Path) -> Generator[Page]:
    profile = tmp_path / "profile"
    profile.mkdir()
    with browsing(profile) as opened:
        yield opened


def run_address(ended: subprocess.CompletedProcess[str]) -> str:
    (line,) = [line for line in ended.stdout.splitlines() if line.startswith("run: ")]
    return line.removeprefix("run: ")


def report_of(out: Path) -> RunReport:
    return read_model(out / "report" / "run.json", RunReport)


def stricter_checkout(folder: Path) -> Path:
    """A copy of the program whose dialogues gate wants turns of at least six words."""
    for name in ("flows", "tasks", "sql", "expectations"):
        shutil.copytree(CHECKOUT / name, folder / name)
    suite = folder / "expectations" / "dialogues_turns.json"
    content = json.loads(suite.read_text())
    (words,) = [one for one in content["expectations"] if one["kwargs"].get("column") == "words"]
    words["kwargs"]["min_value"] = 6
    suite.write_text(json.dumps(content))
    return folder


def test_page_of_a_completed_run_shows_readable_tasks_gates_skipped_items_and_report(
    place: Place, page: Page, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    ended = place.build(out)
    assert ended.returncode == 0, ended.stderr
    report = report_of(out)
    address = run_address(ended)

    page.open(address)
    page.wait_for("build out until release", "Completed", "Task runs")
    page.click("Task Runs")
    # Newest first; the list grows as one scrolls.
    shown = page.wait_for("gate release", "manifest, statistics and card", "gate questions")
    page.save(tmp_path / "tasks.png")
    patients = sorted({path.name for path in (out / "release").glob("9*")})
    assert len(patients) == 3
    for patient in patients:
        assert f"stage {patient}" in shown
        assert f"questions {patient} cross" in shown

    page.click("Artifacts")
    page.wait_for(
        "run-report",
        "What this run did",
        "skipped-items",
        f"{len(report.items)} patients and admissions left out or failed",
        *(f"gate-{gate}" for gate in GATES),
        *(f"Gate {gate.stage}: passed, {gate.rows} rows" for gate in report.gates),
    )
    page.save(tmp_path / "artifacts.png")

    page.click("gate-dialogues")
    page.wait_for("first ids", "No turn is blank.", "expect_column_values_to_be_between")
    page.save(tmp_path / "gate.png")

    page.open(address)
    page.wait_for("build out until release")
    page.click("Artifacts")
    page.click("skipped-items")
    left_out = report.items[0]
    page.wait_for("subject_id", left_out.id, left_out.reason)

    page.open(address)
    page.wait_for("build out until release")
    page.click("Artifacts")
    page.click("run-report")
    page.wait_for("computed", "dialogues", "gate", "passed")
    page.save(tmp_path / "report.png")


def test_page_of_a_run_whose_gate_failed_says_why(place: Place, page: Page, tmp_path: Path) -> None:
    out = tmp_path / "out"
    checkout = stricter_checkout(tmp_path / "checkout")
    ended = place.build(out, checkout)
    assert ended.returncode == 1, ended.stderr
    (broken,) = [line for line in report_of(out).gates[-1].results if not line.success]
    assert broken.failed_rows >= 1
    why = (
        "No turn is blank. (dialogues_turns: "
        "expect_column_values_to_be_between(column=words, min_value=6)): "
        f"{broken.failed_rows} rows, {', '.join(broken.first_ids)}"
    )

    page.open(run_address(ended))
    page.wait_for("build out until release", "Failed")
    page.click("Details")
    page.wait_for("State Message", "the dialogues gate")
    page.click("See More")
    page.wait_for("the dialogues gate failed, 1 of", why)
    page.save(tmp_path / "failed.png")

    page.open(run_address(ended))
    page.wait_for("build out until release")
    page.click("Task Runs")
    page.wait_for("gate dialogues", "1 Failed")
    page.click("Artifacts")
    page.wait_for("Gate dialogues: FAILED", "Failed: the dialogues gate failed, 1 of", why)
    page.save(tmp_path / "failed-artifacts.png")
