"""The background Prefect server of local runs: start, reuse, stop.

Prefect's ephemeral mode loses history, so a local run uses a server of its own that stays up for
the next run with the same Prefect home. Prefect itself is imported only inside the functions.
"""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import filelock
import httpx

from flows.server_process import (
    NO_TELEMETRY,
    ServerFiles,
    ServerState,
    end,
    free_port,
    give_way,
    is_alive,
    is_free,
    read_state,
    spawn,
)
from tasks.contracts.errors import SettingError

START_SECONDS = 180.0
ANSWER_SECONDS = 15.0
PORT_SECONDS = 5.0
_ATTEMPTS = 3


@dataclass(frozen=True)
class ServerInfo:
    """A Prefect server that runs can use.

    ``started`` is true where this call started it; ``configured`` where the user chose it.
    """

    api_url: str
    ui_url: str
    started: bool
    configured: bool = False


def quiet_environment() -> None:
    """Turn telemetry off before Prefect is imported, whatever the environment says."""
    os.environ.update(NO_TELEMETRY)


def ensure_server(say: Callable[[str], None] | None = None) -> ServerInfo:
    """The server of this Prefect home, started where none runs; this process then uses it.

    A server that the user configured (PREFECT_API_URL, profile) is used as it is. ``say`` is told
    when a start makes the user wait. Raises SettingError where no server answers.
    """
    quiet_environment()
    configured = _configured_server()
    if configured is not None:
        return configured
    files = _files()
    with _holding(files):
        state = read_state(files)
        if state is not None and is_alive(state):
            _wait_for_answer(state, files, None, ANSWER_SECONDS)
            started = False
        else:
            if say is not None:
                say("Starting Prefect's server (the first start takes about 20 seconds)")
            state = _start(files, state.port if state else None)
            started = True
    _use(state)
    return ServerInfo(api_url=state.api_url, ui_url=state.ui_url, started=started)


def revive_server(server: ServerInfo, say: Callable[[str], None]) -> bool:
    """Start the background server again at its address where its process is gone.

    True where it was; False where it runs. Raises SettingError where it can't be started.
    """
    files = _files()
    state = read_state(files)
    if state is not None and is_alive(state):
        return False
    with _holding(files):
        state = read_state(files)
        if state is None or not is_alive(state):
            say("Prefect's server is gone; starting it again")
            port = httpx.URL(server.api_url).port
            _wait_for_port(port)
            state = _start(files, port)
        else:
            # Another run was quicker.
            _wait_for_answer(state, files, None, START_SECONDS)
    return state.api_url == server.api_url


def _wait_for_port(port: int | None) -> None:
    """Let a dying server's connections end; they may hold its port for a moment."""
    deadline = time.monotonic() + PORT_SECONDS
    while port and not is_free(port) and time.monotonic() < deadline:
        time.sleep(0.1)


def running_server() -> ServerInfo | None:
    """The background server of this Prefect home, None where none runs."""
    quiet_environment()
    state = read_state(_files())
    if state is None or not is_alive(state):
        return None
    return ServerInfo(api_url=state.api_url, ui_url=state.ui_url, started=False)


def configured_url() -> str | None:
    """The API address that the user chose (PREFECT_API_URL, profile); None where they did not."""
    from prefect.settings import get_current_settings

    quiet_environment()
    return get_current_settings().api.url or None


def own_database() -> Path:
    """The background server's database, unless the user configured another one."""
    return _files().home / "prefect.db"


def server_log() -> Path:
    """Where the background server writes its log."""
    return _files().log


def stop_server() -> bool:
    """Stop the background server of this Prefect home; False where none ran.

    Its state file stays: the next start takes the same port, so that addresses of runs live on.
    """
    quiet_environment()
    files = _files()
    with _holding(files):
        state = read_state(files)
        alive = state is not None and is_alive(state)
        if state is not None and alive:
            end(state)
    return alive


def _configured_server() -> ServerInfo | None:
    from prefect.client.orchestration import get_client
    from prefect.settings import get_current_settings

    settings = get_current_settings()
    if not settings.api.url:
        return None
    with get_client(sync_client=True) as client:
        problem = client.api_healthcheck()
    if problem is not None:
        raise SettingError(
            f"PREFECT_API_URL is set to {settings.api.url} but no Prefect server answers there "
            f"({type(problem).__name__}): start that server, or unset PREFECT_API_URL (also in "
            "the Prefect profile) to let this command start one"
        )
    return ServerInfo(
        api_url=settings.api.url,
        ui_url=settings.ui_url or settings.api.url.removesuffix("/api"),
        started=False,
        configured=True,
    )


def _files() -> ServerFiles:
    from prefect.settings import get_current_settings

    return ServerFiles(Path(os.path.realpath(get_current_settings().home.expanduser())))


@contextmanager
def _holding(files: ServerFiles) -> Generator[None]:
    lock = filelock.FileLock(files.lock)
    try:
        files.home.mkdir(parents=True, exist_ok=True)
        lock.acquire(timeout=START_SECONDS + ANSWER_SECONDS)
    except filelock.Timeout:
        raise SettingError(
            f"another process has been starting Prefect's server for over {START_SECONDS:.0f} s "
            f"(it holds {files.lock}): end it and try again"
        ) from None
    except OSError as error:
        raise SettingError(
            f"Prefect's folder {files.home} can't be written ({error.strerror}): set PREFECT_HOME "
            "to a folder that can"
        ) from None
    try:
        yield
    finally:
        lock.release()


def _refuse_folders(files: ServerFiles) -> None:
    """Raise SettingError before a server is started that could be neither noted nor stopped."""
    for path in (files.state, files.log):
        if path.is_dir():
            raise SettingError(f"{path} is a folder where this program keeps a file: move it away")


def _start(files: ServerFiles, preferred_port: int | None) -> ServerState:
    _refuse_folders(files)
    for _ in range(_ATTEMPTS):
        process, state = spawn(files, free_port(preferred_port))
        try:
            _wait_for_answer(state, files, process, START_SECONDS)
        except BaseException:
            end(state)
            process.wait()
            files.state.unlink(missing_ok=True)
            if not _port_was_taken(files):
                raise
        else:
            give_way(state)
            return state
    raise _not_started(files, "every port it was given was taken by another program")


def _wait_for_answer(
    state: ServerState,
    files: ServerFiles,
    process: subprocess.Popen[bytes] | None,
    seconds: float,
) -> None:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if _answers(state):
            return
        if process is not None and process.poll() is not None:
            raise _not_started(files, f"it ended with code {process.returncode}")
        time.sleep(0.1)
    if process is not None:
        raise _not_started(files, f"no answer within {seconds:.0f} s")
    raise SettingError(
        f"Prefect's server (process {state.pid}, {state.api_url}) runs but does not answer: "
        f"stop it with `anamnesis server stop` and try again; its log is {files.log}"
    )


def _answers(state: ServerState) -> bool:
    try:
        with httpx.Client(trust_env=False, timeout=5) as client:
            return client.get(f"{state.api_url}/health").is_success
    except httpx.HTTPError:
        return False


def _port_was_taken(files: ServerFiles) -> bool:
    return "already in use" in files.log.read_text(encoding="utf-8", errors="replace")


def _not_started(files: ServerFiles, why: str) -> SettingError:
    return SettingError(
        f"Prefect's server did not start: {why}. Its log is {files.log}; to use a server of your "
        "own, set PREFECT_API_URL"
    )


def _use(state: ServerState) -> None:
    """Point this process and its children at the server."""
    from prefect.context import refresh_global_settings_context

    os.environ["PREFECT_API_URL"] = state.api_url
    _bypass_proxy(state)
    refresh_global_settings_context()


def _bypass_proxy(state: ServerState) -> None:
    """Keep a configured proxy out of the way between this process and its own server."""
    host = httpx.URL(state.api_url).host
    for name in ("NO_PROXY", "no_proxy"):
        hosts = [part for part in os.environ.get(name, "").split(",") if part]
        if host not in hosts:
            os.environ[name] = ",".join([*hosts, host])
