"""Evaluations from the command line: the report in a browser without network, a real model."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tasks.answering.systems import STRATEGIES
from tests.factories.published import publish
from tests.factories.released_patients import SUBJECTS
from tests.factories.releases import write_release
from tests.live.browser import Page
from tests.live.building import report_of
from tests.live.command import anamnesis
from tests.live.llama_server import ALIAS, llama_server, small_model

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

QUESTIONS = 4
BASELINES = ("always-abstain", "question-only", "extractive")


def test_all_strategies_run_offline_and_the_report_opens_without_network(
    home: Path, page: Page, tmp_path: Path
) -> None:
    release, out = write_release(tmp_path / "release"), tmp_path / "evaluation"
    ended = anamnesis(
        "evaluate", f"--release={release}", f"--out={out}", "--strategy", "all", home=home
    )
    assert ended.returncode == 0, ended.stderr
    names = [*(f"programmatic-1/{one}" for one in STRATEGIES), *BASELINES]
    for name in names:
        assert f"\n{name} " in ended.stdout
    with (out / "leaderboard.csv").open(newline="") as stream:
        assert {row["system"] for row in csv.DictReader(stream)} == set(names)

    page.open((out / "report.html").as_uri())
    page.wait_for("Evaluation", "Systems", "Published results, full context", "GPT-5.1", *names)
    assert page.fetched() == []
    assert len(page.drawings()) >= 4
    assert all(width > 300 and height > 100 for width, height in page.drawings())
    page.save(tmp_path / "report.png")
    assert (tmp_path / "report.png").read_bytes().startswith(b"\x89PNG")

    again = anamnesis(
        "evaluate", f"--release={release}", f"--out={out}", "--strategy", "all", home=home
    )
    assert again.returncode == 0, again.stderr
    assert "answers: 22 cached" in again.stderr


def test_a_small_model_with_a_small_context_is_evaluated_and_not_asked_twice(
    home: Path, tmp_path: Path
) -> None:
    # It writes twenty tokens a second: four questions take a minute.
    release, out = a_few_questions(tmp_path), tmp_path / "evaluation"
    systems = {f"{ALIAS}/full-context", f"{ALIAS}/bm25"}
    with llama_server(small_model(), context_tokens=4096) as server:
        command = (
            "evaluate",
            f"--release={release}",
            f"--out={out}",
            "--strategy=full-context,bm25",
            "--provider=openai",
            f"--base-url={server.base_url}",
            f"--model={ALIAS}",
            "--server=llamacpp",
            f"--context-tokens={server.context_tokens}",
            "--output-tokens=64",
            "--concurrency=1",
        )
        first = anamnesis(*command, home=home)
        asked = report_of(out).usage
        again = anamnesis(*command, home=home)
    # It seldom keeps to the shape it is asked for: its run may be invalid, but it ends as one.
    assert first.returncode in (0, 1), first.stderr
    assert "Traceback" not in first.stdout + first.stderr
    with (out / "leaderboard.csv").open(newline="") as stream:
        rows = {row["system"]: row for row in csv.DictReader(stream)}
    assert rows.keys() == {*systems, *BASELINES}
    for name in systems:
        counted = [int(rows[name][one]) for one in ("answered", "missing", "failed")]
        assert sum(counted) == QUESTIONS
    assert asked.requests > 0
    assert again.returncode == first.returncode
    assert report_of(out).usage.requests == 0


def a_few_questions(folder: Path) -> Path:
    """One patient in the published layout, asked four questions."""
    ours = write_release(folder / "ours", [SUBJECTS[0]])
    release = publish(ours, folder / "release")
    asked = release / SUBJECTS[0] / "benchmark_qa.json"
    content = json.loads(asked.read_text())
    asked.write_text(json.dumps({"qas": content["qas"][:QUESTIONS]}))
    return release


def test_wrong_use_is_one_message_and_leaves_nothing(home: Path, tmp_path: Path) -> None:
    out = tmp_path / "evaluation"
    ended = anamnesis("evaluate", f"--release={tmp_path / 'none'}", f"--out={out}", home=home)
    assert ended.returncode == 2
    assert ended.stderr == (
        f"error: no release at {tmp_path / 'none'}: it is not a folder; give a release's folder\n"
    )
    assert not out.exists()
