"""Looks after the Prefect server while a run needs it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Literal

import httpx

from flows.prefect_server import ServerInfo, revive_server
from tasks.contracts.errors import AnamnesisError

POLL_SECONDS = 0.5
ASK_SECONDS = 3.0
REFUSED_SECONDS = 20.0
"""How long a server may be gone: a restart is ridden out."""
SILENT_SECONDS = 120.0
"""How long a server may be too busy to answer."""

LOST = (
    "Prefect's server {} went away during the run: finished work is kept; once the server is "
    "there again, the same command resumes"
)


class ServerWatch:
    """Starts a background server that died again, at its address, and gives a lost one up.

    Prefect's clients try again for about a minute, so a run goes on after a restart. ``give_up`` is
    called once, in the watch's own thread, with the message for the user. It has to end the
    process: Prefect would wait for a lost server for minutes, at exit too. ``revived`` tells that
    the server was started again.
    """

    def __init__(
        self, server: ServerInfo, say: Callable[[str], None], give_up: Callable[[str], None]
    ) -> None:
        self.revived = False
        self._server = server
        self._say = say
        self._give_up = give_up
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="server-watch", daemon=True)

    def start(self) -> None:
        """Begin to watch."""
        self._thread.start()

    def stop(self) -> None:
        """Stop watching a server that answers; Prefect's exit would wait for one that doesn't."""
        if self._ask() is None:
            self._over.set()

    def wait_for_answer(self) -> None:
        """Wait until the server answers again; a server given up meanwhile ends the process."""
        deadline = time.monotonic() + SILENT_SECONDS
        while self._ask() is not None and time.monotonic() < deadline:
            time.sleep(POLL_SECONDS)

    def _watch(self) -> None:
        missing_since: float | None = None
        asked = time.monotonic()
        while not self._over.wait(POLL_SECONDS):
            if self._revive():
                missing_since, self.revived = None, True
            if time.monotonic() - asked < ASK_SECONDS:
                continue
            problem = self._ask()
            asked = time.monotonic()
            if problem is None:
                missing_since = None
                continue
            missing_since = missing_since or asked
            allowed = REFUSED_SECONDS if problem == "gone" else SILENT_SECONDS
            if asked - missing_since >= allowed and not self._over.is_set():
                self._give_up(LOST.format(self._server.api_url))
                return

    def _revive(self) -> bool:
        """Whether the background server had to be started again, and was."""
        if self._server.configured:
            return False
        try:
            return revive_server(self._server, self._say)
        except (AnamnesisError, OSError):
            return False

    def _ask(self) -> Literal["gone", "silent"] | None:
        """None where the server answers, whatever it answers."""
        from prefect.client.orchestration import get_client

        with get_client(sync_client=True) as client:
            problem = client.api_healthcheck()
        if isinstance(problem, httpx.ConnectError):
            return "gone"
        return "silent" if isinstance(problem, httpx.TransportError) else None
