from __future__ import annotations

import errno
import os
import socket
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from flows import server_process
from flows.server_process import (
    HOST,
    ServerFiles,
    ServerState,
    end,
    free_port,
    give_way,
    is_alive,
    process_started,
    read_state,
    spawn,
)
from tasks.adapters.files import write_json

FOREVER = "import signal; {trap}; print('up', flush=True); signal.pause()"
DEAF = "signal.signal(signal.SIGTERM, signal.SIG_IGN)"


def run_forever(trap: str) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", FOREVER.format(trap=trap)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "up\n"
    return process


def state_of(pid: int) -> ServerState:
    return ServerState(pid=pid, port=1, process_started=process_started(pid) or "")


@pytest.fixture
def process() -> Generator[subprocess.Popen[str]]:
    with run_forever("pass") as running:
        yield running
        running.kill()


def test_running_process_is_recognised(process: subprocess.Popen[str]) -> None:
    assert is_alive(state_of(process.pid))


def test_recycled_process_id_is_not_trusted(process: subprocess.Popen[str]) -> None:
    earlier = state_of(process.pid).model_copy(update={"process_started": "1"})
    assert not is_alive(earlier)
    end(earlier)
    assert process.poll() is None


def test_ended_process_is_not_alive() -> None:
    with run_forever("pass") as process:
        state = state_of(process.pid)
        process.kill()
    assert not is_alive(state)
    assert process_started(process.pid) is None


def test_ended_but_unreaped_process_is_not_alive() -> None:
    with run_forever("pass") as process:
        state = state_of(process.pid)
        end(state)
        assert not is_alive(state)


def test_process_that_ignores_the_polite_signal_is_ended_by_force(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(server_process, "STOP_SECONDS", 0.2)
    with run_forever(DEAF) as process:
        end(state_of(process.pid))
        assert process.wait() == -9


def test_start_time_comes_from_ps_where_there_is_no_proc(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ps = tmp_path / "ps"
    ps.write_text('#!/bin/sh\n[ "$4" = 7 ] && echo "Ss   Mon Jan  2 03:04:05 2023"\n')
    ps.chmod(0o755)
    monkeypatch.setattr(server_process, "_PROC", tmp_path / "no-proc")
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    assert process_started(7) == "Mon Jan  2 03:04:05 2023"
    assert process_started(8) is None


def test_preferred_port_is_taken_where_it_is_free() -> None:
    port = free_port()
    assert free_port(port) == port


def test_another_port_is_taken_where_the_preferred_one_is_not_free() -> None:
    with socket.create_server((HOST, 0)) as listening:
        taken = listening.getsockname()[1]
        assert free_port(taken) != taken


def test_addresses_follow_the_port() -> None:
    state = ServerState(pid=1, port=4321, process_started="x")
    assert state.api_url == "http://127.0.0.1:4321/api"
    assert state.ui_url == "http://127.0.0.1:4321"


UNUSABLE = (
    '{"pid": 1, "port": 99999, "process_started": "1"}',
    '{"pid": 1, "port": 0, "process_started": "1"}',
    '{"pid": 1, "port": -5, "process_started": "1"}',
    '{"pid": -1, "port": 21000, "process_started": "1"}',
)


@pytest.mark.parametrize("content", [None, "", "{", '{"pid": 1}', *UNUSABLE])
def test_missing_or_broken_state_file_means_no_server(content: str | None, tmp_path: Path) -> None:
    files = ServerFiles(tmp_path)
    if content is not None:
        files.state.write_text(content)
    assert read_state(files) is None


def test_state_file_is_read_back(tmp_path: Path) -> None:
    state = ServerState(pid=1, port=4321, process_started="x")
    write_json(ServerFiles(tmp_path).state, state)
    assert read_state(ServerFiles(tmp_path)) == state


def test_a_server_gives_way_to_what_runs_beside_it() -> None:
    waiting = [sys.executable, "-c", "import signal; signal.pause()"]
    with subprocess.Popen(waiting, start_new_session=True) as process:
        try:
            give_way(ServerState(pid=process.pid, port=1, process_started="x"))
            ours = os.getpriority(os.PRIO_PROCESS, 0)
            assert os.getpriority(os.PRIO_PROCESS, process.pid) == min(ours + 4, 19)
        finally:
            process.kill()


def autogroup(pid: int) -> str:
    """How Linux weighs the session of a process; empty on other systems."""
    path = Path(f"/proc/{pid}/autogroup")
    return path.read_text() if path.exists() else ""


def test_a_process_of_this_session_makes_nothing_here_give_way() -> None:
    before = os.getpriority(os.PRIO_PROCESS, 0), autogroup(os.getpid())
    waiting = [sys.executable, "-c", "import signal; signal.pause()"]
    with subprocess.Popen(waiting, process_group=0) as process:
        try:
            # In a container the session's leader may be outside, where it has no number.
            for pid in filter(None, (process.pid, os.getpid(), os.getsid(0))):
                give_way(ServerState(pid=pid, port=1, process_started="x"))
            assert os.getpriority(os.PRIO_PROCESS, process.pid) == before[0]
        finally:
            process.kill()
    assert (os.getpriority(os.PRIO_PROCESS, 0), autogroup(os.getpid())) == before


def test_a_server_that_is_gone_need_not_give_way() -> None:
    with subprocess.Popen([sys.executable, "-c", ""], start_new_session=True) as process:
        process.wait()
        give_way(ServerState(pid=process.pid, port=1, process_started="x"))


def test_a_server_that_cannot_be_noted_is_ended_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    started: list[subprocess.Popen[bytes]] = []

    def full(_path: Path, state: ServerState) -> None:
        assert is_alive(state)
        raise OSError(errno.ENOSPC, "No space left on device")

    class Kept(subprocess.Popen[bytes]):
        def __init__(self, _command: list[str], **given: Any) -> None:
            super().__init__([sys.executable, "-c", "import signal; signal.pause()"], **given)
            started.append(self)

    monkeypatch.setattr(server_process, "write_json", full)
    monkeypatch.setattr(server_process.subprocess, "Popen", Kept)
    with pytest.raises(OSError, match="No space left"):
        spawn(ServerFiles(tmp_path), 21000)
    assert [process.returncode for process in started] == [-9]
