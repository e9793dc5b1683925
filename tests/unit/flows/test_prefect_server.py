from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Generator
from pathlib import Path

import pytest

from flows import prefect_server
from flows.prefect_server import _bypass_proxy, _holding, _start  # pyright: ignore[reportPrivateUsage]
from flows.server_process import ServerFiles, ServerState, process_started, read_state
from tasks.adapters.files import write_json
from tasks.contracts.errors import SettingError

ANSWERS = """
import http.server, sys
class Healthy(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
    def log_message(self, *_): pass
http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Healthy).serve_forever()
"""
PORT_TAKEN = "print('Port 1 is already in use.'); raise SystemExit(1)"
BROKEN = "print('no such table'); raise SystemExit(3)"

StandIns = Callable[..., list[int]]
Spawned = tuple[subprocess.Popen[bytes], ServerState]


@pytest.fixture
def processes() -> Generator[list[subprocess.Popen[bytes]]]:
    started: list[subprocess.Popen[bytes]] = []
    yield started
    for process in started:
        process.kill()
        process.wait()


@pytest.fixture
def stand_ins(
    monkeypatch: pytest.MonkeyPatch, processes: list[subprocess.Popen[bytes]]
) -> StandIns:
    """Starts scripts in turn in the place of Prefect's server; gives the ports it used."""
    left: list[str] = []
    ports: list[int] = []

    def spawn(files: ServerFiles, port: int) -> Spawned:
        ports.append(port)
        with files.log.open("wb") as log:
            process = subprocess.Popen(
                [sys.executable, "-c", left.pop(0), str(port)], stdout=log, stderr=log
            )
        state = ServerState(
            pid=process.pid, port=port, process_started=process_started(process.pid) or ""
        )
        write_json(files.state, state)
        processes.append(process)
        return process, state

    def install(*scripts: str) -> list[int]:
        left.extend(scripts)
        return ports

    monkeypatch.setattr(prefect_server, "spawn", spawn)
    return install


def test_server_that_answers_is_started(stand_ins: StandIns, tmp_path: Path) -> None:
    ports = stand_ins(ANSWERS)
    state = _start(ServerFiles(tmp_path), None)
    assert ports == [state.port]
    assert read_state(ServerFiles(tmp_path)) == state


def test_another_port_is_tried_where_one_was_taken_meanwhile(
    stand_ins: StandIns, tmp_path: Path
) -> None:
    ports = stand_ins(PORT_TAKEN, ANSWERS)
    state = _start(ServerFiles(tmp_path), None)
    assert len(ports) == 2
    assert state.port == ports[1]


@pytest.mark.parametrize(
    ("scripts", "why"),
    [
        ([BROKEN], r"did not start: it ended with code 3\. Its log is .*anamnesis-server\.log"),
        ([PORT_TAKEN] * 3, r"did not start: every port it was given was taken"),
    ],
)
def test_server_that_does_not_start_leaves_no_state_and_a_clear_message(
    scripts: list[str], why: str, stand_ins: StandIns, tmp_path: Path
) -> None:
    stand_ins(*scripts)
    with pytest.raises(SettingError, match=why):
        _start(ServerFiles(tmp_path), None)
    assert read_state(ServerFiles(tmp_path)) is None


def test_server_that_never_answers_is_given_up_and_ended(
    stand_ins: StandIns, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(prefect_server, "START_SECONDS", 0.3)
    stand_ins("import signal; signal.pause()")
    with pytest.raises(SettingError, match=r"no answer within 0 s"):
        _start(ServerFiles(tmp_path), None)
    assert read_state(ServerFiles(tmp_path)) is None


def test_interrupt_while_starting_leaves_no_server_behind(
    stand_ins: StandIns, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    stand_ins("import signal; signal.pause()")
    pids: list[int] = []

    def interrupt(state: ServerState) -> bool:
        pids.append(state.pid)
        raise KeyboardInterrupt

    monkeypatch.setattr(prefect_server, "_answers", interrupt)
    with pytest.raises(KeyboardInterrupt):
        _start(ServerFiles(tmp_path), None)
    assert process_started(pids[0]) is None
    assert read_state(ServerFiles(tmp_path)) is None


def test_start_that_takes_too_long_elsewhere_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(prefect_server, "START_SECONDS", 0.0)
    monkeypatch.setattr(prefect_server, "ANSWER_SECONDS", 0.0)
    files = ServerFiles(tmp_path)
    with (
        _holding(files),
        pytest.raises(SettingError, match=r"another process has been starting .*it holds"),
        _holding(files),
    ):
        raise AssertionError


@pytest.mark.parametrize("name", ["anamnesis-server.json", "anamnesis-server.log"])
def test_folder_in_the_place_of_a_file_is_named_before_a_server_is_started(
    name: str, stand_ins: StandIns, tmp_path: Path
) -> None:
    ports = stand_ins(ANSWERS)
    (tmp_path / name).mkdir()
    with pytest.raises(SettingError, match=rf"{name} is a folder .* move it away"):
        _start(ServerFiles(tmp_path), None)
    assert ports == []


@pytest.mark.parametrize(
    ("before", "after"),
    [("", "127.0.0.1"), ("example.org", "example.org,127.0.0.1"), ("127.0.0.1,a", "127.0.0.1,a")],
)
def test_proxy_is_kept_out_of_the_way(
    before: str, after: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_PROXY", before)
    monkeypatch.setenv("no_proxy", before)
    _bypass_proxy(ServerState(pid=1, port=2, process_started=""))
    assert (os.environ["NO_PROXY"], os.environ["no_proxy"]) == (after, after)


@pytest.mark.parametrize("given", [None, "", "0", "true"])
def test_telemetry_is_off_whatever_the_environment_says(
    given: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ("DO_NOT_TRACK", "PREFECT_SERVER_ANALYTICS_ENABLED", "GX_ANALYTICS_ENABLED")
    for name in names:
        if given is None:
            monkeypatch.delenv(name, raising=False)
        else:
            monkeypatch.setenv(name, given)
    quiet: Callable[[], None] = prefect_server.quiet_environment
    quiet()
    assert [os.environ[name] for name in names] == ["1", "false", "false"]
