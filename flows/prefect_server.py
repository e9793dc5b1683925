"""The background Prefect server of local runs: start, reuse, stop."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ServerInfo:
    """A Prefect server that runs can use; ``started`` is true where this process started it."""

    api_url: str
    ui_url: str
    started: bool


def ensure_server() -> ServerInfo:
    """The server of this Prefect home, started where none runs; this process then uses it.

    A server that the user configured (PREFECT_API_URL, profile) is used as it is. Raises
    SettingError where no server can be started or reached.
    """
    raise NotImplementedError
