from __future__ import annotations

from collections.abc import Iterator
from math import inf, nan

import pytest

from tasks.contracts.errors import ItemFailed, ProviderUnavailable, SettingError
from tasks.contracts.rubrics import SearchHit
from tasks.rubrics.retrieval.searching import SearchSpec, open_search
from tasks.rubrics.retrieval.web import WebSearch, open_web_search
from tests.servers.tavily_server import TavilyServer

RESULTS = [
    {"title": "Gout", "url": "https://a.example/gout", "content": "Drink water.", "score": 0.9},
    {"title": "Gout again", "url": "https://a.example/gout", "content": "Rest.", "score": 0.8},
    {"title": "", "url": "https://b.example", "content": "Uric acid.", "score": 0.7},
]
HIT = SearchHit(source_name="Gout", url="https://a.example/gout", snippet="Drink water.")


@pytest.fixture
def server() -> Iterator[TavilyServer]:
    with TavilyServer(results=list(RESULTS), pages={HIT.url: "Gout. Drink water."}) as running:
        yield running


def client(server: TavilyServer) -> tuple[WebSearch, list[float]]:
    waited: list[float] = []
    return WebSearch("tvly-k", server.base_url, 5.0, waited.append), waited


def test_a_search_sends_query_limit_and_key_and_keeps_each_address_once(
    server: TavilyServer,
) -> None:
    search, _ = client(server)
    hits = search.search("gout", 3)
    assert [(one.source_name, one.url, one.score) for one in hits] == [
        ("Gout", "https://a.example/gout", 0.9),
        ("https://b.example", "https://b.example", 0.7),
    ]
    path, body, key = server.requests[0]
    assert (path, body["query"], body["max_results"]) == ("/search", "gout", 3)
    assert key == "Bearer tvly-k"
    search.close()


def test_the_main_text_is_extracted_and_none_where_it_can_t_be(server: TavilyServer) -> None:
    search, _ = client(server)
    assert search.main_text(HIT) == "Gout. Drink water."
    assert search.main_text(HIT.model_copy(update={"url": "https://c.example"})) is None
    search.close()


def test_limits_and_faults_of_the_server_are_waited_out(server: TavilyServer) -> None:
    server.faults = [429, 500]
    search, waited = client(server)
    assert len(search.search("gout", 2)) == 1
    assert waited == [1.0, 4.0]
    search.close()


@pytest.mark.parametrize(
    ("status", "told"), [(503, "answers with HTTP 503"), (429, "wants fewer requests")]
)
def test_a_server_that_stays_at_fault_ends_the_run_resumably(
    server: TavilyServer, status: int, told: str
) -> None:
    server.faults = [status] * 4
    search, waited = client(server)
    with pytest.raises(ProviderUnavailable, match=f"tavily at {server.base_url} {told}; "):
        search.search("gout", 2)
    assert waited == [1.0, 4.0, 16.0]
    search.close()


def test_a_server_that_is_not_there_is_named() -> None:
    search = WebSearch("tvly-k", "http://127.0.0.1:9", 5.0, lambda _seconds: None)
    with pytest.raises(ProviderUnavailable, match=r"127\.0\.0\.1:9 can't be reached"):
        search.search("gout", 2)
    search.close()


def test_a_refused_key_is_not_tried_again(server: TavilyServer) -> None:
    server.faults = [401]
    search, waited = client(server)
    with pytest.raises(ProviderUnavailable, match="TAVILY_API_KEY"):
        search.search("gout", 2)
    assert (waited, len(server.requests)) == ([], 1)
    search.close()


def test_a_reply_that_is_no_json_fails_its_query_alone_at_once(server: TavilyServer) -> None:
    server.faults = [200, 200]
    search, waited = client(server)
    with pytest.raises(ItemFailed, match="no JSON"):
        search.search("gout", 2)
    assert search.main_text(HIT) is None
    assert (waited, len(server.requests)) == ([], 2)
    search.close()


def test_a_query_is_no_longer_than_tavily_takes(server: TavilyServer) -> None:
    search, _ = client(server)
    search.search("痛风 " * 200, 2)
    assert [len(body["query"]) for _, body, _ in server.requests] == [400]
    search.close()


@pytest.mark.parametrize("score", [nan, inf, -inf, None, "0.9"])
def test_a_score_that_is_no_number_is_0(server: TavilyServer, score: object) -> None:
    server.results = [{"url": "https://a.example", "content": "Rest.", "score": score}]
    search, _ = client(server)
    (hit,) = search.search("gout", 2)
    assert SearchHit.model_validate_json(hit.model_dump_json()).score == 0
    search.close()


def test_halves_of_characters_are_replaced(server: TavilyServer) -> None:
    server.results = [{"title": "A\ud83d", "url": "https://a.example", "content": "Cut \ud83d"}]
    server.pages = {HIT.url: "Whole \ud83d\ude00, cut \ud83d"}
    search, _ = client(server)
    (hit,) = search.search("gout", 2)
    assert (hit.source_name, hit.snippet) == ("A\ufffd", "Cut \ufffd")
    assert search.main_text(HIT) == "Whole 😀, cut \ufffd"
    search.close()


@pytest.mark.parametrize("variable", ["HTTP_PROXY", "TAVILY_HTTP_PROXY"])
def test_what_goes_to_this_machine_goes_through_no_proxy(
    server: TavilyServer, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    for name in ("NO_PROXY", "no_proxy", "http_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv(variable, "http://127.0.0.1:9")
    with open_web_search("tvly-k", server.base_url, 5.0, is_local=True) as search:
        assert len(search.search("gout", 2)) == 1
    assert len(server.requests) == 1


def test_a_step_finds_the_open_search_by_its_address(server: TavilyServer) -> None:
    spec = SearchSpec(provider="tavily", base_url=server.base_url)
    with open_web_search("tvly-k", server.base_url, 5.0, is_local=True) as search:
        assert open_search(spec) is search
    with pytest.raises(SettingError, match="not open"):
        open_search(spec)
