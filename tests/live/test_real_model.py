"""Builds with a real language model: they end cleanly, whatever it writes.

SmolLM2-135M often writes until a reply is cut, and seldom what a conversation needs. ``LIVE_MODEL``
names the GGUF file of a better model, for a run by hand that goes on to questions.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Generator
from pathlib import Path

import pytest

from flows.verify_release import verify_release
from tasks.contracts.build import RunReport
from tests.factories.mimic_tree import patient, write_mimic_tree
from tests.live.building import report_of
from tests.live.command import anamnesis
from tests.live.llama_server import ALIAS, LlamaServer, llama_server, small_model

LIVE_MODEL = os.environ.get("LIVE_MODEL", "")

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]


@pytest.fixture
def home(tmp_path: Path) -> Generator[Path]:
    yield tmp_path / "prefect-home"
    anamnesis("server", "stop", home=tmp_path / "prefect-home")


def build(
    home: Path, out: Path, server: LlamaServer, *options: str
) -> tuple[subprocess.CompletedProcess[str], RunReport]:
    """Ask the model for one patient's two admissions; a tree of no stated class is private."""
    if not (out.parent / "mimic").is_dir():
        write_mimic_tree(out.parent / "mimic", (patient(1),))
    ended = anamnesis(
        "build",
        f"--mimic={out.parent / 'mimic'}",
        f"--out={out}",
        "--provider=openai",
        f"--base-url={server.base_url}",
        f"--model={ALIAS}",
        "--server=llamacpp",
        f"--context-tokens={server.context_tokens}",
        "--concurrency=1",
        *options,
        home=home,
    )
    assert "Traceback" not in ended.stdout + ended.stderr
    return ended, report_of(out)


def assert_valid_or_set_aside(
    ended: subprocess.CompletedProcess[str], report: RunReport, out: Path
) -> None:
    assert ended.returncode in (0, 1), ended.stderr
    assert all(item.reason for item in report.items)
    if ended.returncode == 0:
        assert verify_release(out / "release") == []
    else:
        assert report.items, ended.stderr
        assert not (out / "release").exists()


def test_a_small_model_s_dialogues_are_valid_or_set_aside_with_their_reason(
    home: Path, tmp_path: Path
) -> None:
    out, options = tmp_path / "out", ("--turn-range=4-6", "--output-tokens=150")
    with llama_server(small_model(), context_tokens=4096) as server:
        first, report = build(home, out, server, *options)
        assert_valid_or_set_aside(first, report, out)
        assert report.usage.requests > 0
        again, report_again = build(home, out, server, *options)
    assert again.returncode == first.returncode
    assert report_again.items == report.items
    assert (report_again.usage.requests, report_again.usage.replayed) == (0, report.usage.requests)


@pytest.mark.skipif(not LIVE_MODEL, reason="no better model: LIVE_MODEL names a GGUF file")
@pytest.mark.timeout(7200)
def test_a_better_model_gets_from_dialogues_to_questions(home: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    small_model()
    with llama_server(Path(LIVE_MODEL), context_tokens=8192) as server:
        ended, report = build(
            home, out, server, "--turn-range=6-10", "--output-tokens=1500", "--request-seconds=600"
        )
    assert_valid_or_set_aside(ended, report, out)
    assert report.stages["dialogues"].computed == 2
    assert "questions" in report.stages
