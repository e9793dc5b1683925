"""A local HTTP server that speaks the Chat Completions protocol, for tests and benchmarks."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from tests.servers.chat_app import ChatApp

_START_SECONDS = 30


class _PromptServer(uvicorn.Server):
    """Ends at once and for every client, also those that it keeps waiting on purpose."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        self._loop = asyncio.get_running_loop()
        self._ending = asyncio.Event()
        await super().startup(sockets)

    async def main_loop(self) -> None:
        await self._ending.wait()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for server in self.servers:
            server.close()
        for connection in list(self.server_state.connections):
            if connection.transport is not None:
                connection.transport.abort()

    def end(self) -> None:
        """Callable from any thread."""
        self._loop.call_soon_threadsafe(self._ending.set)


@dataclass
class ChatServer(ChatApp):
    """Inside ``with`` it listens on ``base_url``, in a thread of its own."""

    port: int = 0
    connections: int = field(default=0, init=False)
    """Connections that were opened, also those on which no request came."""

    def __enter__(self) -> Self:
        self._socket = socket.create_server(("127.0.0.1", self.port), backlog=2048)
        self.port = self._socket.getsockname()[1]
        self._server = _PromptServer(
            uvicorn.Config(
                self.application(),
                http=self._protocol(),
                ws="none",
                lifespan="off",
                log_config=None,
                date_header=False,
                log_level="critical",
                access_log=False,
                timeout_keep_alive=120,
            )
        )
        self._thread = threading.Thread(
            target=self._server.run, kwargs={"sockets": [self._socket]}, daemon=True
        )
        self._thread.start()
        deadline = time.monotonic() + _START_SECONDS
        while not self._server.started:
            if time.monotonic() > deadline or not self._thread.is_alive():
                raise RuntimeError("the test server did not start")
            time.sleep(0.002)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.end()
        self._thread.join(_START_SECONDS)
        self._socket.close()

    @property
    def base_url(self) -> str:
        """Address of the API, as clients are told it."""
        return f"{self.azure_endpoint}/v1"

    @property
    def azure_endpoint(self) -> str:
        """Address of the same server as an Azure resource."""
        return f"http://127.0.0.1:{self.port}"

    def _protocol(self) -> type[asyncio.Protocol]:
        outer = self

        class CountingProtocol(H11Protocol):
            def connection_made(self, transport: asyncio.BaseTransport) -> None:
                outer.connections += 1
                assert isinstance(transport, asyncio.Transport)
                # asyncio leaves a listening socket made elsewhere alone: 40 ms a reply.
                connection = transport.get_extra_info("socket")
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                super().connection_made(transport)

        return CountingProtocol
