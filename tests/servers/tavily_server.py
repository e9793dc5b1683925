"""A local HTTP server that speaks the part of Tavily's API that evidence retrieval uses."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self


@dataclass
class TavilyServer:
    """Inside ``with`` it answers on ``base_url``; statuses in ``faults`` come before replies.

    The status 200 among the faults comes with a page in place of JSON.
    """

    results: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    pages: Mapping[str, str] = field(default_factory=dict[str, str])
    faults: list[int] = field(default_factory=list[int])
    requests: list[tuple[str, dict[str, Any], str]] = field(
        default_factory=list[tuple[str, dict[str, Any], str]], init=False
    )
    """Path, body and Authorization of every request."""

    @property
    def base_url(self) -> str:
        """Address of the API."""
        return f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Self:
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                key = self.headers.get("Authorization", "")
                outer.requests.append((self.path, body, key))
                status = outer.faults.pop(0) if outer.faults else None
                reply = outer.reply(self.path, body) if status is None else {"detail": {}}
                content = b"<html>" if status == 200 else json.dumps(reply).encode()
                self.send_response(status or 200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, format: str, *args: object) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def reply(self, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
        """What Tavily answers."""
        if path == "/search":
            found = self.results[: body.get("max_results", 5)]
            return {"query": body["query"], "results": found, "response_time": 0.1}
        urls = [url for url in body["urls"] if url in self.pages]
        return {
            "results": [{"url": url, "raw_content": self.pages[url]} for url in urls],
            "failed_results": [
                {"url": url, "error": "not found"} for url in body["urls"] if url not in urls
            ],
        }
