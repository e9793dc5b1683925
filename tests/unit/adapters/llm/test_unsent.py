"""Requests that are counted and not made."""

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from pydantic import BaseModel, Field

from tasks.adapters.embedders import EmbedderSpec
from tasks.adapters.llm.calls import TOKENS_A_MESSAGE
from tasks.adapters.llm.embeddings import EndpointEmbedder, vectors_key
from tasks.adapters.llm.reply_store import KeptReplies
from tasks.adapters.llm.session import SessionOptions, model_session
from tasks.adapters.llm.unsent import Unsent, UnsentSession
from tasks.adapters.llm.unsent_vectors import UnsentVectors
from tasks.adapters.llm.vector_store import KeptVectors, VectorStore
from tasks.adapters.models import ModelSpec, WorkItem
from tasks.adapters.programmatic import Rules
from tasks.contracts.chat import ChatRequest
from tasks.contracts.errors import ModelFailed
from tests.servers.chat_server import ChatServer
from tests.servers.faults import Fault, FaultPlan

WORK = WorkItem(stage="answers", subject_id="10000001", item="s 0")


class _Said(BaseModel):
    word: str = Field(description="A word")


def _spec(**given: object) -> ModelSpec:
    return ModelSpec.model_validate(
        {
            "provider": "openai",
            "model": "test-model",
            "base_url": "http://127.0.0.1:9/v1",
            "server": "plain",
            "family": "chat",
            "context_tokens": 4096,
            "output_tokens": 100,
            **given,
        }
    )


def _request(task: str = "one two three", attempt: int = 0) -> ChatRequest[_Said]:
    return ChatRequest(
        lambda: ("Say a word.", task),
        _Said(word="asked"),
        _Said,
        attempt=attempt,
        maximum_output_tokens=40,
    )


def _session(folder: Path, **given: object) -> UnsentSession:
    rules: Mapping[type[BaseModel], Rules] = {_Said: lambda _: _Said(word="stand-in")}
    bound = bool(given.pop("bound", False))
    return UnsentSession(_spec(**given), KeptReplies(folder), rules, bound)


def test_a_request_is_counted_once_and_answered_by_a_stand_in(tmp_path: Path) -> None:
    session = _session(tmp_path / "replies")
    model = session.handle(WORK)
    said = [model.complete(_request()).parsed.word for _ in range(2)]
    assert said == ["stand-in", "stand-in"]
    # The shape stands in the system message, as this server takes no schema.
    counted = session.requests
    assert (counted.requests, counted.kept, counted.output_tokens) == (1, 0, 40)
    assert counted.overhead_tokens == 2 * TOKENS_A_MESSAGE
    with_schema = counted.prompt_tokens
    session.handle(WORK).complete(_request(attempt=1))
    session.handle(WORK).complete(_request("one two three four"))
    assert (counted.requests, counted.prompt_tokens) == (3, 3 * with_schema + 1)
    assert not (tmp_path / "replies").exists()


def test_a_thinking_model_may_take_all_of_its_own_limit(tmp_path: Path) -> None:
    session = _session(tmp_path, family="reasoning")
    session.handle(WORK).complete(_request())
    assert session.requests.output_tokens == 100


def test_a_prompt_without_room_is_refused_and_one_with_stand_ins_counted_at_its_longest(
    tmp_path: Path,
) -> None:
    long = "word " * 5000
    exact = _session(tmp_path)
    with pytest.raises(ModelFailed, match="the prompt takes about"):
        exact.handle(WORK).complete(_request(long))
    assert exact.requests == Unsent()
    bound = _session(tmp_path, bound=True)
    bound.handle(WORK).complete(_request(long))
    # Half of the reply's 40 tokens is the least that a request leaves free of 4,096.
    assert (bound.requests.prompt_tokens, bound.requests.output_tokens) == (4076, 40)


@pytest.mark.parametrize(
    # A reply that was cut is asked for again with twice the room: that one is kept too.
    "faults",
    [(), (Fault.LENGTH,)],
)
def test_kept_replies_answer_as_they_did(faults: tuple[Fault, ...], tmp_path: Path) -> None:
    with ChatServer(lambda _: {"word": "said"}, faults=FaultPlan(script=faults)) as server:
        spec = _spec(base_url=server.base_url)
        with model_session(spec, SessionOptions(replies=tmp_path)) as asked:
            asked.handle(WORK).complete(_request())
        made = len(server.requests)
    session = _session(tmp_path)
    assert session.handle(WORK).complete(_request()).parsed.word == "said"
    assert (session.requests.requests, session.requests.kept) == (0, made)
    assert session.kept.holds_any(WORK.subject_id)
    assert not session.kept.holds_any("10000002")


def test_a_cut_reply_whose_longer_one_is_lost_is_to_be_asked_with_twice_the_room(
    tmp_path: Path,
) -> None:
    with ChatServer(lambda _: {"word": "said"}, faults=FaultPlan(script=(Fault.LENGTH,))) as server:
        spec = _spec(base_url=server.base_url)
        with model_session(spec, SessionOptions(replies=tmp_path)) as asked:
            asked.handle(WORK).complete(_request())
    for path in tmp_path.glob("*/*.json"):
        if json.loads(path.read_text())["outcome"] == "ok":
            path.unlink()
    session = _session(tmp_path)
    assert session.handle(WORK).complete(_request()).parsed.word == "stand-in"
    assert session.requests.requests == session.requests.kept == 1
    assert session.requests.output_tokens == 80


def test_vectors_are_counted_once_and_missing_ones_are_zeros(tmp_path: Path) -> None:
    spec = EmbedderSpec(provider="openai", model="embedder")
    unsent = UnsentVectors(spec, KeptVectors(tmp_path / "vectors"))
    embedder = EndpointEmbedder(unsent, "10000001")
    for _ in range(2):
        assert embedder.embed(["one two", " ", "three"]).tolist() == [[0.0], [0.0], [0.0]]
    assert unsent.missing
    assert (unsent.requests.requests, unsent.requests.prompt_tokens) == (1, 3)
    assert not (tmp_path / "vectors").exists()


def test_kept_vectors_are_given_as_they_are(tmp_path: Path) -> None:
    spec = EmbedderSpec(provider="openai", model="embedder")
    kept = np.array([[0.6, 0.8]], dtype=np.float32)
    VectorStore(tmp_path).put("10000001", vectors_key(spec, ["one"]), kept)
    unsent = UnsentVectors(spec, KeptVectors(tmp_path))
    assert np.array_equal(EndpointEmbedder(unsent, "10000001").embed(["one"]), kept)
    assert (unsent.requests.requests, unsent.requests.kept, unsent.missing) == (0, 1, False)
    # Once others are missing, nothing can be ranked.
    assert unsent.vectors(["two"], "10000001").shape == (1, 2)
    assert unsent.missing
