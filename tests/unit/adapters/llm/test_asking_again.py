"""Asking a server over HTTP: what is tried again, how long, and when a whole session ends."""

from pathlib import Path
from typing import Any

import pytest

from tasks.contracts.chat import ChatModel
from tasks.contracts.errors import (
    ModelFailed,
    ProviderUnavailable,
)
from tests.servers.chat_server import ChatServer
from tests.servers.faults import Fault, FaultPlan
from tests.unit.adapters.llm.serving import HELLO, Serve
from tests.unit.adapters.llm.sessions import KEY, WORK, FakeTime, opened, request, spec_of


@pytest.mark.parametrize(
    "fault",
    [
        Fault.RATE_LIMITED,
        Fault.SERVER_ERROR,
        Fault.CUT_BODY,
        Fault.CUT_JSON,
        Fault.NOT_JSON,
        Fault.CHOICES_EMPTY,
        Fault.CHOICES_NULL,
    ],
)
def test_what_may_pass_is_asked_again(fault: Fault, tmp_path: Path, serve: Serve):
    time = FakeTime()
    with (
        serve(fault, fault, None) as server,
        opened(spec_of(server.base_url), tmp_path, time) as session,
    ):
        assert session.handle(WORK).complete(request()).parsed.text == "hello"
        total = session.usage().total
    assert len(server.requests) == 3
    assert (total.requests, total.failed_attempts) == (1, 2)
    assert len(time.slept) == 2


def test_a_hanging_server_is_left_after_the_timeout(tmp_path: Path, serve: Serve):
    with (
        serve(Fault.HANG, None) as server,
        opened(
            spec_of(server.base_url), tmp_path, timeout_seconds=0.2, sleep=lambda _: None
        ) as session,
    ):
        assert session.handle(WORK).complete(request()).parsed.text == "hello"
    assert len(server.requests) == 2


@pytest.mark.parametrize("fault", [Fault.RATE_LIMITED_WAIT, Fault.OVERLOADED])
def test_retry_after_is_waited_for(fault: Fault, tmp_path: Path, serve: Serve):
    time = FakeTime()
    with (
        serve(fault, None) as server,
        opened(spec_of(server.base_url), tmp_path, time) as session,
    ):
        session.handle(WORK).complete(request())
    assert time.slept == [9.0]


def test_a_server_that_fails_until_the_deadline_is_unavailable_for_all(
    tmp_path: Path, serve: Serve
):
    time = FakeTime()
    with (
        serve(shares={Fault.SERVER_ERROR: 1.0}) as server,
        opened(spec_of(server.base_url), tmp_path, time, deadline_seconds=60) as session,
    ):
        with pytest.raises(ProviderUnavailable) as stopped:
            session.handle(WORK).complete(request())
        sent = len(server.requests)
        with pytest.raises(ProviderUnavailable, match="HTTP 500 server_error"):
            session.handle(WORK).complete(request("Another."))
    assert str(stopped.value).startswith(f"no reply from {server.base_url} in ")
    assert "the same command resumes" in str(stopped.value)
    assert sum(time.slept) <= 60
    assert len(server.requests) == sent


def test_a_provider_that_goes_away_is_told_from_one_request_that_fails(
    tmp_path: Path, serve: Serve
):
    time = FakeTime()
    with (
        serve(None, shares={Fault.SERVER_ERROR: 1.0}) as server,
        opened(spec_of(server.base_url), tmp_path, time, deadline_seconds=600) as session,
    ):
        session.handle(WORK).complete(request("One."))
        with pytest.raises(ProviderUnavailable):
            session.handle(WORK).complete(request("Two."))


def test_one_request_that_fails_while_others_are_answered_fails_alone(tmp_path: Path, serve: Serve):
    plan = FaultPlan(when=lambda sent: Fault.SERVER_ERROR if sent[-1]["content"] == "bad" else None)
    time, models = FakeTime(), list[ChatModel]()

    def answered_meanwhile(seconds: float) -> None:
        time.sleep(seconds)
        models[0].complete(request(f"good {time.seconds}"))

    with (
        serve(faults=plan) as server,
        opened(
            spec_of(server.base_url), tmp_path, time, deadline_seconds=60, sleep=answered_meanwhile
        ) as session,
    ):
        models.append(session.handle(WORK))
        with pytest.raises(ModelFailed, match="though others are answered") as failed:
            models[0].complete(request("bad"))
    assert failed.value.outcome == "transient"


def test_a_long_wait_is_told_once_and_a_short_one_is_not(
    tmp_path: Path, serve: Serve, caplog: pytest.LogCaptureFixture
):
    with (
        serve(*[Fault.RATE_LIMITED_WAIT] * 6, None, Fault.SERVER_ERROR) as server,
        opened(spec_of(server.base_url), tmp_path, FakeTime()) as session,
    ):
        for task in ("One.", "Two."):
            session.handle(WORK).complete(request(task))
    assert [record.getMessage() for record in caplog.records] == [
        "127.0.0.1: HTTP 429 tokens rate_limit_exceeded; asking again for up to 600 seconds a "
        "request"
    ]


def test_a_server_that_was_never_reached_is_left_within_seconds(tmp_path: Path):
    with ChatServer(HELLO) as server:
        base_url = server.base_url
    time = FakeTime()
    with (
        opened(spec_of(base_url), tmp_path, time) as session,
        pytest.raises(ProviderUnavailable, match=r"Connection refused\): check that the server"),
    ):
        session.handle(WORK).complete(request())
    assert 0 < sum(time.slept) <= 10


@pytest.mark.parametrize(
    ("fields", "spec", "words"),
    [
        ({"key": "another"}, {}, "refuses the key (HTTP 401 invalid_request_error invalid_api_key"),
        ({}, {"model": "unknown"}, "has no model unknown or is no such API (HTTP 404"),
        ({"faults": FaultPlan(shares={Fault.QUOTA_SPENT: 1})}, {}, "has no credit left"),
    ],
)
def test_what_holds_for_every_request_ends_the_session_at_once(
    fields: dict[str, Any], spec: dict[str, Any], words: str, tmp_path: Path, serve: Serve
):
    time = FakeTime()
    with (
        serve(**fields) as server,
        opened(spec_of(server.base_url, **spec), tmp_path, time) as session,
    ):
        for _ in range(2):
            with pytest.raises(ProviderUnavailable) as stopped:
                session.handle(WORK).complete(request())
            assert words in str(stopped.value)
            assert KEY not in str(stopped.value)
    assert len(server.requests) == 1
    assert time.slept == []
