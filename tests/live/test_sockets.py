"""No process of a demo run opens a socket to another machine or looks up its name.

Runs on a terminal, where Prefect reports more, and with every switch set against us.
"""

from __future__ import annotations

import ipaddress
import os
import pty
import subprocess
import threading
from collections.abc import Generator
from pathlib import Path

import pytest

from tests.live.command import SECONDS
from tests.live.site import ANAMNESIS, Site

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

AGAINST_US = {
    "DO_NOT_TRACK": "0",
    "PREFECT_SERVER_ANALYTICS_ENABLED": "true",
    "GX_ANALYTICS_ENABLED": "true",
    "HTTP_PROXY": "http://proxy.invalid:3128",
    "HTTPS_PROXY": "http://proxy.invalid:3128",
    "ALL_PROXY": "http://proxy.invalid:3128",
}
_SIGNS_OF_CI = ("CI", "GITHUB_ACTIONS", "GITLAB_CI", "JENKINS_URL", "TF_BUILD", "BUILDKITE")


@pytest.fixture
def site(tmp_path: Path) -> Generator[Site]:
    made = Site(tmp_path / "site")
    yield made
    made.anamnesis("server", "stop")


def run_on_a_terminal(site: Site, *arguments: str, **others: str) -> int:
    """Run the command line with a terminal on all its streams."""
    environment = site.environment(**others)
    for name in _SIGNS_OF_CI:
        environment.pop(name, None)
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*ANAMNESIS, *arguments],
        env=environment,
        cwd=site.root / "cwd",
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    reader = threading.Thread(target=drain, args=(ours,), daemon=True)
    reader.start()
    code = process.wait(timeout=SECONDS)
    reader.join(timeout=5)
    return code


def drain(terminal: int) -> None:
    """Read what is written, so that nobody waits; a closed terminal reads as an error."""
    try:
        while os.read(terminal, 65536):
            pass
    except OSError:
        pass


def is_here(host: str) -> bool:
    if host in ("unix", "localhost", "None", "b''", ""):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def test_only_this_machine_is_spoken_to(site: Site) -> None:
    log = site.root / "sockets.tsv"
    assert (
        run_on_a_terminal(site, "demo", "--out", "out", PLUGIN_SOCKETS=str(log), **AGAINST_US) == 0
    )
    lines = [line.split("\t") for line in log.read_text(encoding="utf-8").splitlines()]
    assert [line for line in lines if not is_here(line[1])] == []
    # The command's own process and at least the server's: both were watched, and both spoke.
    assert len({line[2] for line in lines if line[0] in ("socket.connect", "socket.bind")}) >= 2
    assert (site.root / "cwd" / "out" / "release" / "manifest.json").is_file()
