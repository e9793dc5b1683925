"""Searches the web with Tavily, through its official client."""

# The client has no stubs.
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false
# pyright: reportUnknownLambdaType=false

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from math import isfinite
from typing import Any, TypeVar, cast

import requests
from tavily import BadRequestError, InvalidAPIKeyError, TavilyClient, UsageLimitExceededError
from tavily.errors import ForbiddenError
from tavily.errors import TimeoutError as TavilyTimeoutError

from tasks.contracts.errors import ItemFailed, ProviderUnavailable
from tasks.contracts.rubrics import SearchHit
from tasks.rubrics.characters import whole_characters

T = TypeVar("T")

DELAYS_SECONDS = (1.0, 4.0, 16.0)
"""Between the tries of one request."""

_SNIPPET_CHARACTERS = 2_000
_QUERY_CHARACTERS = 400
"""What Tavily refuses a longer query than."""


class WebSearch:
    """Tavily's search and extraction; bounded new tries, one clear error."""

    def __init__(
        self,
        key: str,
        base_url: str,
        timeout_seconds: float,
        wait: Callable[[float], None] = time.sleep,
        is_local: bool = False,
    ) -> None:
        self._url = base_url
        self._client = TavilyClient(api_key=key, api_base_url=base_url)
        if is_local:
            # What may go to this machine may not go through a proxy elsewhere.
            self._client.session.trust_env = False
            self._client.session.proxies.clear()
        self._timeout = timeout_seconds
        self._wait = wait

    def search(self, query: str, limit: int) -> tuple[SearchHit, ...]:
        """The best hits, each address once; a long query by its beginning.

        Raises ItemFailed and ProviderUnavailable.
        """
        asked = query[:_QUERY_CHARACTERS]
        reply = self._asked(
            lambda: self._client.search(asked, max_results=limit, timeout=self._timeout)
        )
        hits: dict[str, SearchHit] = {}
        for one in _records(reply):
            url, content = _text(one, "url"), _text(one, "content")
            if url and content and url not in hits:
                hits[url] = SearchHit(
                    source_name=_text(one, "title") or url,
                    url=url,
                    snippet=content[:_SNIPPET_CHARACTERS],
                    score=_number(one.get("score")),
                )
        return tuple(hits.values())[:limit]

    def main_text(self, hit: SearchHit) -> str | None:
        """The page as Tavily extracts it; None where it can't."""
        try:
            reply = self._asked(
                lambda: self._client.extract([hit.url], format="text", timeout=self._timeout)
            )
        except ItemFailed:
            return None
        found = (_text(one, "raw_content") for one in _records(reply))
        return next((text for text in found if text), None)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _asked(self, call: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        fault = ""
        for seconds in (*DELAYS_SECONDS, None):
            try:
                return call()
            except InvalidAPIKeyError:
                raise ProviderUnavailable(
                    "tavily: the key was refused; set TAVILY_API_KEY. Finished work is kept, the "
                    "same command resumes"
                ) from None
            except ForbiddenError:
                raise ProviderUnavailable(
                    "tavily: the plan's limit is reached or the account may not search; finished "
                    "work is kept, the same command resumes"
                ) from None
            except BadRequestError:
                raise ItemFailed("tavily refused the request as malformed") from None
            except requests.JSONDecodeError:
                raise ItemFailed("tavily's reply is no JSON") from None
            except (
                UsageLimitExceededError,
                TavilyTimeoutError,
                requests.RequestException,
            ) as error:
                fault = _fault(error)
                if seconds is not None:
                    self._wait(seconds)
        raise ProviderUnavailable(
            f"tavily at {self._url} {fault}; finished work is kept, the same command resumes"
        )


_open_searches: dict[str, WebSearch] = {}


@contextmanager
def open_web_search(
    key: str, base_url: str, timeout_seconds: float, is_local: bool
) -> Generator[WebSearch]:
    """Make a search of the web available to steps of this process; a local one past any proxy."""
    search = WebSearch(key, base_url, timeout_seconds, is_local=is_local)
    _open_searches[base_url] = search
    try:
        yield search
    finally:
        _open_searches.pop(base_url, None)
        search.close()


def web_search_of(base_url: str) -> WebSearch | None:
    """The open search of an address."""
    return _open_searches.get(base_url)


def _fault(error: Exception) -> str:
    """What a request met that may go better later, without anything of the request."""
    if isinstance(error, UsageLimitExceededError):
        return "wants fewer requests"
    if isinstance(error, TavilyTimeoutError | requests.Timeout):
        return "doesn't answer in time"
    if isinstance(error, requests.HTTPError) and error.response is not None:
        return f"answers with HTTP {error.response.status_code}"
    return "can't be reached: check tavily_url and the network"


def _records(reply: dict[str, Any]) -> list[dict[str, Any]]:
    listed = reply.get("results")
    if not isinstance(listed, list):
        return []
    found = cast("list[object]", listed)
    return [cast("dict[str, Any]", one) for one in found if isinstance(one, dict)]


def _text(record: dict[str, Any], name: str) -> str:
    return whole_characters(str(record.get(name) or "").strip())


def _number(value: object) -> float:
    """A score; 0 for what is none, as NaN, which no file of ours could hold."""
    return float(value) if isinstance(value, int | float) and isfinite(value) else 0.0
