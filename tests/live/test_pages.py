"""What Prefect's pages show of a run, seen through a browser."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest

from tests.live.browser import Page
from tests.live.building import Place, report_of, run_address, sampled_place, stricter_checkout

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

GATES = ("source", "cohort", "bundles", "dialogues", "timelines", "questions", "release")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Generator[Place]:
    with sampled_place(tmp_path_factory, "--patients=3", "--quirks") as made:
        yield made


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
        "expect_column_values_to_be_between(column=words, min_value=10)): "
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
