"""Builds on a server of their own, some with a gate that fails."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tasks.adapters.files import read_model
from tasks.contracts.build import RunReport
from tests.live.command import SECONDS, anamnesis, environment

CHECKOUT = Path(__file__).parents[2]


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


@contextmanager
def sampled_place(folders: pytest.TempPathFactory, *options: str) -> Generator[Place]:
    """A place with a sample of these options; its server is stopped at the end."""
    home, data = folders.mktemp("prefect-home"), folders.mktemp("sample")
    sampled = anamnesis("sample", f"--out={data}", *options, home=home)
    assert sampled.returncode == 0, sampled.stderr
    yield Place(home, data)
    anamnesis("server", "stop", home=home)


def run_address(ended: subprocess.CompletedProcess[str]) -> str:
    (line,) = [line for line in ended.stdout.splitlines() if line.startswith("run: ")]
    return line.removeprefix("run: ")


def report_of(out: Path) -> RunReport:
    return read_model(out / "report" / "run.json", RunReport)


def copied_checkout(folder: Path) -> Path:
    """A copy of the program, to be changed."""
    for name in ("flows", "tasks", "sql", "expectations"):
        shutil.copytree(CHECKOUT / name, folder / name)
    return folder


def stricter_checkout(folder: Path) -> Path:
    """A copy of the program whose dialogues gate wants turns of at least ten words."""
    suite = copied_checkout(folder) / "expectations" / "dialogues_turns.json"
    content = json.loads(suite.read_text())
    (words,) = [one for one in content["expectations"] if one["kwargs"].get("column") == "words"]
    words["kwargs"]["min_value"] = 10
    suite.write_text(json.dumps(content))
    return folder
