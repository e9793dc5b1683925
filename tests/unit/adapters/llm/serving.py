"""One test server for a module's tests, set up anew for each: starting one takes 0.2 seconds."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import MISSING, fields
from typing import Any

from tests.servers.chat_server import ChatServer
from tests.servers.faults import Fault, FaultPlan
from tests.servers.writers import FixedWriter
from tests.unit.adapters.llm.sessions import KEY

HELLO = FixedWriter({"text": "hello"})
_KEPT = ("port", "started")


class Serve:
    """Calls give the running server, as a context, with these faults and fields."""

    def __init__(self, server: ChatServer) -> None:
        self._server = server

    @contextmanager
    def __call__(
        self, *script: Fault | None, shares: dict[Fault, float] | None = None, **stated: Any
    ) -> Generator[ChatServer]:
        plan = FaultPlan(script=script, shares=shares or {}, retry_headers={"retry-after": "9"})
        given: dict[str, Any] = {"writer": HELLO, "faults": plan, "key": KEY, **stated}
        for field in fields(self._server):
            if field.name in _KEPT:
                continue
            default = field.default
            if field.default_factory is not MISSING:
                default = field.default_factory()
            setattr(self._server, field.name, given.get(field.name, default))
        yield self._server
