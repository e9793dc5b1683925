"""The background server as an operating-system process: spawn, recognise, end."""

from __future__ import annotations

import os
import random
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from pydantic import Field, ValidationError

from tasks.adapters.files import read_model, write_json
from tasks.contracts.base import Contract

HOST = "127.0.0.1"
STOP_SECONDS = 20.0

_PROC = Path("/proc")
_SERVER_PORTS = (20000, 30000)
_TRIES = 20
_NICENESS = 4

NO_TELEMETRY = {
    "DO_NOT_TRACK": "1",
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "GX_ANALYTICS_ENABLED": "false",
}

# The default recorder loses or delays task runs under a fan-out: see docs/operations.md.
TUNED = {
    "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_BATCH_SIZE": "100",
    "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_READ_BATCH_SIZE": "100",
    "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_FLUSH_INTERVAL": "1",
    "PREFECT_SERVER_UI_SHOW_PROMOTIONAL_CONTENT": "false",
    **NO_TELEMETRY,
}


class ServerState(Contract):
    """What is known of the server that was started for a Prefect home."""

    pid: int = Field(ge=1)
    port: int = Field(ge=1, le=65535)
    process_started: str

    @property
    def api_url(self) -> str:
        """Address of the API."""
        return f"http://{HOST}:{self.port}/api"

    @property
    def ui_url(self) -> str:
        """Address of the pages."""
        return f"http://{HOST}:{self.port}"


@dataclass(frozen=True)
class ServerFiles:
    """Files of the background server below a Prefect home."""

    home: Path

    @property
    def state(self) -> Path:
        """Process, port and start time."""
        return self.home / "anamnesis-server.json"

    @property
    def lock(self) -> Path:
        """Held while the server is started or stopped."""
        return self.home / "anamnesis-server.lock"

    @property
    def log(self) -> Path:
        """The server's own output."""
        return self.home / "anamnesis-server.log"


def read_state(files: ServerFiles) -> ServerState | None:
    """What the state file says; None where there is none or it can't be read."""
    try:
        return read_model(files.state, ServerState)
    except (OSError, ValidationError):
        return None


def is_alive(state: ServerState) -> bool:
    """Whether the process still runs; a recycled process id has another start time."""
    return process_started(state.pid) == state.process_started


def process_started(pid: int) -> str | None:
    """When a process began, in the system's own spelling; None where it doesn't run."""
    return _started_by_proc(pid) if (_PROC / "self").exists() else _started_by_ps(pid)


def _started_by_ps(pid: int) -> str | None:
    found = subprocess.run(
        ["ps", "-o", "state=,lstart=", "-p", str(pid)],
        capture_output=True,
        text=True,
        check=False,
    ).stdout
    status, _, started = found.strip().partition(" ")
    return None if not started or status.startswith("Z") else started.strip()


def _started_by_proc(pid: int) -> str | None:
    try:
        stat = (_PROC / str(pid) / "stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    # The second field, the program's name in brackets, may itself hold blanks and brackets.
    fields = stat.rpartition(")")[2].split()
    status, started = fields[0], fields[19]
    return None if status == "Z" else started


def free_port(preferred: int | None = None) -> int:
    """A port nobody listens on: the preferred one where it is free."""
    # Outside the range from which systems take ports for outgoing connections: a server that is
    # started again needs its port to be free.
    others = random.sample(range(*_SERVER_PORTS), _TRIES)
    for port in (preferred, *others, 0):
        if port is not None and is_free(port):
            return port or _any_port()
    raise OSError(f"no free port on {HOST}")


def is_free(port: int) -> bool:
    """Whether a server could listen on a port."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True


def _any_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def spawn(files: ServerFiles, port: int) -> tuple[subprocess.Popen[bytes], ServerState]:
    """Start a server that outlives this process and note it in the state file."""
    environment = {
        **os.environ,
        **TUNED,
        "PREFECT_HOME": str(files.home),
        "PREFECT_SERVER_API_HOST": HOST,
        "PREFECT_SERVER_API_PORT": str(port),
    }
    # What keeps this process's console quiet must not keep the server's log empty.
    environment.pop("PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL", None)
    command = [sys.executable, "-m", "prefect", "--no-prompt", "server", "start"]
    with files.log.open("wb") as log:
        process = subprocess.Popen(
            [*command, "--host", HOST, "--port", str(port)],
            env=environment,
            cwd=files.home,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    state = ServerState(
        pid=process.pid, port=port, process_started=process_started(process.pid) or ""
    )
    try:
        write_json(files.state, state)
    except BaseException:
        # A server that isn't noted could never be found and stopped.
        process.kill()
        process.wait()
        raise
    return process, state


def give_way(state: ServerState) -> None:
    """Let the system run other work before the server where processors are short.

    What it records can come a moment later; a run's longest chain can't. Only a server with a
    session of its own does: else this process and whoever started it would give way too.
    """
    with suppress(OSError):
        if os.getsid(state.pid) != state.pid or state.pid == os.getsid(0):
            return
        ours = os.getpriority(os.PRIO_PROCESS, 0)
        os.setpriority(os.PRIO_PGRP, state.pid, ours + _NICENESS)
    # Linux may weigh whole sessions against each other; then the above counts within this one only.
    with suppress(OSError):
        (_PROC / str(state.pid) / "autogroup").write_text(str(_NICENESS))


def end(state: ServerState) -> None:
    """End the server: politely, then by force; waits until it is gone."""
    for number, seconds in ((signal.SIGTERM, STOP_SECONDS), (signal.SIGKILL, STOP_SECONDS)):
        if not is_alive(state):
            return
        os.kill(state.pid, number)
        _wait_for_end(state, seconds)


def _wait_for_end(state: ServerState, seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while is_alive(state) and time.monotonic() < deadline:
        time.sleep(0.05)
