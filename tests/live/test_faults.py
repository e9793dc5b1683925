"""Faults of the machine around a real build: servers, signals, disks and other runs."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from flows.server_process import ServerFiles, read_state
from tasks.adapters.files import sha256_file
from tasks.sample.writing import write_sample
from tests.live.command import SECONDS, address, anamnesis, environment

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]


def digests(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): sha256_file(path)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@dataclass
class Site:
    """A server, a sample and an undisturbed build of it."""

    home: Path
    data: Path
    whole: Path

    def command(self, out: Path) -> list[str]:
        return ["build", "--mimic", str(self.data), "--out", str(out), "--concurrency=2"]

    def start(self, out: Path, **others: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "flows.cli", *self.command(out)],
            env=environment(self.home, **others),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def disturb(
        self, out: Path, after: str, fault: Callable[[subprocess.Popen[str]], object], **others: str
    ) -> tuple[int, list[str]]:
        """Do something to a build once a stage is over; its exit code and what it said since."""
        with self.start(out, **others) as process:
            assert process.stderr is not None
            while (line := process.stderr.readline()) and not line.startswith(f"{after}:"):
                pass
            fault(process)
            said = process.communicate(timeout=SECONDS)[1]
        return process.returncode, [
            line for line in said.splitlines() if line.split(":")[0] not in STAGES
        ]

    def flow_run(self, run_id: str) -> dict[str, Any]:
        state = read_state(ServerFiles(self.home))
        assert state is not None
        return httpx.get(f"{state.api_url}/flow_runs/{run_id}", trust_env=False).json()


STAGES = ("source", "bundles", "cohort", "dialogues", "timelines", "questions", "audits", "release")


def report(out: Path) -> dict[str, Any]:
    return json.loads((out / "report" / "run.json").read_text())


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Generator[Site]:
    home = tmp_path_factory.mktemp("prefect-home")
    data = tmp_path_factory.mktemp("sample")
    whole = tmp_path_factory.mktemp("whole")
    write_sample(data, patients=2, seed=27)
    made = Site(home, data, whole)
    ended = anamnesis(*made.command(whole), home=home)
    assert ended.returncode == 0, ended.stderr
    yield made
    anamnesis("server", "stop", home=home)


def test_a_run_goes_on_after_its_server_was_killed(site: Site, tmp_path: Path) -> None:
    state = read_state(ServerFiles(site.home))
    assert state is not None
    code, said = site.disturb(tmp_path, "bundles", lambda _: os.kill(state.pid, signal.SIGKILL))
    assert (code, said[:1]) == (0, ["Prefect's server is gone; starting it again"]), said
    assert digests(tmp_path / "release") == digests(site.whole / "release")


def test_a_lost_server_of_the_users_ends_the_run_with_one_message(
    site: Site, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    url = address(anamnesis("server", "start", home=home).stdout)
    state = read_state(ServerFiles(home))
    assert state is not None
    begun = time.monotonic()

    def kill(_: object) -> None:
        nonlocal begun
        begun = time.monotonic()
        os.kill(state.pid, signal.SIGKILL)

    out = tmp_path / "out"
    code, said = site.disturb(out, "bundles", kill, PREFECT_API_URL=url)
    assert (code, said) == (
        1,
        [
            f"error: Prefect's server {url} went away during the run: finished work is kept; "
            "once the server is there again, the same command resumes"
        ],
    )
    assert time.monotonic() - begun < 60
    assert report(out)["outcome"] == "failed"
    assert anamnesis(*site.command(out), home=site.home).returncode == 0
    assert digests(out / "release") == digests(site.whole / "release")


@pytest.mark.parametrize(
    ("number", "code", "words"),
    [
        (signal.SIGINT, 130, "interrupted"),
        (signal.SIGTERM, 143, "ended by SIGTERM"),
    ],
)
def test_a_stopped_run_says_so_everywhere(
    site: Site, tmp_path: Path, number: signal.Signals, code: int, words: str
) -> None:
    ended = site.disturb(tmp_path, "cohort", lambda process: process.send_signal(number))
    assert ended == (code, [f"error: {words}; finished work is kept, the same command resumes"])
    assert report(tmp_path)["outcome"] == "interrupted"
    assert site.flow_run(report(tmp_path)["flow_run_id"])["state_type"] == "CRASHED"
    assert not (tmp_path / ".run.json").exists()


def test_a_killed_run_is_closed_by_the_next_one(site: Site, tmp_path: Path) -> None:
    code, _ = site.disturb(tmp_path, "timelines", lambda process: process.kill())
    assert code == -signal.SIGKILL
    killed = json.loads((tmp_path / ".run.json").read_text())
    assert report(tmp_path)["outcome"] == "running"
    assert site.flow_run(killed["flow_run_id"])["state_type"] == "RUNNING"
    assert anamnesis(*site.command(tmp_path), home=site.home).returncode == 0
    closed = site.flow_run(killed["flow_run_id"])["state"]
    assert closed["type"] == "CRASHED"
    assert closed["message"].startswith(f"process {killed['pid']} on ")


def test_a_database_that_another_program_holds_delays_a_run_only(
    site: Site, tmp_path: Path
) -> None:
    def hold() -> None:
        database = sqlite3.connect(site.home / "prefect.db", timeout=60, isolation_level=None)
        database.execute("begin exclusive")
        time.sleep(20)
        database.execute("rollback")
        database.close()

    holder = threading.Thread(target=hold)
    code, said = site.disturb(tmp_path, "bundles", lambda _: holder.start())
    holder.join()
    assert (code, said) == (0, [])
    assert digests(tmp_path / "release") == digests(site.whole / "release")


def test_a_second_run_on_the_same_output_is_told_who_holds_it(site: Site, tmp_path: Path) -> None:
    out, link = tmp_path / "out", tmp_path / "link"
    link.symlink_to(out)
    second: list[subprocess.CompletedProcess[str]] = []

    def start_another(first: subprocess.Popen[str]) -> None:
        # Held still, so that the first run is sure to be there.
        first.send_signal(signal.SIGSTOP)
        second.append(
            anamnesis(*site.command(link), home=site.home, ANAMNESIS_LOCK_WAIT_SECONDS="0")
        )
        second[0].args = first.pid
        first.send_signal(signal.SIGCONT)

    assert site.disturb(out, "bundles", start_another) == (0, [])
    assert second[0].returncode == 2
    (message,) = second[0].stderr.splitlines()
    assert f"is used by another run (process {second[0].args} on " in message
    assert digests(out / "release") == digests(site.whole / "release")


def test_two_builds_at_once_with_a_fresh_home_both_complete(site: Site, tmp_path: Path) -> None:
    home = tmp_path / "home"
    builds = [
        subprocess.Popen(
            [sys.executable, "-m", "flows.cli", *site.command(tmp_path / name)],
            env=environment(home),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for name in ("one", "two")
    ]
    try:
        assert [build.wait(SECONDS) for build in builds] == [0, 0]
    finally:
        anamnesis("server", "stop", home=home)
    assert digests(tmp_path / "one/release") == digests(tmp_path / "two/release")


MOUNT = ["unshare", "--mount", "--map-root-user"]


def can_mount() -> bool:
    if shutil.which("unshare") is None:
        return False
    mount = [*MOUNT, "mount", "-t", "tmpfs", "none", "/mnt"]
    return subprocess.run(mount, check=False, capture_output=True).returncode == 0


def build_on(
    site: Site, out: Path, options: str, then: str = "true"
) -> subprocess.CompletedProcess[str]:
    """Build into a folder that is mounted for this command alone."""
    build = " ".join([sys.executable, "-m", "flows.cli", *site.command(out)])
    script = f"mount {options} {out} && {{ {build}; code=$?; {then}; exit $code; }}"
    return subprocess.run(
        [*MOUNT, "sh", "-c", script],
        env=environment(site.home),
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )


@pytest.mark.skipif(not can_mount(), reason="this system lets nobody mount a folder")
@pytest.mark.parametrize("size", ["500k", "1000k"])
def test_a_full_disk_ends_the_run_with_one_message(site: Site, tmp_path: Path, size: str) -> None:
    out = tmp_path / "out"
    out.mkdir()
    ended = build_on(
        site, out, f"-t tmpfs -o size={size} none", f"find {out} -name '*.tmp' -o -name release"
    )
    assert ended.returncode == 1
    assert [line for line in ended.stderr.splitlines() if line.split(":")[0] not in STAGES] == [
        "error: No space left on device: finished work is kept, the same command resumes"
    ]
    assert str(out) + "/" not in ended.stdout.replace(f"report: {out}/report/index.html", "")


@pytest.mark.skipif(not can_mount(), reason="this system lets nobody mount a folder")
def test_a_read_only_output_is_refused_and_stays_as_it_is(site: Site, tmp_path: Path) -> None:
    out = tmp_path / "out"
    shutil.copytree(site.whole, out)
    before = digests(out)
    ended = build_on(site, out, f"--bind {out} {out} && mount -o remount,bind,ro")
    assert ended.returncode == 2
    (message,) = ended.stderr.splitlines()
    assert message.startswith(f"error: {out}/cache can't be written")
    assert digests(out) == before


@pytest.mark.parametrize(
    ("name", "why"),
    [("file/out", "Not a directory"), ("n" * 300, "File name too long")],
    ids=["below a file", "a long name"],
)
def test_an_output_that_cannot_be_is_refused(
    site: Site, tmp_path: Path, name: str, why: str
) -> None:
    (tmp_path / "file").write_text("")
    ended = anamnesis(*site.command(tmp_path / name), home=site.home)
    assert ended.returncode == 2
    assert f"can't be written ({why}): choose another one" in ended.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_demo_without_a_server_writes_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    ended = anamnesis("demo", "--out", str(tmp_path / "demo"), home=tmp_path / "file" / "home")
    assert ended.returncode == 2
    assert "set PREFECT_HOME to a folder that can" in ended.stderr
    assert not (tmp_path / "demo").exists()


def test_a_build_can_do_without_a_home_a_temporary_folder_and_a_reader(
    site: Site, tmp_path: Path
) -> None:
    with site.start(tmp_path, TMPDIR="/nonexistent", HOME="/nonexistent") as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.stderr is not None
        said = process.stderr.read()
    assert process.returncode == 0, said
    assert "Traceback" not in said
    assert "BrokenPipe" not in said
    assert digests(tmp_path / "release") == digests(site.whole / "release")
