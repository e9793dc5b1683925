"""One HTTP request to an OpenAI-compatible server, by the official SDK; no retries here.

What the SDK reads from the environment doesn't count: the address, the key and every header are
set here. Redirects are never followed, and no log holds a body.
"""

from __future__ import annotations

import logging
import ssl
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import httpx2
import openai

from tasks.adapters.llm.destination import Destination, refuse_moved

COMPLETIONS = "/chat/completions"
EMBEDDINGS = "/embeddings"

CONNECT_SECONDS = 10.0

LARGEST_BODY_BYTES = 64 * 2**20
"""Many times what the longest reply or the most vectors take; more would only fill the memory."""

_HEADERS_SENT = ("host", "accept", "accept-encoding", "connection", "content-type")
_BODY_HEADERS = ("content-length", "transfer-encoding")
_LONGEST_CAUSE = 200
_PLACEHOLDER = "none"
_LOGGERS = ("openai", "httpx2", "httpcore2")


@dataclass(frozen=True)
class Response:
    """What the server answered: patient text in the body. ``body`` is None unless JSON."""

    status: int
    headers: Mapping[str, str]
    body: Any = field(repr=False)


class NoResponse(Exception):
    """The server didn't answer in full.

    unreachable: not even a connection · unanswered: the request may have been read, and billed.
    """

    def __init__(self, kind: Literal["unreachable", "unanswered"], what: str) -> None:
        super().__init__(what)
        self.kind: Literal["unreachable", "unanswered"] = kind
        self.what = what


@dataclass(frozen=True)
class Endpoint:
    """Where requests go; the key never shows."""

    destination: Destination
    key: str = field(repr=False)
    deployment: str = ""
    azure_api_version: str = ""

    @property
    def is_azure(self) -> bool:
        """Azure has its own paths and its own header for the key."""
        return bool(self.deployment)


class Transport:
    """Keeps connections to one server; safe to use from threads.

    Each request has a client to itself, and with it a connection. A pool shared by many threads
    looks at all its connections for each request, one thread at a time: with 64 of them that
    took longer than the model.
    """

    def __init__(self, endpoint: Endpoint) -> None:
        for name in _LOGGERS:
            # OPENAI_LOG and a root logger at DEBUG would otherwise let requests into the log.
            logging.getLogger(name).setLevel(logging.WARNING)
        self._endpoint = endpoint
        # Certificates take long to read, and are the same for all.
        self._certificates = httpx2.create_ssl_context(trust_env=not endpoint.destination.is_local)
        self._clients: list[openai.OpenAI] = []
        self._idle: deque[openai.OpenAI] = deque()
        self._is_open = True

    def send(
        self, body: Mapping[str, Any], timeout_seconds: float, path: str = COMPLETIONS
    ) -> Response:
        """Ask for a completion, or at another path of the same server.

        Raises NoResponse where none came in time, and ProviderUnavailable where the server's name
        leads out of the private network by now.

        ``timeout_seconds`` bounds the wait for the first byte, and again that for the last.
        """
        refuse_moved(self._endpoint.destination)
        timeout = httpx2.Timeout(timeout_seconds, connect=min(CONNECT_SECONDS, timeout_seconds))
        client = self._take()
        try:
            answer = client.post(
                path,
                cast_to=httpx2.Response,
                body=dict(body),
                options={"timeout": timeout},
            )
        except openai.APIStatusError as error:
            return _read(error.response)
        except openai.APIConnectionError as error:
            raise _no_response(error.__cause__) from None
        finally:
            self._idle.append(client)
        return _read(answer)

    def close(self) -> None:
        """Close all connections; nothing can be sent any more."""
        self._is_open = False
        for client in self._clients:
            client.close()

    def _take(self) -> openai.OpenAI:
        """The client that was used last, so that its connection is open still, or a new one."""
        if not self._is_open:
            raise RuntimeError("the connections to the model's server are closed")
        try:
            return self._idle.pop()
        except IndexError:
            client = _sdk_client(self._endpoint, _http_client(self._endpoint, self._certificates))
            self._clients.append(client)
            return client


def _http_client(endpoint: Endpoint, certificates: ssl.SSLContext) -> httpx2.Client:
    def dress(request: httpx2.Request) -> None:
        kept = {
            name: value
            for name, value in request.headers.items()
            if name in (*_HEADERS_SENT, *_BODY_HEADERS)
        }
        if endpoint.key:
            kept |= _key_header(endpoint)
        request.headers = httpx2.Headers({**kept, "user-agent": "anamnesis"})

    def bound(response: httpx2.Response) -> None:
        seconds = response.request.extensions["timeout"]["read"]
        response.stream = _Bounded(response.stream, time.monotonic() + seconds)

    return httpx2.Client(
        # A request to this machine or a private network must not pass a proxy elsewhere.
        trust_env=not endpoint.destination.is_local,
        verify=certificates,
        follow_redirects=False,
        event_hooks={"request": [dress], "response": [bound]},
    )


def _key_header(endpoint: Endpoint) -> dict[str, str]:
    if endpoint.is_azure:
        return {"api-key": endpoint.key}
    return {"authorization": f"Bearer {endpoint.key}"}


def _sdk_client(endpoint: Endpoint, http: httpx2.Client) -> openai.OpenAI:
    key = endpoint.key or _PLACEHOLDER
    if endpoint.is_azure:
        return openai.AzureOpenAI(
            azure_endpoint=endpoint.destination.base_url,
            azure_deployment=endpoint.deployment,
            api_version=endpoint.azure_api_version,
            api_key=key,
            max_retries=0,
            http_client=http,
        )
    return openai.OpenAI(
        base_url=endpoint.destination.base_url, api_key=key, max_retries=0, http_client=http
    )


class _Bounded(httpx2.SyncByteStream):
    """A body that has to be whole by a deadline, and to end: one byte a minute would never time
    out.
    """

    def __init__(
        self,
        stream: Any,
        deadline: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._stream = stream
        self._deadline = deadline
        self._clock = clock

    def __iter__(self) -> Iterator[bytes]:
        size = 0
        for chunk in self._stream:
            size += len(chunk)
            if self._clock() > self._deadline:
                raise httpx2.ReadTimeout("the body took too long")
            if size > LARGEST_BODY_BYTES:
                raise httpx2.ReadError("the body is too large")
            yield chunk

    def close(self) -> None:
        """Close the stream beneath."""
        self._stream.close()


def _read(response: httpx2.Response) -> Response:
    try:
        body = response.json()
    except (ValueError, RecursionError):
        body = None
    return Response(response.status_code, response.headers, body)


def _no_response(cause: BaseException | None) -> NoResponse:
    if isinstance(cause, httpx2.ConnectError | httpx2.ConnectTimeout | httpx2.ProxyError):
        # Words of this machine: refused, unknown host, a certificate that isn't trusted.
        return NoResponse("unreachable", f"no connection: {str(cause)[:_LONGEST_CAUSE]}")
    if isinstance(cause, httpx2.TimeoutException):
        return NoResponse("unanswered", "no answer in time")
    return NoResponse("unanswered", "connection lost")
