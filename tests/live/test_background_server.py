from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from flows.server_process import ServerFiles, is_alive, read_state
from tests.live.command import SECONDS, address, anamnesis, environment

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]


def pid(home: Path) -> int:
    state = read_state(ServerFiles(home))
    assert state is not None
    assert is_alive(state)
    return state.pid


def test_two_starts_at_once_share_one_server(home: Path) -> None:
    starts = [
        subprocess.Popen(
            [sys.executable, "-m", "flows.cli", "server", "start"],
            env=environment(home),
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    printed = [start.communicate(timeout=SECONDS)[0] for start in starts]
    assert [start.returncode for start in starts] == [0, 0]
    assert len({address(text) for text in printed}) == 1
    assert sorted(text.partition(":")[0] for text in printed) == ["running", "started"]


def test_pages_talk_to_the_servers_own_port(home: Path) -> None:
    url = address(anamnesis("server", "status", home=home).stdout)
    shown = httpx.get(f"{url.removesuffix('/api')}/ui-settings", trust_env=False).json()
    assert shown["api_url"] == url


def test_telemetry_is_off(home: Path) -> None:
    url = address(anamnesis("server", "status", home=home).stdout)
    settings = httpx.get(f"{url}/admin/settings", trust_env=False).json()
    assert settings["server"]["analytics_enabled"] is False
    assert settings["server"]["services"]["task_run_recorder"] == {
        **settings["server"]["services"]["task_run_recorder"],
        "batch_size": 100,
        "read_batch_size": 100,
        "flush_interval": 1.0,
    }


def test_another_home_has_no_server(home: Path, tmp_path: Path) -> None:
    ended = anamnesis("server", "status", home=tmp_path)
    assert ended.returncode == 1
    assert ended.stdout.startswith("Prefect's server is not running")


def test_killed_server_is_replaced_at_the_same_address(home: Path) -> None:
    url = address(anamnesis("server", "status", home=home).stdout)
    killed = pid(home)
    os.kill(killed, signal.SIGKILL)
    ended = anamnesis("server", "start", home=home)
    assert ended.stdout.startswith("started: ")
    assert address(ended.stdout) == url
    assert pid(home) != killed


def test_stop_ends_the_process(home: Path) -> None:
    state = read_state(ServerFiles(home))
    assert state is not None
    assert anamnesis("server", "stop", home=home).stdout == "Prefect's server was stopped\n"
    assert not is_alive(state)
    assert anamnesis("server", "stop", home=home).stdout == "Prefect's server was not running\n"


def test_start_after_a_stop_takes_the_same_port(home: Path) -> None:
    before = read_state(ServerFiles(home))
    assert before is not None
    started = anamnesis("server", "start", home=home)
    assert address(started.stdout) == before.api_url


@pytest.mark.parametrize("action", ["status", "stop"])
def test_server_that_the_user_configured_is_named_and_left_alone(
    tmp_path: Path, action: str
) -> None:
    url = "http://127.0.0.1:9/api"
    ended = anamnesis("server", action, home=tmp_path, PREFECT_API_URL=url)
    assert ended.stdout.splitlines() == [
        f"runs use the server you configured, which stays as it is: {url}",
        {
            "status": "Prefect's server is not running; `anamnesis server start` starts it",
            "stop": "Prefect's server was not running",
        }[action],
    ]


def test_configured_server_that_does_not_answer_is_named_and_none_is_started(
    tmp_path: Path,
) -> None:
    ended = anamnesis("server", "start", home=tmp_path, PREFECT_API_URL="http://127.0.0.1:9/api")
    assert ended.returncode == 2
    assert ended.stderr.startswith(
        "error: PREFECT_API_URL is set to http://127.0.0.1:9/api but no Prefect server answers"
    )
    assert read_state(ServerFiles(tmp_path)) is None


def test_unwritable_home_is_named(tmp_path: Path) -> None:
    home = tmp_path / "file" / "home"
    (tmp_path / "file").write_text("")
    ended = anamnesis("server", "start", home=home)
    assert ended.returncode == 2
    assert "set PREFECT_HOME to a folder that can" in ended.stderr
    assert "Traceback" not in ended.stderr
