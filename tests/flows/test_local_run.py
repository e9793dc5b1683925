from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from prefect import State, flow
from prefect.runtime import flow_run
from prefect.states import Crashed

from flows import cli
from flows.cohort_summary import CohortRow, CohortSummary, write_cohort
from flows.reporting import write_report
from tasks.contracts.build import OddityCount, RunReport, SkipCount
from tasks.contracts.errors import GateFailed, SourceError
from tests.factories.runs import gate_result, run_report

pytestmark = pytest.mark.usefixtures("prefect_server")

Body = Callable[[Path], RunReport | State]
Build = Callable[[Body], list[str]]


@pytest.fixture
def build(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Build:
    """Puts a stand-in for the flow in its place and gives the command line that runs it."""

    def install(body: Body) -> list[str]:
        @flow(name="build-benchmark", persist_result=False)
        def build_benchmark(out: str, **others: object) -> RunReport | State:
            return body(Path(out))

        module = ModuleType("flows.build_benchmark")
        vars(module)["build_benchmark"] = build_benchmark
        monkeypatch.setitem(sys.modules, "flows.build_benchmark", module)
        for folder in ("hosp", "note"):
            (tmp_path / "mimic" / folder).mkdir(parents=True)
        return ["build", "--mimic", str(tmp_path / "mimic"), "--out", str(tmp_path / "out")]

    return install


def test_completed_run_prints_stages_gates_and_places(
    build: Build, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(build(lambda _: run_report())) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split() for line in lines[:3]] == [
        ["stage", "computed", "cached", "failed", "skipped", "seconds"],
        ["bundles", "3", "1", "0", "1", "1.2"],
        ["dialogues", "4", "0", "0", "0", "10.0"],
    ]
    assert lines[3:8] == [
        "left out: 1 x bundles: skipped, no_end_time",
        "kept although odd: 7 records of 2 kinds, see the report",
        "gates: bundles passed",
        f"release: {tmp_path}/out/release",
        f"report: {tmp_path}/out/report/index.html",
    ]
    assert "/runs/flow-run/" in lines[8]
    assert len(lines) == 9


def test_run_with_failed_items_is_exit_1(build: Build) -> None:
    assert cli.main(build(lambda _: run_report(outcome="completed_with_failures"))) == 1


def test_failed_gate_shows_the_runs_own_report_and_no_traceback(
    build: Build, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    failed = gate_result("dialogues", success=False)

    def body(out: Path) -> RunReport:
        report = run_report(outcome="failed", flow_run_id=flow_run.get_id(), gates=(failed,))
        write_report(out / "report", report)
        raise GateFailed("gate dialogues: row count is at least 1; first 80000001", failed)

    assert cli.main(build(body)) == 1
    written = capsys.readouterr()
    assert written.err == "error: gate dialogues: row count is at least 1; first 80000001\n"
    assert "gates: dialogues FAILED" in written.out
    assert f"report: {tmp_path}/out/report/index.html" in written.out
    assert "Traceback" not in written.out + written.err


def test_earlier_runs_report_is_not_shown_for_a_failed_run(
    build: Build, capsys: pytest.CaptureFixture[str]
) -> None:
    def body(out: Path) -> RunReport:
        write_report(out / "report", run_report(flow_run_id="an earlier run"))
        raise SourceError("hosp/patients.csv: no column subject_id")

    assert cli.main(build(body)) == 2
    written = capsys.readouterr()
    assert written.err == "error: hosp/patients.csv: no column subject_id\n"
    assert "gates:" not in written.out


def test_unexpected_error_does_not_show_its_message(
    build: Build,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    def body(_: Path) -> RunReport:
        raise KeyError("words of a patient")

    assert cli.main(build(body)) == 1
    written = capsys.readouterr()
    assert written.err.startswith("error: unexpected KeyError; the details are in ")
    assert "words of a patient" not in written.out + written.err


def test_cohort_dry_run_prints_the_cohort(
    build: Build, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    cohort = CohortSummary(
        eligible_patients=9,
        patients=(
            CohortRow.model_validate(
                {
                    "subject_id": "90000001",
                    "eligible_admissions": 3,
                    "usable_admissions": 2,
                    "discharge_notes": 4,
                    "radiology_notes": 5,
                    "first_day": "2150-01-02",
                    "last_day": "2151-03-04",
                    "fewest_turns": 58,
                    "most_turns": 88,
                }
            ),
        ),
        skipped=(),
        skip_counts=(SkipCount(table="radiology", reason="no_hadm_id", count=7),),
        oddities=(OddityCount(table="discharge", oddity="addendum", count=2),),
    )

    def body(out: Path) -> RunReport:
        write_cohort(out / "report", cohort)
        return run_report()

    assert cli.main([*build(body), "--until", "bundles"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == [
        "patient", "eligible", "usable", "notes", "radiology", "first", "last", "turns",
    ]  # fmt: skip
    assert lines[1].split() == [
        "90000001", "3", "2", "4", "5", "2150-01-02", "2151-03-04", "58-88",
    ]  # fmt: skip
    assert lines[2:5] == [
        "cohort: 1 of 9 eligible patients, 2 admissions",
        "not used: 7 x radiology: no_hadm_id",
        "kept: 2 x discharge: addendum",
    ]
    assert not any(line.startswith("release:") for line in lines)


def test_run_ended_from_outside_says_that_it_resumes(
    build: Build, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(build(lambda _: Crashed())) == 1
    assert capsys.readouterr().err == (
        "error: the run ended as Crashed: it was killed or lost its server; finished work is "
        "kept, the same command resumes\n"
    )
