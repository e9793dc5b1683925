"""What leaves this machine, and what doesn't: headers, redirects, proxies, logs."""

import logging
from pathlib import Path

import httpx2
import pytest

from tasks.adapters.llm.destination import Destination
from tasks.adapters.llm.transport import Endpoint, NoResponse, Transport, _Bounded, _read
from tasks.contracts.errors import ProviderUnavailable, SettingError
from tests.servers.chat_server import ChatServer
from tests.servers.writers import FixedWriter
from tests.unit.adapters.llm.plain_server import answering
from tests.unit.adapters.llm.sessions import (
    KEY,
    WORK,
    FakeTime,
    completion,
    opened,
    request,
    spec_of,
)

REPLY = completion('{"text": "hello"}')
SDK_ENVIRONMENT = {
    "OPENAI_API_KEY": "sk-from-the-environment",
    "OPENAI_ADMIN_KEY": "sk-admin",
    "OPENAI_BASE_URL": "http://127.0.0.1:1/v1",
    "OPENAI_ORG_ID": "org-from-the-environment",
    "OPENAI_PROJECT_ID": "project-from-the-environment",
    "OPENAI_CUSTOM_HEADERS": "authorization: Bearer stray\napi-key: stray\nx-stray: stray",
    "OPENAI_API_VERSION": "1999-01-01",
    "AZURE_OPENAI_ENDPOINT": "http://127.0.0.1:1",
    "AZURE_OPENAI_AD_TOKEN": "stray",
    "OPENAI_LOG": "debug",
    "HTTP_PROXY": "http://127.0.0.1:1",
    "http_proxy": "http://127.0.0.1:1",
    "ALL_PROXY": "http://127.0.0.1:1",
}


@pytest.fixture
def _sdk_environment(  # pyright: ignore[reportUnusedFunction]
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in SDK_ENVIRONMENT.items():
        monkeypatch.setenv(name, value)


@pytest.mark.usefixtures("_sdk_environment")
def test_a_request_has_our_headers_alone_whatever_the_environment_says(tmp_path: Path):
    with answering(200, REPLY) as seen, opened(spec_of(f"{seen.base_url}/v1"), tmp_path) as session:
        session.handle(WORK).complete(request())
    assert seen.paths == ["/v1/chat/completions"]
    (headers,) = seen.headers
    assert headers.keys() == {
        "host",
        "accept",
        "accept-encoding",
        "connection",
        "content-type",
        "content-length",
        "user-agent",
        "authorization",
    }
    assert headers["authorization"] == f"Bearer {KEY}"
    assert headers["user-agent"] == "anamnesis"


@pytest.mark.usefixtures("_sdk_environment")
def test_azure_is_asked_by_deployment_and_has_its_own_header(tmp_path: Path):
    with answering(200, REPLY) as seen:
        spec = spec_of(seen.base_url, server="azure", deployment="prod-east")
        with opened(spec, tmp_path, azure_api_version="2024-10-21") as session:
            session.handle(WORK).complete(request())
    assert seen.paths == ["/openai/deployments/prod-east/chat/completions?api-version=2024-10-21"]
    assert seen.headers[0]["api-key"] == KEY
    assert "authorization" not in seen.headers[0]
    assert seen.bodies[0]["model"] == "test-model"


def test_without_a_key_none_is_sent(tmp_path: Path):
    with (
        answering(200, REPLY) as seen,
        opened(spec_of(f"{seen.base_url}/v1"), tmp_path, key="") as session,
    ):
        session.handle(WORK).complete(request())
    assert "authorization" not in seen.headers[0]


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_redirects_are_not_followed(status: int, tmp_path: Path):
    with (
        answering(200, REPLY) as elsewhere,
        answering(status, {}, location=f"{elsewhere.base_url}/v1/chat/completions") as seen,
        opened(spec_of(f"{seen.base_url}/v1"), tmp_path) as session,
        pytest.raises(ProviderUnavailable, match=f"sends requests elsewhere .HTTP {status}"),
    ):
        session.handle(WORK).complete(request())
    assert elsewhere.paths == []


def test_credentialed_data_for_a_foreign_host_stops_before_any_connection(tmp_path: Path):
    with ChatServer(FixedWriter({"text": "hello"})) as server:
        spec = spec_of(f"http://models.example.org:{server.port}/v1")
        with pytest.raises(SettingError, match="credentialed"), opened(spec, tmp_path / "r"):
            pass
    assert server.connections == 0
    assert not (tmp_path / "r").exists()


@pytest.mark.usefixtures("_sdk_environment")
def test_no_log_holds_the_key_or_a_message(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.DEBUG)
    with answering(429, {"error": {"message": "a cough"}}) as seen:
        spec = spec_of(f"{seen.base_url}/v1")
        with (
            opened(spec, tmp_path, FakeTime(), deadline_seconds=5) as session,
            pytest.raises(ProviderUnavailable) as stopped,
        ):
            session.handle(WORK).complete(request("A cough that rattles."))
    told = "\n".join([*(record.getMessage() for record in caplog.records), str(stopped.value)])
    assert "HTTP 429" in told
    assert "cough" not in told
    assert KEY not in told + repr(Endpoint(Destination("u", "h", True), KEY))


def test_a_body_that_trickles_is_left_at_its_deadline():
    times = iter([1.0, 2.0, 3.5])
    stream = _Bounded([b"a", b"b", b"c"], 3.0, lambda: next(times))
    read = list[bytes]()
    with pytest.raises(Exception, match="took too long"):
        read.extend(stream)
    assert read == [b"a", b"b"]


def test_a_body_without_end_is_left():
    block = b" " * 2**20
    stream = _Bounded(iter(lambda: block, b""), 3.0, lambda: 0.0)
    with pytest.raises(Exception, match="too large"):
        for _ in stream:
            pass


def test_no_connection_is_told_apart_from_no_answer():
    with ChatServer(FixedWriter({})) as server:
        address = server.base_url
    transport = Transport(Endpoint(Destination(address, "127.0.0.1", True), ""))
    with pytest.raises(NoResponse, match="Connection refused") as failed:
        transport.send({"model": "m", "messages": []}, 5.0)
    transport.close()
    assert failed.value.kind == "unreachable"


def test_a_body_nested_without_end_is_no_json():
    nested = httpx2.Response(200, content=b"[" * 200_000)
    assert _read(nested).body is None
