from __future__ import annotations

import json
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from flows.generate_rubrics import generate_rubrics
from tasks.contracts.build import RunReport
from tasks.contracts.errors import SettingError, SourceError, TooManyFailed
from tasks.contracts.rubrics import ROLES
from tests.flows.rubric_runs import MARKER, QUERIES, generate, rubrics, serving, write_queries
from tests.servers.rubric_writer import RubricWriter
from tests.servers.tavily_server import TavilyServer

pytestmark = pytest.mark.usefixtures("prefect_server", "open_data")

ROLE_REQUESTS = 8


def computed(report: RunReport) -> dict[str, int]:
    return {name: one.computed for name, one in report.stages.items() if name in ROLES}


def test_offline_rubrics_are_generated_once_and_a_changed_query_alone_again(
    tmp_path: Path, out: Path
) -> None:
    queries = write_queries(tmp_path)
    first = generate(queries, out)
    assert first.outcome == "completed"
    assert [gate.stage for gate in first.gates] == ["rubrics"]
    assert computed(first) == dict.fromkeys(ROLES, 3)
    written = (out / "rubrics.jsonl").read_bytes()
    found = rubrics(out)
    assert [one["query_id"] for one in found] == ["0", "1", "2"]
    assert all(criterion["support"] for one in found for criterion in one["rubrics"])
    assert found[0]["generator"] == "programmatic"
    manifest = json.loads((out / "manifest.json").read_text())
    assert (manifest["generator"], manifest["data_class"]) == ("programmatic", "open")
    assert manifest["files"]["rubrics.jsonl"]["bytes"] == len(written)

    again = generate(queries, out)
    assert computed(again) == dict.fromkeys(ROLES, 0)
    assert (out / "rubrics.jsonl").read_bytes() == written

    changed = {"0": QUERIES["0"], "2": QUERIES["2"], "9": "which vaccines before a journey to Asia"}
    third = generate(write_queries(tmp_path, changed), out)
    assert computed(third) == dict.fromkeys(ROLES, 1)
    traces = (out / "cache" / "traces" / "full").iterdir()
    assert sorted(one.name for one in traces) == ["0.json", "2.json", "9.json"]


def test_traces_are_private_and_reports_hold_no_words_of_a_query(tmp_path: Path, out: Path) -> None:
    generate(write_queries(tmp_path), out)
    trace = out / "cache" / "traces" / "full" / "0.json"
    assert MARKER in trace.read_text()
    assert stat.S_IMODE(trace.stat().st_mode) == 0o600
    assert stat.S_IMODE((out / "cache").stat().st_mode) == 0o700
    for path in [*(out / "report").iterdir(), *out.glob("report.*"), *(out / "tables").iterdir()]:
        assert MARKER not in path.read_text()


def test_ablations_run_anew_only_what_they_change(tmp_path: Path, out: Path) -> None:
    queries = write_queries(tmp_path)
    generate(queries, out)
    report = generate(queries, out, without=["nothing", "intent"], baseline=["generic"])
    again = dict.fromkeys(ROLES, 0) | {"rubric": 3, "auditor": 3}
    assert computed(report) == again
    assert {one["variant"] for one in rubrics(out, "rubrics.without-intent.jsonl")} == {
        "without-intent"
    }
    assert len(rubrics(out, "rubrics.generic.jsonl")[0]["rubrics"]) == 7
    assert rubrics(out)[0]["variant"] == "full"
    generate(queries, out, baseline=["generic"])
    assert [one.name for one in out.glob("rubrics*.jsonl")] == ["rubrics.jsonl"]


def test_a_model_is_asked_once_a_role_and_never_again(tmp_path: Path, out: Path) -> None:
    queries = write_queries(tmp_path)
    writer = RubricWriter()
    with serving(writer) as server:
        given: dict[str, Any] = {
            "provider": "openai",
            "model": "m",
            "base_url": server.base_url,
            "role": ["rubric.model=judge", "rubric.temperature=0.4", "rubric.top_p=0.8"],
        }
        report = generate(queries, out, **given)
        asked = len(server.requests)
        generate(queries, out, **given)
        assert len(server.requests) == asked == ROLE_REQUESTS * 3
        bodies = [one.body for one in server.requests]
    assert report.usage.requests == asked
    drafted = [one for one in bodies if one["model"] == "judge"]
    assert len(drafted) == 3
    assert {(one["temperature"], one["top_p"]) for one in drafted} == {(0.4, 0.8)}
    assert {one["temperature"] for one in bodies if one["model"] == "m"} == {0.1}
    assert rubrics(out)[0]["generator"] == "m, programmatic, judge"


def test_a_query_whose_model_fails_is_listed_and_the_run_fails_above_the_limit(
    tmp_path: Path, out: Path
) -> None:
    class Unable(RubricWriter):
        def __call__(self, messages: Sequence[Any]) -> str:
            return "no" if "persona" in messages[1]["content"] else super().__call__(messages)

    with (
        serving(Unable()) as server,
        pytest.raises(
            TooManyFailed, match=r"3 of 3 rubrics could not be made.*0 full, intent: the reply"
        ),
    ):
        generate(
            write_queries(tmp_path), out, provider="openai", model="m", base_url=server.base_url
        )
    report = json.loads((out / "report" / "run.json").read_text())
    failed = [one for one in report["items"] if one["stage"] == "intent"]
    assert [one["id"] for one in failed] == ["0 full", "1 full", "2 full"]


def test_without_queries_or_with_an_empty_file_nothing_is_written(
    tmp_path: Path, out: Path
) -> None:
    with pytest.raises(SettingError, match="queries is not set"):
        generate_rubrics(out=str(out))
    (tmp_path / "empty.jsonl").write_text("")
    with pytest.raises(SourceError, match="holds no query"):
        generate(str(tmp_path / "empty.jsonl"), out)
    assert not out.exists()


def test_credentialed_queries_go_to_no_server_that_is_not_allowed(
    tmp_path: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ANAMNESIS_DATA_CLASS")
    monkeypatch.setenv("TAVILY_API_KEY", "tvly-k")
    with pytest.raises(SettingError, match=r"tavily_url: api.tavily.com .* credentialed"):
        generate(write_queries(tmp_path), out, search="tavily")


def test_the_web_is_searched_through_tavily_once(
    tmp_path: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TAVILY_API_KEY", "tvly-k")
    url = "https://a.example/bloating"
    text = "Eat slowly against bloating. Sudden pain of the belly is an emergency."
    found = {"title": "Bloating", "url": url, "content": "Eat slowly.", "score": 0.9}
    queries = write_queries(tmp_path, {"0": "how to reduce bloating"})
    with TavilyServer(results=[found], pages={url: text}) as server:
        generate(queries, out, search="tavily", tavily_url=server.base_url)
        paths = [path for path, _, _ in server.requests]
        generate(queries, out, search="tavily", tavily_url=server.base_url)
        assert len(server.requests) == len(paths) == 6
    assert paths.count("/search") == 5
    trace = json.loads((out / "cache" / "traces" / "full" / "0.json").read_text())
    (source,) = next(one["sources"] for one in trace["outputs"] if one["role"] == "extraction")
    assert (source["url"], source["fell_back"], source["characters"]) == (url, False, len(text))


def test_the_questions_of_a_release_are_queries(release: Path, out: Path) -> None:
    report = generate_rubrics(release=str(release), out=str(out), baseline=["generic"])
    assert isinstance(report, RunReport)
    questions = [
        one["qa_id"]
        for path in sorted(release.glob("*/benchmark_qa.json"))
        for one in json.loads(path.read_text())["qas"]
    ]
    assert [one["query_id"] for one in rubrics(out)] == questions


def test_a_query_without_any_support_is_listed_and_the_others_are_published(
    tmp_path: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANAMNESIS_FAILED_SHARE_LIMIT", "0.5")
    queries = write_queries(tmp_path, {"0": "how to reduce bloating", "1": "?!"})
    report = generate(queries, out, without=["intent"])
    assert report.outcome == "completed_with_failures"
    assert [one.id for one in report.items if one.outcome == "failed"] == ["1 without-intent"]
    assert [one["query_id"] for one in rubrics(out)] == ["0"]


def test_rubrics_are_counted_that_could_not_be_made_however_late(tmp_path: Path, out: Path) -> None:
    class BadAuditor(RubricWriter):
        def __call__(self, messages: Sequence[Any]) -> str:
            bad = messages[1]["content"].startswith("Audit") and MARKER in messages[1]["content"]
            return "no" if bad else super().__call__(messages)

    queries = write_queries(tmp_path)
    given = {"provider": "openai", "model": "m"}
    with serving(BadAuditor()) as server:
        with pytest.raises(TooManyFailed, match="1 of 3 rubrics could not be made; the limit"):
            generate(queries, out, **given, base_url=server.base_url)
        report = json.loads((out / "report" / "run.json").read_text())
        assert report["stages"]["pipeline"]["failed"] == 1


def test_a_query_that_fails_early_counts_once(
    tmp_path: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class BadRouter(RubricWriter):
        def __call__(self, messages: Sequence[Any]) -> str:
            bad = messages[1]["content"].startswith("Plan") and MARKER in messages[1]["content"]
            return "no" if bad else super().__call__(messages)

    monkeypatch.setenv("ANAMNESIS_FAILED_SHARE_LIMIT", "0.34")
    queries = write_queries(tmp_path)
    with serving(BadRouter()) as server:
        report = generate(queries, out, provider="openai", model="m", base_url=server.base_url)
    pipeline = report.stages["pipeline"]
    assert (pipeline.computed, pipeline.failed, pipeline.skipped) == (20, 1, 9)
    assert report.outcome == "completed_with_failures"


def test_a_page_that_can_t_be_read_ends_the_run_before_any_step(tmp_path: Path, out: Path) -> None:
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "a.md").write_text("Eat slowly against bloating.")
    (pages / "b.txt").write_text("")
    queries = write_queries(tmp_path, {"0": "how to reduce bloating"})
    generate(queries, out, corpus=str(pages))
    rows = (out / "tables" / "rubrics-reading.csv").read_text().splitlines()
    assert rows[1:] == ["pages,refused,page without text,1,b.txt"]
    (pages / "c.pdf").write_bytes(b"no pdf at all")
    other = tmp_path / "other"
    with pytest.raises(SourceError, match=r"c\.pdf: can't be read as PDF"):
        generate(queries, other, corpus=str(pages))
    assert not other.exists()


def test_refused_records_stand_in_the_counts_of_the_run(tmp_path: Path, out: Path) -> None:
    path = tmp_path / "queries.jsonl"
    path.write_text('{"id": 1, "query": "how to reduce bloating"}\n{"id": 1, "query": "fever"}\n')
    report = generate(str(path), out, baseline=["generic"])
    assert (report.stages["read"].computed, report.stages["read"].skipped) == (1, 1)
