"""The test server that this folder's tests share."""

from __future__ import annotations

from collections.abc import Generator

import pytest

from tests.servers.chat_server import ChatServer
from tests.unit.adapters.llm.serving import HELLO, Serve


@pytest.fixture(scope="session")
def serve() -> Generator[Serve]:
    """Sets the shared server up for one test."""
    with ChatServer(HELLO) as server:
        yield Serve(server)
