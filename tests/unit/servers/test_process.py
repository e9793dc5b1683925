from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import httpx2
import pytest


@pytest.mark.slow
def test_the_server_runs_as_a_process_until_it_is_told_to_stop(tmp_path: Path) -> None:
    log = tmp_path / "requests.jsonl"
    command = [sys.executable, "-m", "tests.servers", "--release", str(tmp_path)]
    options = ["--key", "right", "--fault", "server_error=1", "--log", str(log)]
    with subprocess.Popen([*command, *options], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        reply = httpx2.post(
            f"{process.stdout.readline().strip()}/chat/completions",
            json={"model": "test-model", "messages": [{"role": "user", "content": "x"}]},
            headers={"Authorization": "Bearer right"},
        )
        process.send_signal(signal.SIGTERM)
        ended = process.stdout.read()
    assert reply.status_code == 500
    assert process.returncode == 0
    assert ended == "{'server_error': 1}\n"
    assert json.loads(log.read_text(encoding="utf-8"))["outcome"] == "server_error"
