"""An endpoint's embeddings over HTTP: batches, kept vectors, retries, the data-use guard."""

import stat
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from tasks.adapters.embedders import EmbedderSpec, open_embedder
from tasks.adapters.llm.embeddings import MOST_TEXTS, EmbeddingSession, embedding_session
from tasks.adapters.llm.prices import ModelPrice, PriceTable
from tasks.adapters.llm.session import SessionOptions
from tasks.adapters.llm.transport import Response
from tasks.adapters.llm.vector_reading import read_vectors
from tasks.contracts.errors import BudgetSpent, ModelFailed, ProviderUnavailable, SettingError
from tests.servers.chat_server import ChatServer
from tests.servers.faults import Fault
from tests.unit.adapters.llm.serving import Serve
from tests.unit.adapters.llm.sessions import KEY, FakeTime

SUBJECT = "10000001"


def _spec(running: ChatServer, **fields: Any) -> EmbedderSpec:
    stated = {"provider": "openai", "model": "test-model", "base_url": running.base_url, **fields}
    return EmbedderSpec.model_validate(stated)


@contextmanager
def _opened(spec: EmbedderSpec, folder: Path, **options: Any) -> Generator[EmbeddingSession]:
    time = FakeTime()
    stated: dict[str, Any] = {
        "key": KEY,
        "random": Random(1),
        "clock": time.clock,
        "now": time.now,
        "sleep": time.sleep,
        **options,
    }
    with embedding_session(spec, SessionOptions(replies=folder / "vectors", **stated)) as session:
        yield session


def test_vectors_come_back_in_the_order_of_the_texts_with_length_one(serve: Serve, tmp_path: Path):
    with serve() as server, _opened(_spec(server), tmp_path):
        vectors = open_embedder(_spec(server), SUBJECT).embed(["aab", " ", "ccc"])
    assert vectors.shape == (3, 27)
    assert vectors[0, :2].tolist() == pytest.approx([0.8944, 0.4472], abs=1e-4)
    assert vectors[2, 2] == 1.0
    assert not vectors[1].any()
    (request,) = server.requests
    assert request.path == "/v1/embeddings"
    assert request.body["input"] == ["aab", "ccc"]


def test_a_second_run_makes_no_request(serve: Serve, tmp_path: Path):
    with serve() as server:
        with _opened(_spec(server), tmp_path) as session:
            first = session.handle(SUBJECT).embed(["aab", "ccc"])
        with _opened(_spec(server), tmp_path) as session:
            again = session.handle(SUBJECT).embed(["aab", "ccc"])
            usage = session.usage().total
    assert len(server.requests) == 1
    assert (usage.requests, usage.replayed) == (0, 1)
    assert (again == first).all()
    (kept,) = (tmp_path / "vectors" / SUBJECT).iterdir()
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert stat.S_IMODE(kept.parent.stat().st_mode) == 0o700


HUGE = b"{'descr': '<f4', 'fortran_order': False, 'shape': (1, 9999999999999), }".ljust(117) + b"\n"


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"not a vector",
        b"\x93NUMPY\x01\x00",
        b"\x93NUMPY\x01\x00\x76\x00" + HUGE,
        b"PK\x03\x04",
        b"PK\x05\x06",
    ],
)
def test_damaged_vectors_are_asked_for_again(damage: bytes, serve: Serve, tmp_path: Path):
    with serve() as server, _opened(_spec(server), tmp_path) as session:
        first = session.handle(SUBJECT).embed(["aab"])
        (kept,) = (tmp_path / "vectors" / SUBJECT).iterdir()
        kept.write_bytes(damage)
        assert (session.handle(SUBJECT).embed(["aab"]) == first).all()
    assert len(server.requests) == 2


def test_many_texts_are_sent_in_batches(serve: Serve, tmp_path: Path):
    with serve() as server, _opened(_spec(server), tmp_path) as session:
        vectors = session.handle(SUBJECT).embed(["a" * (n + 1) for n in range(MOST_TEXTS + 2)])
    assert [len(request.body["input"]) for request in server.requests] == [MOST_TEXTS, 2]
    assert (vectors[:, 0] == 1).all()


@pytest.mark.parametrize(
    "fault", [Fault.RATE_LIMITED, Fault.SERVER_ERROR, Fault.OVERLOADED, Fault.NOT_JSON]
)
def test_a_fault_that_passes_is_waited_out(fault: Fault, serve: Serve, tmp_path: Path):
    with serve(fault, None) as server, _opened(_spec(server), tmp_path) as session:
        session.handle(SUBJECT).embed(["aab"])
        total = session.usage().total
    assert len(server.requests) == 2
    assert (total.requests, total.failed_attempts) == (1, 1)
    assert (total.input_tokens, session.usage().by_stage.keys()) == (2, {"embeddings"})


def test_a_server_that_stays_away_ends_the_work(serve: Serve, tmp_path: Path):
    with (
        serve(shares={Fault.SERVER_ERROR: 1.0}) as server,
        _opened(_spec(server), tmp_path, deadline_seconds=20.0) as session,
        pytest.raises(ProviderUnavailable, match="no reply from"),
    ):
        session.handle(SUBJECT).embed(["aab"])


def test_a_wrong_key_and_an_unknown_model_say_so(serve: Serve, tmp_path: Path):
    with serve() as server:
        with (
            _opened(_spec(server), tmp_path, key="wrong") as session,
            pytest.raises(ProviderUnavailable, match="refuses the key"),
        ):
            session.handle(SUBJECT).embed(["aab"])
        with (
            _opened(_spec(server, model="other"), tmp_path) as session,
            pytest.raises(ProviderUnavailable, match="has no model other"),
        ):
            session.handle(SUBJECT).embed(["aab"])


def test_texts_the_server_does_not_take_fail_alone(serve: Serve, tmp_path: Path):
    with serve(Fault.CONTENT_FILTER_400) as server, _opened(_spec(server), tmp_path) as session:
        with pytest.raises(ModelFailed, match="a content filter stopped the texts"):
            session.handle(SUBJECT).embed(["aab"])
        assert session.handle(SUBJECT).embed(["ccc"])[0, 2] == 1.0


def test_a_budget_holds_for_embeddings_too(serve: Serve, tmp_path: Path):
    prices = PriceTable(
        source="prices.json",
        prices={
            "test-model": ModelPrice(
                input_usd_per_million_tokens=1.0, output_usd_per_million_tokens=0.0
            )
        },
    )
    with (
        serve() as server,
        _opened(_spec(server), tmp_path, max_tokens=8, prices=prices) as session,
    ):
        session.handle(SUBJECT).embed(["aab ccc"])
        with pytest.raises(BudgetSpent):
            session.handle(SUBJECT).embed(["one two three four five six seven eight"])
    assert len(server.requests) == 1
    assert session.usage().total.usd == pytest.approx(4e-6)


def test_credentialed_texts_go_to_no_foreign_host(tmp_path: Path):
    spec = EmbedderSpec(provider="openai", model="m", base_url="https://203.0.113.7/v1")
    with pytest.raises(SettingError, match="Nothing was sent"), _opened(spec, tmp_path):
        raise AssertionError


def test_a_session_is_open_once(serve: Serve, tmp_path: Path):
    with (
        serve() as server,
        _opened(_spec(server), tmp_path),
        pytest.raises(SettingError, match="is open in this process"),
        _opened(_spec(server), tmp_path),
    ):
        raise AssertionError


def test_azure_is_asked_by_its_own_path(serve: Serve, tmp_path: Path):
    with serve() as server:
        spec = _spec(server, base_url=server.azure_endpoint, server="azure", deployment="east")
        with _opened(spec, tmp_path, azure_api_version="2024-10-21") as session:
            session.handle(SUBJECT).embed(["aab"])
    assert server.requests[0].path == "/openai/deployments/east/embeddings"


@pytest.mark.parametrize(
    "body",
    [
        None,
        {},
        {"data": []},
        {"data": [{"index": 1, "embedding": [1.0]}]},
        {"data": [{"index": 0, "embedding": [0.0, 0.0]}]},
        {"data": [{"index": 0, "embedding": ["x"]}]},
        {"data": [{"index": 0, "embedding": [float("nan")]}]},
        {"data": [{"index": 0, "embedding": []}]},
        {"data": [{"index": float("inf"), "embedding": [1.0]}]},
        {"data": [{"index": 0, "embedding": [1e300]}]},
        {"data": [{"index": 0, "embedding": [10**400]}]},
        {"data": [{"index": 0, "embedding": [3e38, 3e38]}]},
        {"data": [{"index": 0, "embedding": [1.0]}, {"index": 1, "embedding": [1.0]}]},
    ],
)
def test_what_is_no_vector_for_each_text_is_not_read(body: Any):
    assert read_vectors(Response(200, {}, body), 1) is None


def test_usage_is_taken_where_the_server_states_it():
    body = {"data": [{"index": 0, "embedding": [3, 4]}], "usage": {"prompt_tokens": 5}}
    found = read_vectors(Response(200, {}, body), 1)
    assert found is not None
    vectors, usage = found
    assert np.allclose(vectors, [[0.6, 0.8]])
    assert usage is not None
    assert usage.input_tokens == 5
