"""What llama.cpp's server does with requests like ours, seen on a real model."""

from __future__ import annotations

import json
from collections.abc import Generator
from typing import Any

import openai
import pytest

from tests.live.llama_server import ALIAS, LlamaServer, llama_server, small_model

pytestmark = pytest.mark.slow

TIME = {
    "type": "object",
    "properties": {"time": {"type": "string", "pattern": "^[0-9]{2}:[0-9]{2}$"}},
    "required": ["time"],
    "additionalProperties": False,
}


@pytest.fixture(scope="module")
def server() -> Generator[LlamaServer]:
    with llama_server(small_model(), context_tokens=512) as running:
        yield running


@pytest.fixture
def client(server: LlamaServer) -> Generator[openai.OpenAI]:
    with openai.OpenAI(base_url=server.base_url, api_key="none", max_retries=0) as made:
        yield made


def ask(client: openai.OpenAI, text: str, output_tokens: int, **others: Any) -> Any:
    return client.chat.completions.create(
        model=ALIAS,
        messages=[{"role": "user", "content": text}],
        max_tokens=output_tokens,
        **others,
    )


def test_a_reply_has_the_shape_of_the_schema(client: openai.OpenAI) -> None:
    wanted = {"type": "json_schema", "json_schema": {"name": "reply", "schema": TIME}}
    reply = ask(client, "Give a time of day as JSON.", 100, response_format=wanted, temperature=0)
    assert reply.choices[0].finish_reason == "stop"
    hour, minute = json.loads(reply.choices[0].message.content)["time"].split(":")
    assert len(hour) == len(minute) == 2


def test_a_cut_reply_says_so_and_what_it_took(client: openai.OpenAI) -> None:
    # Held to more digits than it may write: left alone, a small model stops where chance has it.
    long = {**TIME, "properties": {"time": {"type": "string", "pattern": "^[0-9]{60}$"}}}
    wanted = {"type": "json_schema", "json_schema": {"name": "reply", "schema": long}}
    reply = ask(client, "Count from one to a hundred.", 8, response_format=wanted)
    assert reply.choices[0].finish_reason == "length"
    assert reply.usage.completion_tokens == 8
    assert 8 < reply.usage.prompt_tokens < 60


def test_a_prompt_over_the_context_is_refused_and_named(client: openai.OpenAI) -> None:
    with pytest.raises(openai.BadRequestError) as refused:
        ask(client, "word " * 600, 8)
    body: Any = refused.value.body
    assert body["type"] == "exceed_context_size_error"
    assert body["n_ctx"] == 512


def test_the_same_seed_gives_the_same_reply(client: openai.OpenAI) -> None:
    first, again, other = (
        ask(client, "Tell a story.", 24, seed=seed, temperature=1) for seed in (7, 7, 8)
    )
    assert first.choices[0].message.content == again.choices[0].message.content
    assert first.choices[0].message.content != other.choices[0].message.content
