"""An evaluation killed in the middle of its answers goes on where it stopped."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.factories.releases import write_release
from tests.live.command import SECONDS, anamnesis, environment

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

FILES = ("leaderboard.csv", "scores.jsonl", "report.html", "report.md")
ANSWERED_BEFORE_THE_KILL = 3


def command(release: Path, out: Path) -> tuple[str, ...]:
    return (
        "evaluate", f"--release={release}", f"--out={out}", "--strategy=all", "--concurrency=1",
    )  # fmt: skip


def answered(out: Path) -> dict[str, tuple[int, int]]:
    """Staged answers, and what a rewrite of them would change."""
    return {
        path.name: (path.stat().st_ino, path.stat().st_mtime_ns)
        for path in (out / "cache" / "answers").glob("[!.]*.json")
        if (out / "cache" / "results" / path.stem).is_file()
    }


def kill_while_answering(given: tuple[str, ...], out: Path, home: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "flows.cli", *given],
        env=environment(home),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        ends = time.monotonic() + SECONDS
        while len(answered(out)) < ANSWERED_BEFORE_THE_KILL and time.monotonic() < ends:
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
    assert process.returncode == -signal.SIGKILL


def test_a_killed_evaluation_resumes_to_the_same_bytes(home: Path, tmp_path: Path) -> None:
    release = write_release(tmp_path / "release")
    killed, whole = tmp_path / "killed", tmp_path / "whole"
    kill_while_answering(command(release, killed), killed, home)
    before = answered(killed)
    assert len(before) >= ANSWERED_BEFORE_THE_KILL
    assert not (killed / "leaderboard.csv").exists()
    for out in (killed, whole):
        ended = anamnesis(*command(release, out), home=home)
        assert ended.returncode == 0, ended.stderr
    assert before.items() <= answered(killed).items()
    for name in FILES:
        assert (killed / name).read_bytes() == (whole / name).read_bytes()
