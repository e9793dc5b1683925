from __future__ import annotations

import json
from pathlib import Path

from flows.report_page import render_page
from flows.report_usage import usage_line
from flows.reporting import report_markdown, write_report
from tasks.adapters.files import write_json
from tasks.contracts.build import SkippedItem
from tasks.contracts.usage import Estimate, RunUsage, StageEstimate, UsageCounts
from tests.factories.pages import read
from tests.factories.runs import gate_result, run_report, statistics


def test_run_json_holds_the_report(tmp_path: Path) -> None:
    page = write_report(tmp_path / "report", run_report())
    assert page == tmp_path / "report" / "index.html"
    found = json.loads((tmp_path / "report" / "run.json").read_text())
    assert found["stages"]["bundles"] == {
        "computed": 3,
        "cached": 1,
        "failed": 0,
        "skipped": 1,
        "seconds": 1.25,
    }
    assert found["items"][0]["reason"] == "no_end_time"


def test_page_lists_stages_gates_and_what_was_left_out() -> None:
    rows = read(render_page(run_report(), None)).rows
    assert ["bundles", "3", "1", "0", "1", "1.2"] in rows
    assert ["bundles", "passed", "4"] in rows
    assert ["80000009", "90000001", "bundles", "skipped", "no_end_time"] in rows
    assert ["radiology", "no_hadm_id", "1,234"] in rows
    assert ["procedures_icd", "untitled_code", "5"] in rows


def test_page_names_the_broken_expectation_and_its_first_ids() -> None:
    report = run_report(
        outcome="failed",
        message="gate bundles failed",
        gates=(gate_result(success=False),),
    )
    page = render_page(report, None)
    assert ["bundles", "row count is at least 1", "7", "80000001, 80000002", ""] in read(page).rows
    assert '<p class="bad">gate bundles failed</p>' in page


def test_page_shows_what_a_model_took_in_this_run_and_in_all() -> None:
    stage = UsageCounts(requests=2, replayed=1, input_tokens=1500, output_tokens=300, usd=0.0135)
    usage = RunUsage(
        **stage.model_dump(),
        by_stage={"dialogues": stage},
        by_patient={"90000001": stage},
        by_model={"writer": stage},
        kept=UsageCounts(requests=5, input_tokens=4000, output_tokens=900, usd=1.5),
    )
    rows = read(render_page(run_report(usage=usage), None)).rows
    cells = ["2", "1", "0", "1,500", "0", "300", "0.0135"]
    assert ["dialogues", *cells] in rows
    assert ["this run", *cells] in rows
    assert ["all runs", "5", "0", "0", "4,000", "0", "900", "1.5000"] in rows
    assert ["90000001", *cells] in rows
    assert usage_line(usage) == (
        "2 requests, 1 from the cache, 1,500 prompt tokens, 300 reply tokens, 0.01 US dollars; "
        "in all runs 5 requests, 4,900 tokens, 1.50 US dollars"
    )
    assert "| this run | 2 | 1 | 0 | 1500 | 0 | 300 | 0.0135 |" in report_markdown(
        run_report(usage=usage)
    )


def test_a_run_from_the_cache_alone_still_says_what_the_model_took() -> None:
    usage = RunUsage(kept=UsageCounts(requests=5, input_tokens=4000, output_tokens=900))
    rows = read(render_page(run_report(usage=usage), None)).rows
    assert ["all runs", "5", "0", "0", "4,000", "0", "900", "n/a"] in rows


def test_page_shows_an_estimate() -> None:
    stage = StageEstimate(calls=38, input_tokens=120_000, output_tokens=40_000, usd=0.81)
    estimate = Estimate(
        model="writer",
        tokenizer="o200k_base",
        patients=2,
        admissions=11,
        stages={"in all": stage},
    )
    rows = read(render_page(run_report(estimate=estimate), None)).rows
    assert ["in all", "38", "120,000", "40,000", "0.8100"] in rows


def test_page_escapes_what_it_is_given() -> None:
    item = SkippedItem(
        id="<b>", subject_id="90000001", stage="bundles", outcome="failed", reason="a & b"
    )
    page = render_page(run_report(items=(item,), message="<script>"), None)
    assert "<b>" not in page
    assert "<script>" not in page
    assert ["<b>", "90000001", "bundles", "failed", "a & b"] in read(page).rows


def test_page_shows_a_releases_statistics_and_plots(tmp_path: Path) -> None:
    write_json(tmp_path / "release" / "stats.json", statistics())
    page = write_report(tmp_path / "report", run_report(), release=tmp_path / "release").read_text()
    found = read(page)
    assert ["tokens a patient", "2", "1,350.0", "1,349.0", "1,349.5", "1,350.0", "1,350.5",
            "1,351.0"] in found.rows  # fmt: skip
    assert ["cross_admission", "frequency_pattern", "2", "n/a", "n/a"] in found.rows
    assert page.count("<svg ") == 3
    assert [link for link in found.links if not link.startswith("#")] == []


def test_page_is_the_same_for_the_same_run() -> None:
    assert render_page(run_report(), statistics()) == render_page(run_report(), statistics())


def test_release_without_statistics_leaves_the_dataset_out(tmp_path: Path) -> None:
    page = write_report(tmp_path / "report", run_report(), release=tmp_path / "release").read_text()
    assert "<h2>Dataset</h2>" not in page


def test_markdown_report_names_outcome_stages_and_gates() -> None:
    report = run_report(outcome="completed_with_failures", message="1 item failed")
    assert report_markdown(report) == (
        "# Completed, but some items failed\n"
        "\n"
        "1 item failed\n"
        "\n"
        "| stage | computed | cached | failed | skipped | seconds |\n"
        "|---|--:|--:|--:|--:|--:|\n"
        "| bundles | 3 | 1 | 0 | 1 | 1.2 |\n"
        "| dialogues | 4 | 0 | 0 | 0 | 10.0 |\n"
        "\n"
        "| gate | verdict | rows |\n"
        "|---|---|--:|\n"
        "| bundles | passed | 4 |\n"
    )
