"""Kills at random moments: nothing finished is repeated and no byte of a release differs."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from flows.verify_release import verify_release
from tasks.adapters.files import sha256_file
from tasks.sample.writing import write_sample
from tests.live.command import SECONDS, anamnesis, environment

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1800)]

SEED = int(os.environ.get("KILLS_SEED", "27"))
KILLS_A_SERIES = int(os.environ.get("KILLS_A_SERIES", "5"))
STAGES = ("start", "source", "bundles", "cohort", "dialogues", "timelines", "questions", "release")
CACHED = ("cohort", "dialogues", "lexicon", "timelines", "questions")
"""Kinds of results that a resumed run takes from the cache."""


def digests(release: Path) -> dict[str, str]:
    return {
        path.relative_to(release).as_posix(): sha256_file(path)
        for path in sorted(release.rglob("*"))
        if path.is_file()
    }


def finished(out: Path) -> dict[str, tuple[int, int]]:
    """What is finished: results with their staged file, and what a rewrite of it would change."""
    results = out / "cache" / "results"
    found: dict[str, tuple[int, int]] = {}
    for record in results.iterdir() if results.is_dir() else ():
        kind = record.name.split(".", 1)[0]
        staged = out / "cache" / kind / f"{record.name}.json"
        if not record.name.startswith(".") and kind in CACHED and staged.is_file():
            stat = staged.stat()
            found[record.name] = (stat.st_ino, stat.st_mtime_ns)
    return found


@dataclass
class Site:
    """A server, a sample and an uninterrupted build."""

    home: Path
    data: Path
    whole: Path
    earlier: Path
    seconds: dict[str, float]
    draw: random.Random = field(default_factory=lambda: random.Random(SEED))
    killed: Counter[str] = field(default_factory=Counter[str])
    finished: int = 0
    repeated: int = 0

    def command(self, out: Path, *options: str) -> list[str]:
        return ["build", "--mimic", str(self.data), "--out", str(out), "--concurrency=2", *options]

    def build(self, out: Path, *options: str) -> None:
        ended = anamnesis(*self.command(out, *options), home=self.home)
        assert ended.returncode == 0, ended.stderr

    def kill(self, out: Path, stages: tuple[str, ...] = STAGES) -> bool:
        """Start a build and kill it somewhere in a stage; False where it was quicker."""
        stage = self.next_stage(stages)
        moment = self.draw.uniform(0, self.seconds[stage])
        with subprocess.Popen(
            [sys.executable, "-m", "flows.cli", *self.command(out)],
            env=environment(self.home),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            assert process.stderr is not None
            before = STAGES[STAGES.index(stage) - 1] if stage != "start" else ""
            reached = not before or before == "start"
            while not reached and (line := process.stderr.readline()):
                reached = line.startswith(f"{before}:")
            time.sleep(moment if stage != "source" else self.seconds["start"] + moment)
            process.send_signal(signal.SIGKILL)
            process.stderr.read()
        if process.returncode == -signal.SIGKILL:
            self.killed[stage] += 1
            return True
        return False

    def next_stage(self, stages: tuple[str, ...]) -> str:
        """Each has its turn before one comes again."""
        fewest = min(self.killed[stage] for stage in stages)
        return self.draw.choice([stage for stage in stages if self.killed[stage] == fewest])

    def kills(self, out: Path, stages: tuple[str, ...] = STAGES) -> Generator[None]:
        """Kill build after build; what was finished before is looked at after each."""
        left = KILLS_A_SERIES
        while left:
            before = finished(out)
            left -= self.kill(out, stages)
            self.compare(out, before)
            yield

    def compare(self, out: Path, before: dict[str, tuple[int, int]]) -> None:
        """Count what was made again although it was finished."""
        after = finished(out)
        self.finished += len(before)
        self.repeated += sum(after.get(name) != mark for name, mark in before.items())

    def finish(self, out: Path) -> None:
        """Run to the end: what was finished comes from the cache, and the release is the same."""
        before = finished(out)
        self.build(out)
        self.compare(out, before)
        wanted = before.keys() & finished(self.whole).keys()
        stages = json.loads((out / "report" / "run.json").read_text())["stages"]
        for stage in ("dialogues", "timelines", "questions"):
            done = sum(name.startswith(f"{stage}.") for name in wanted)
            total = stages[stage]["cached"] + stages[stage]["computed"]
            assert (stages[stage]["cached"], total) == (done, self.total(stage)), stage
        assert digests(out / "release") == digests(self.whole / "release")
        assert self.repeated == 0

    def total(self, stage: str) -> int:
        counts = json.loads((self.whole / "report" / "run.json").read_text())["stages"][stage]
        return int(counts["computed"])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Generator[Site]:
    home = tmp_path_factory.mktemp("prefect-home")
    data = tmp_path_factory.mktemp("sample")
    whole = tmp_path_factory.mktemp("whole")
    write_sample(data, patients=3, seed=27)
    earlier = tmp_path_factory.mktemp("earlier")
    made = Site(home, data, whole, earlier, seconds={})
    made.build(earlier, "--patients=2")
    begun = time.monotonic()
    made.build(whole)
    took = time.monotonic() - begun
    stages = json.loads((whole / "report" / "run.json").read_text())["stages"]
    made.seconds.update({name: count["seconds"] + 0.05 for name, count in stages.items()})
    made.seconds["start"] = max(1.0, (took - sum(made.seconds.values())) / 2)
    yield made
    anamnesis("server", "stop", home=home)


@contextmanager
def standing(release: Path) -> Generator[None]:
    """Look all the time whether the release is there."""
    over = threading.Event()
    missing: list[float] = []

    def look() -> None:
        while not over.wait(0.005):
            if not (release / "manifest.json").is_file():
                missing.append(time.monotonic())

    thread = threading.Thread(target=look)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join(SECONDS)
    assert missing == []


def test_killed_builds_are_taken_up_where_they_stopped(site: Site, tmp_path: Path) -> None:
    for _ in site.kills(tmp_path):
        assert not (tmp_path / "release").exists() or digests(tmp_path / "release") == digests(
            site.whole / "release"
        )
    site.finish(tmp_path)


def test_the_old_release_stands_until_the_new_one_is_complete(site: Site, tmp_path: Path) -> None:
    shutil.copytree(site.earlier, tmp_path, dirs_exist_ok=True)
    old, new = digests(tmp_path / "release"), digests(site.whole / "release")
    with standing(tmp_path / "release"):
        for _ in site.kills(tmp_path):
            assert digests(tmp_path / "release") in (old, new)
        assert verify_release(tmp_path / "release") == []
        site.finish(tmp_path)


def test_kills_during_publication_leave_one_whole_release(site: Site, tmp_path: Path) -> None:
    shutil.copytree(site.whole / "cache", tmp_path / "cache")
    shutil.copytree(site.earlier / "release", tmp_path / "release")
    old, new = digests(tmp_path / "release"), digests(site.whole / "release")
    with standing(tmp_path / "release"):
        for _ in site.kills(tmp_path, ("release",)):
            assert digests(tmp_path / "release") in (old, new)
        site.finish(tmp_path)
    assert verify_release(tmp_path / "release") == []


def test_figures(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    """Says what the tests above did; ``KILLS_SEED`` draws other moments."""
    with capsys.disabled():
        stages = ", ".join(f"{stage} {site.killed[stage]}" for stage in STAGES)
        print(f"\n{site.killed.total()} kills (seed {SEED}): {stages}")
        print(f"finished items looked at: {site.finished}; made again: {site.repeated}")
    assert site.repeated == 0
