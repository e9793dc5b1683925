"""The test server itself: what clients get, and what it remembers."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Generator, Iterable
from pathlib import Path
from typing import Any

import httpx2
import openai
import pytest
from openai.types.chat import ChatCompletion

from tests.servers.chat_server import ChatServer
from tests.servers.faults import Fault, FaultPlan
from tests.servers.requests import ModelRules
from tests.servers.writers import EchoWriter, FixedWriter, ScriptWriter

_DIALOGUE = {
    "conversation_lines": [
        {"turn_number": 1, "time": "2150-06-01 09:30:00", "speaker": "Doctor", "text": "Hello."},
        {"turn_number": 2, "time": "2150-06-01 09:31:00", "speaker": "Patient", "text": "Hi."},
        {"turn_number": 3, "time": "2150-06-01 09:32:00", "speaker": "Doctor", "text": "Well?"},
        {"turn_number": 4, "time": "2150-06-01 09:33:00", "speaker": "Patient", "text": "Yes."},
    ],
    "summary": {"problems": ["cough"]},
}


def _client(server: ChatServer, key: str = "any") -> openai.OpenAI:
    return openai.OpenAI(base_url=server.base_url, api_key=key, max_retries=0, timeout=10)


def _ask(client: openai.OpenAI, text: str = "Hello", **parameters: Any) -> ChatCompletion:
    model = parameters.pop("model", "test-model")
    return client.chat.completions.create(
        model=model, messages=[{"role": "user", "content": text}], **parameters
    )


@pytest.fixture
def faulty(request: pytest.FixtureRequest) -> Generator[ChatServer]:
    faults: Iterable[Fault] = request.param
    with ChatServer(FixedWriter(_DIALOGUE), faults=FaultPlan(script=tuple(faults))) as server:
        yield server


def _content(server: ChatServer) -> Any:
    with _client(server) as client:
        return json.loads(_ask(client).choices[0].message.content or "")


def test_a_reply_has_the_shape_that_the_official_client_reads() -> None:
    with ChatServer(EchoWriter()) as server, _client(server) as client:
        reply = _ask(client, "How are you?")
    assert reply.id == "chatcmpl-test00000000"
    assert reply.model == "test-model"
    assert reply.choices[0].finish_reason == "stop"
    assert reply.choices[0].message.content == '{"text": "How are you?"}'
    assert reply.usage is not None
    # "How are you?" is 4 tokens, and each message has 4 around it.
    assert reply.usage.prompt_tokens == 8
    assert reply.usage.total_tokens == 8 + reply.usage.completion_tokens


def test_requests_are_remembered_with_what_they_asked_and_how_they_ended() -> None:
    with ChatServer(EchoWriter()) as server, _client(server) as client:
        _ask(client, "one", seed=7)
        _ask(client, "one", seed=7)
        _ask(client, "two")
    assert [request.messages[0]["content"] for request in server.requests] == ["one", "one", "two"]
    assert server.requests[0].body["seed"] == 7
    assert server.requests[0].digest == server.requests[1].digest != server.requests[2].digest
    assert server.outcomes() == {"ok": 3}
    assert server.peak_in_flight == 1


def test_a_log_holds_a_line_for_each_request_and_no_text(tmp_path: Path) -> None:
    log = tmp_path / "requests.jsonl"
    plan = FaultPlan(script=[Fault.RATE_LIMITED])
    with ChatServer(EchoWriter(), faults=plan, log=log) as server, _client(server) as client:
        with pytest.raises(openai.RateLimitError):
            _ask(client, "marker")
        _ask(client, "marker")
    lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    assert [(line["outcome"], line["status"]) for line in lines] == [
        ("rate_limited", 429),
        ("ok", 200),
    ]
    assert lines[1]["output_tokens"] > 0
    assert "marker" not in log.read_text(encoding="utf-8")


def test_connections_count_though_nothing_is_asked() -> None:
    with ChatServer(EchoWriter()) as server:
        assert server.connections == 0
        with socket.create_connection(("127.0.0.1", server.port)) as connection:
            connection.sendall(b"GET /v1/models HTTP/1.0\r\n\r\n")
            connection.recv(1)
        assert server.connections == 1
        assert server.requests == []


def test_a_wrong_key_is_refused_and_a_right_one_lists_the_models() -> None:
    with ChatServer(EchoWriter(), key="right") as server:
        with _client(server, "wrong") as client, pytest.raises(openai.AuthenticationError):
            _ask(client)
        with _client(server, "right") as client:
            assert [model.id for model in client.models.list()] == ["test-model"]
            _ask(client)
    assert server.outcomes() == {"invalid_api_key": 1, "ok": 1}


def test_a_model_that_is_not_served_is_not_found() -> None:
    with (
        ChatServer(EchoWriter()) as server,
        _client(server) as client,
        pytest.raises(openai.NotFoundError) as error,
    ):
        _ask(client, model="other")
    assert error.value.code == "model_not_found"


def test_an_azure_deployment_is_asked_by_its_path_and_key_header() -> None:
    with ChatServer(EchoWriter(), models={"prod-east": ModelRules()}, key="right") as server:
        client = openai.AzureOpenAI(
            azure_endpoint=server.azure_endpoint,
            azure_deployment="prod-east",
            api_version="2024-10-21",
            api_key="right",
            max_retries=0,
        )
        with client:
            assert _ask(client, model="gpt-x").choices[0].message.content == '{"text": "Hello"}'
    assert server.requests[0].path == "/openai/deployments/prod-east/chat/completions"


@pytest.mark.parametrize(
    ("sent", "code", "parameter"),
    [
        ({"max_tokens": 5}, "unsupported_parameter", "max_tokens"),
        ({"temperature": 0.2}, "unsupported_value", "temperature"),
        ({"extra_body": {"odd": 1}}, "unsupported_parameter", "odd"),
        ({"stream": True}, "unsupported_value", None),
        (
            {
                "response_format": {
                    "type": "json_schema",
                    "json_schema": {"name": "X", "strict": True, "schema": {"type": "object"}},
                }
            },
            "invalid_json_schema",
            "response_format",
        ),
    ],
)
def test_what_a_model_does_not_take_is_refused_by_name(
    sent: dict[str, Any], code: str, parameter: str | None
) -> None:
    rules = ModelRules(refuses=frozenset(["max_tokens", "temperature"]), dialect="openai")
    with (
        ChatServer(EchoWriter(), models={"test-model": rules}) as server,
        _client(server) as client,
        pytest.raises(openai.BadRequestError) as error,
    ):
        _ask(client, **sent)
    assert (error.value.code, error.value.param) == (code, parameter)


def test_the_default_temperature_is_taken_by_a_model_that_takes_no_other() -> None:
    rules = ModelRules(refuses=frozenset(["temperature"]))
    with ChatServer(EchoWriter(), models={"test-model": rules}) as server:
        with _client(server) as client:
            _ask(client, temperature=1)
        assert server.outcomes() == {"ok": 1}


def test_a_prompt_beyond_the_context_is_refused_in_the_words_of_the_server() -> None:
    models = {
        "hosted": ModelRules(context_tokens=20),
        "llama": ModelRules(context_tokens=20, dialect="llamacpp"),
    }
    with ChatServer(EchoWriter(), models=models) as server, _client(server) as client:
        with pytest.raises(openai.BadRequestError) as error:
            _ask(client, model="hosted", max_tokens=30)
        assert error.value.code == "context_length_exceeded"
        _ask(client, model="llama", max_tokens=30)
        with pytest.raises(openai.BadRequestError) as error:
            _ask(client, "one two three four " * 10, model="llama")
        assert error.value.type == "exceed_context_size_error"


def test_a_reply_longer_than_asked_for_is_cut() -> None:
    with ChatServer(FixedWriter(_DIALOGUE)) as server, _client(server) as client:
        reply = _ask(client, max_completion_tokens=10)
    assert reply.choices[0].finish_reason == "length"
    assert reply.usage is not None
    assert reply.usage.completion_tokens == 10
    assert len(reply.choices[0].message.content or "") < 60


def test_more_requests_at_once_than_allowed_are_turned_away() -> None:
    pause, go_on = threading.Event(), threading.Event()
    plan = FaultPlan(script=[Fault.HANG])
    with ChatServer(EchoWriter(), faults=plan, most_in_flight=1) as server:
        holder = threading.Thread(target=_hang, args=(server, go_on))
        holder.start()
        while server.in_flight == 0:
            pause.wait(0.001)
        with _client(server) as client, pytest.raises(openai.RateLimitError):
            _ask(client)
        go_on.set()
        holder.join()
    assert server.outcomes() == {"hang": 1, "busy": 1}


def _hang(server: ChatServer, until: threading.Event) -> None:
    body = json.dumps({"model": "test-model", "messages": [{"role": "user", "content": "x"}]})
    with socket.create_connection(("127.0.0.1", server.port)) as connection:
        head = (
            f"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        connection.sendall((head + body).encode())
        until.wait(20)


@pytest.mark.parametrize(
    ("fault", "error", "status"),
    [
        (Fault.RATE_LIMITED, openai.RateLimitError, 429),
        (Fault.QUOTA_SPENT, openai.RateLimitError, 429),
        (Fault.SERVER_ERROR, openai.InternalServerError, 500),
        (Fault.OVERLOADED, openai.InternalServerError, 503),
        (Fault.CONTENT_FILTER_400, openai.BadRequestError, 400),
        (Fault.CONTEXT_TOO_LONG, openai.BadRequestError, 400),
    ],
)
def test_refusing_faults_have_their_status(
    fault: Fault, error: type[openai.APIStatusError], status: int
) -> None:
    plan = FaultPlan(script=[fault])
    with ChatServer(EchoWriter(), faults=plan) as server, _client(server) as client:
        with pytest.raises(error) as raised:
            _ask(client)
        assert raised.value.status_code == status
        assert _ask(client).choices[0].finish_reason == "stop"


def test_only_those_faults_that_say_so_tell_when_to_come_back() -> None:
    script = [Fault.RATE_LIMITED, Fault.RATE_LIMITED_WAIT, Fault.OVERLOADED]
    plan = FaultPlan(script=script, retry_headers={"retry-after": "7"})
    waits: list[str | None] = []
    with ChatServer(EchoWriter(), faults=plan) as server, _client(server) as client:
        for _ in script:
            with pytest.raises(openai.APIStatusError) as error:
                _ask(client)
            waits.append(error.value.response.headers.get("retry-after"))
    assert waits == [None, "7", "7"]


def test_a_body_is_cut_with_and_without_its_end_being_announced() -> None:
    plan = FaultPlan(script=[Fault.CUT_BODY, Fault.CUT_JSON, Fault.NOT_JSON])
    url = "/chat/completions"
    body = {"model": "test-model", "messages": [{"role": "user", "content": "x"}]}
    with (
        ChatServer(FixedWriter(_DIALOGUE), faults=plan) as server,
        httpx2.Client(base_url=server.base_url) as client,
    ):
        with pytest.raises(httpx2.RemoteProtocolError):
            client.post(url, json=body)
        for _ in range(2):
            reply = client.post(url, json=body)
            assert reply.status_code == 200
            with pytest.raises(ValueError, match=r"Unterminated string|Expecting value"):
                reply.json()


@pytest.mark.parametrize(
    ("faulty", "reason", "content", "refusal"),
    [
        ([Fault.CONTENT_FILTER], "content_filter", True, False),
        ([Fault.REFUSAL], "stop", False, True),
        ([Fault.LENGTH], "length", True, False),
        ([Fault.LENGTH_WHOLE], "length", True, False),
        ([Fault.CONTENT_NULL], "stop", False, False),
        ([Fault.CONTENT_EMPTY], "stop", False, False),
    ],
    indirect=["faulty"],
)
def test_replies_that_are_none_end_as_real_ones(
    faulty: ChatServer, reason: str, content: bool, refusal: bool
) -> None:
    with _client(faulty) as client:
        choice = _ask(client).choices[0]
    assert choice.finish_reason == reason
    assert bool(choice.message.content) == content
    assert bool(choice.message.refusal) == refusal


def test_choices_may_be_missing_and_usage_too() -> None:
    plan = FaultPlan(script=[Fault.CHOICES_EMPTY, Fault.CHOICES_NULL, Fault.NO_USAGE])
    with ChatServer(EchoWriter(), faults=plan) as server, _client(server) as client:
        assert _ask(client).choices == []
        assert _ask(client).choices is None
        assert _ask(client).usage is None


def test_a_cut_prompt_shows_in_the_usage_alone() -> None:
    plan = FaultPlan(script=[None, Fault.PROMPT_CUT])
    with ChatServer(EchoWriter(), faults=plan) as server, _client(server) as client:
        usages = [_ask(client, "one two three " * 30).usage for _ in range(2)]
    whole, cut = [usage.prompt_tokens for usage in usages if usage is not None]
    assert cut == whole // 3


@pytest.mark.parametrize(
    ("faulty", "lines"),
    [
        ([Fault.THIRD_SPEAKER], [(1, "Doctor", 30), (2, "Patient", 31), (3, "Nurse", 32)]),
        ([Fault.TURN_GAP], [(1, "Doctor", 30), (2, "Patient", 31), (4, "Doctor", 32)]),
    ],
    indirect=["faulty"],
)
def test_rules_are_broken_in_the_middle_of_a_dialogue(
    faulty: ChatServer, lines: list[tuple[int, str, int]]
) -> None:
    read = _content(faulty)["conversation_lines"][:3]
    assert [
        (line["turn_number"], line["speaker"], int(line["time"][14:16])) for line in read
    ] == lines


@pytest.mark.parametrize("faulty", [[Fault.TIME_BACK]], indirect=True)
def test_time_goes_back(faulty: ChatServer) -> None:
    times = [line["time"] for line in _content(faulty)["conversation_lines"]]
    assert times[1:3] == ["2150-06-01 09:31:00", "2150-05-31 09:32:00"]


@pytest.mark.parametrize("faulty", [[Fault.SHAPE_BROKEN]], indirect=True)
def test_a_shape_is_broken_by_leaving_out_its_last_field(faulty: ChatServer) -> None:
    assert list(_content(faulty)) == ["conversation_lines"]


def test_rule_breaking_leaves_other_replies_alone() -> None:
    plan = FaultPlan(script=[Fault.THIRD_SPEAKER])
    with ChatServer(ScriptWriter(['{"questions": []}']), faults=plan) as server:
        assert _content(server) == {"questions": []}


def test_shares_of_faults_are_drawn_by_request_and_seed() -> None:
    plan = FaultPlan({Fault.RATE_LIMITED: 0.15, Fault.HANG: 0.05}, seed=3)
    drawn = [plan.draw(number, []) for number in range(2_000)]
    assert drawn == [plan.draw(number, []) for number in range(2_000)]
    assert 250 <= drawn.count(Fault.RATE_LIMITED) <= 350
    assert 70 <= drawn.count(Fault.HANG) <= 130
    other = FaultPlan(plan.shares, seed=4)
    assert drawn != [other.draw(number, []) for number in range(2_000)]


def test_a_condition_on_the_messages_wins_over_the_script() -> None:
    plan = FaultPlan(
        script=[Fault.HANG],
        when=lambda messages: Fault.REFUSAL if "secret" in messages[-1]["content"] else None,
    )
    assert plan.draw(0, [{"role": "user", "content": "a secret"}]) is Fault.REFUSAL
    assert plan.draw(0, [{"role": "user", "content": "open"}]) is Fault.HANG
