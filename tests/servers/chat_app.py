"""Answers chat completion requests as a model's server does, and fails as told."""

from __future__ import annotations

import asyncio
import hashlib
import json
import random
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from tests.servers.completions import Count, complete, prompt_tokens, tokens_of
from tests.servers.embeddings import embeddings, embeddings_error, letter_shares
from tests.servers.faults import Fault, FaultPlan, Message
from tests.servers.recording import Recorded, append_line
from tests.servers.requests import ApiError, ModelRules, context_error, request_error

Writer = Callable[[Sequence[Message]], str | dict[str, Any]]
"""Answers the messages of a request as a model would: JSON text, or an object to be written.

LookupError, for a request that it has no answer to, becomes a status 400.
"""

Vectorizer = Callable[[str], list[float]]
"""The embedding of a text."""

Respond = Callable[[Request, Recorded], Awaitable[Response]]

_ERRORS = {
    Fault.RATE_LIMITED: ApiError(429, "rate_limit_exceeded", "Rate limit reached.", "requests"),
    Fault.RATE_LIMITED_WAIT: ApiError(429, "rate_limit_exceeded", "Rate limit reached.", "tokens"),
    Fault.QUOTA_SPENT: ApiError(
        429, "insufficient_quota", "You exceeded your current quota.", "insufficient_quota"
    ),
    Fault.SERVER_ERROR: ApiError(500, None, "The server had an error.", "server_error"),
    Fault.OVERLOADED: ApiError(503, None, "The engine is overloaded.", "server_error"),
    Fault.CONTENT_FILTER_400: ApiError(
        400, "content_filter", "The prompt triggered the content management policy."
    ),
    Fault.CONTEXT_TOO_LONG: ApiError(
        400, "context_length_exceeded", "This model's maximum context length is 8192 tokens."
    ),
}
_WITH_RETRY_HEADERS = (Fault.RATE_LIMITED_WAIT, Fault.OVERLOADED)
_BUSY = ApiError(429, "rate_limit_exceeded", "Too many requests at once.", "requests")
_BAD_KEY = ApiError(401, "invalid_api_key", "Incorrect API key provided.")


class ConnectionCut(Exception):
    """Makes the server close the connection in the middle of a response."""


@dataclass
class ChatApp:
    """How the server answers, and what it saw."""

    writer: Writer
    faults: FaultPlan = field(default_factory=FaultPlan)
    models: Mapping[str, ModelRules] = field(default_factory=lambda: {"test-model": ModelRules()})
    key: str | None = None
    """What clients have to show; null: anybody is served."""
    latency_seconds: tuple[float, float] = (0.0, 0.0)
    """Shortest and longest time to a reply; uniform in between."""
    most_in_flight: int | None = None
    """Requests answered at once; those beyond get 429."""
    vectorizer: Vectorizer = letter_shares
    """Answers requests for embeddings."""
    count: Count = tokens_of
    """Counts tokens for the usage."""
    keep_bodies: bool = True
    log: Path | None = None
    """File that gets a JSON line for each request when it ends."""

    requests: list[Recorded] = field(default_factory=list[Recorded], init=False)
    in_flight: int = field(default=0, init=False)
    peak_in_flight: int = field(default=0, init=False)
    started: float = field(default_factory=time.monotonic, init=False)

    def outcomes(self) -> dict[str, int]:
        """How many requests ended in which way."""
        names = [request.outcome for request in self.requests]
        return {name: names.count(name) for name in dict.fromkeys(names)}

    def application(self) -> Starlette:
        """The ASGI application, with OpenAI's paths and Azure's."""
        azure = "/openai/deployments/{deployment}"
        return Starlette(
            routes=[
                Route("/v1/models", self._list_models, methods=["GET"]),
                Route("/v1/chat/completions", self._chat, methods=["POST"]),
                Route(f"{azure}/chat/completions", self._chat, methods=["POST"]),
                Route("/v1/embeddings", self._embeddings, methods=["POST"]),
                Route(f"{azure}/embeddings", self._embeddings, methods=["POST"]),
            ]
        )

    async def _list_models(self, request: Request) -> Response:
        if not self._authorized(request):
            return _error(_BAD_KEY)
        models = [{"id": name, "object": "model", "created": 1} for name in self.models]
        return JSONResponse({"object": "list", "data": models})

    async def _chat(self, request: Request) -> Response:
        return await self._recorded(request, self._respond)

    async def _embeddings(self, request: Request) -> Response:
        return await self._recorded(request, self._embed)

    async def _recorded(self, request: Request, respond: Respond) -> Response:
        content = await request.body()
        record = Recorded(
            number=len(self.requests),
            path=request.url.path,
            digest=hashlib.sha256(content).hexdigest(),
            body=_json(content),
            received_seconds=self._now(),
        )
        self.requests.append(record)
        self.in_flight += 1
        self.peak_in_flight = max(self.peak_in_flight, self.in_flight)
        try:
            response = await respond(request, record)
            record.status = response.status_code
            return response
        finally:
            self.in_flight -= 1
            self._close(record)

    async def _respond(self, request: Request, record: Recorded) -> Response:
        if not self._authorized(request):
            return self._refuse(record, _BAD_KEY)
        if self.most_in_flight is not None and self.in_flight > self.most_in_flight:
            record.outcome = "busy"
            return _error(_BUSY)
        if "deployment" in request.path_params and isinstance(record.body, dict):
            record.body["model"] = request.path_params["deployment"]
        if (refused := request_error(record.body, self.models)) is not None:
            return self._refuse(record, refused)
        fault = self.faults.draw(record.number, record.messages)
        record.outcome = fault.value if fault else "ok"
        if fault is not None and fault in _ERRORS:
            headers = self.faults.retry_headers if fault in _WITH_RETRY_HEADERS else {}
            return _error(_ERRORS[fault], headers)
        return await self._answer(request, record, fault)

    async def _embed(self, request: Request, record: Recorded) -> Response:
        if not self._authorized(request):
            return self._refuse(record, _BAD_KEY)
        if (refused := embeddings_error(record.body, self.models)) is not None:
            return self._refuse(record, refused)
        fault = self.faults.draw(record.number, ())
        record.outcome = fault.value if fault else "ok"
        if fault is not None and fault in _ERRORS:
            headers = self.faults.retry_headers if fault in _WITH_RETRY_HEADERS else {}
            return _error(_ERRORS[fault], headers)
        if fault is Fault.NOT_JSON:
            return HTMLResponse("<html>Gateway</html>")
        response = embeddings(record.body, self.vectorizer, self.count)
        record.input_tokens = response["usage"]["prompt_tokens"]
        return _cut(JSONResponse(response), fault)

    async def _answer(self, request: Request, record: Recorded, fault: Fault | None) -> Response:
        if fault is Fault.HANG:
            while not await request.is_disconnected():
                await asyncio.sleep(0.05)
            return Response(status_code=499)
        if (too_long := self._too_long(record.body)) is not None:
            return self._refuse(record, too_long)
        try:
            reply = self.writer(record.messages)
        except LookupError as missing:
            return self._refuse(record, ApiError(400, "no_answer", str(missing)))
        content = reply if isinstance(reply, str) else json.dumps(reply, ensure_ascii=False)
        response, usage = complete(record.body, content, fault, self.count)
        response |= {"id": f"chatcmpl-test{record.number:08d}", "created": int(time.time())}
        await asyncio.sleep(random.Random(record.number).uniform(*self.latency_seconds))
        if await request.is_disconnected():
            record.outcome = "abandoned"
            return Response(status_code=499)
        record.input_tokens, record.output_tokens = usage.prompt_tokens, usage.completion_tokens
        if fault is Fault.NOT_JSON:
            return HTMLResponse("<html>Gateway</html>")
        return _cut(JSONResponse(response), fault)

    def _too_long(self, body: dict[str, Any]) -> ApiError | None:
        wanted = body.get("max_completion_tokens") or body.get("max_tokens") or 0
        read = prompt_tokens(body["messages"], self.count)
        return context_error(read, wanted, self.models[body["model"]])

    def _authorized(self, request: Request) -> bool:
        shown = request.headers.get("api-key") or request.headers.get("authorization", "")
        return self.key is None or shown.removeprefix("Bearer ") == self.key

    def _refuse(self, record: Recorded, error: ApiError) -> Response:
        record.outcome = error.code or str(error.status)
        return _error(error)

    def _close(self, record: Recorded) -> None:
        record.answered_seconds = self._now()
        if self.log is not None:
            append_line(self.log, record)
        if not self.keep_bodies:
            record.body = None

    def _now(self) -> float:
        return time.monotonic() - self.started


class _CutResponse(Response):
    """Announces more than it sends, then closes the connection."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        half = bytes(self.body[: len(self.body) // 2])
        await send({"type": "http.response.body", "body": half, "more_body": True})
        raise ConnectionCut


def _cut(response: JSONResponse, fault: Fault | None) -> Response:
    if fault is Fault.CUT_BODY:
        return _CutResponse(response.body, media_type="application/json")
    if fault is Fault.CUT_JSON:
        half = bytes(response.body[: len(response.body) // 2])
        return Response(half, media_type="application/json")
    return response


def _error(error: ApiError, headers: Mapping[str, str] | None = None) -> Response:
    return JSONResponse(error.body(), error.status, headers=headers)


def _json(content: bytes) -> Any:
    try:
        return json.loads(content)
    except ValueError:
        return None
