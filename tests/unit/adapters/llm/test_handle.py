"""A model as domains use it: kept replies, usage, sessions."""

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tasks.adapters.models import open_model
from tasks.contracts.chat import ChatReply
from tasks.contracts.errors import SettingError
from tasks.contracts.usage import UsageCounts
from tests.servers.faults import Fault, FaultPlan
from tests.servers.requests import ModelRules
from tests.servers.writers import EchoWriter
from tests.unit.adapters.llm.serving import Serve
from tests.unit.adapters.llm.sessions import WORK, Answer, FakeTime, opened, request, spec_of


def test_a_second_run_asks_nothing_and_is_answered_and_charged_the_same(
    tmp_path: Path, serve: Serve
):
    answers, used = list[list[ChatReply[Answer]]](), list[object]()
    totals = list[UsageCounts]()
    with serve(writer=EchoWriter(), faults=FaultPlan(script=[Fault.RATE_LIMITED])) as server:
        for _ in range(2):
            with opened(spec_of(server.base_url), tmp_path, FakeTime()) as session:
                model = open_model(spec_of(server.base_url), {}, WORK)
                answers.append([model.complete(request(task)) for task in ("One.", "Two.")])
                used.append(model.used)
                totals.append(session.usage().total)
    assert len(server.requests) == 3
    assert answers[0] == answers[1]
    assert used[0] == used[1]
    assert (totals[0].requests, totals[0].replayed) == (2, 0)
    assert (totals[1].requests, totals[1].replayed, totals[1].input_tokens) == (0, 2, 0)


def test_what_was_learnt_of_a_server_does_not_make_a_second_run_ask_again(
    tmp_path: Path, serve: Serve
):
    rules = {"test-model": ModelRules(refuses=frozenset({"max_tokens"}))}
    with serve(writer=EchoWriter(), models=rules) as server:
        for _ in range(2):
            with opened(spec_of(server.base_url), tmp_path) as session:
                session.handle(WORK).complete(request())
    assert len(server.requests) == 2


def test_two_threads_with_one_request_make_one_call(tmp_path: Path, serve: Serve):
    with (
        serve(writer=EchoWriter(), latency_seconds=(0.05, 0.05)) as server,
        opened(spec_of(server.base_url), tmp_path) as session,
        ThreadPoolExecutor(4) as pool,
    ):
        models = [session.handle(WORK) for _ in range(4)]
        replies = list(pool.map(lambda model: model.complete(request()), models))
        total = session.usage().total
    assert len(server.requests) == 1
    assert len({reply.response_id for reply in replies}) == 1
    assert (total.requests, total.replayed) == (1, 3)


def test_threads_keep_within_the_concurrency(tmp_path: Path, serve: Serve):
    with (
        serve(writer=EchoWriter(), latency_seconds=(0.01, 0.02)) as server,
        opened(spec_of(server.base_url), tmp_path, concurrency=3) as session,
        ThreadPoolExecutor(12) as pool,
    ):
        model = session.handle(WORK)
        list(pool.map(lambda n: model.complete(request(f"Write {n}.")), range(24)))
    assert server.peak_in_flight == 3
    assert server.connections == 3


def test_a_busy_server_is_asked_less_at_once_until_all_are_answered(tmp_path: Path, serve: Serve):
    with (
        serve(writer=EchoWriter(), latency_seconds=(0.01, 0.02), most_in_flight=2) as server,
        opened(spec_of(server.base_url), tmp_path, concurrency=8, sleep=lambda _: None) as session,
        ThreadPoolExecutor(8) as pool,
    ):
        model = session.handle(WORK)
        list(pool.map(lambda n: model.complete(request(f"Write {n}.")), range(40)))
        total = session.usage().total
    assert server.outcomes()["ok"] == 40
    assert total.failed_attempts == server.outcomes()["busy"] < 40


def test_a_session_that_ends_lets_nobody_wait_on(tmp_path: Path, serve: Serve):
    with serve(writer=EchoWriter(), faults=FaultPlan(shares={Fault.SERVER_ERROR: 1})) as server:
        ended = list[str]()
        with opened(spec_of(server.base_url), tmp_path) as session:
            model = session.handle(WORK)

            def ask() -> None:
                try:
                    model.complete(request())
                except Exception as error:  # noqa: BLE001
                    ended.append(type(error).__name__)

            thread = threading.Thread(target=ask)
            thread.start()
            while not server.requests:
                pass
        thread.join(20)
    assert ended == ["ProviderUnavailable"]


def test_a_model_without_an_open_session_or_an_item_says_so(tmp_path: Path):
    spec = spec_of("http://127.0.0.1:9/v1")
    with pytest.raises(SettingError, match="no session of the model 'test-model' is open"):
        open_model(spec, {}, WORK)
    with opened(spec, tmp_path), pytest.raises(SettingError, match="item of work"):
        open_model(spec, {})


@pytest.mark.parametrize(
    ("fields", "options", "words"),
    [
        ({"model": ""}, {}, "model is not set"),
        ({"output_tokens": 0}, {}, "output_tokens is not set"),
        ({"server": "azure"}, {}, "azure_api_version is not set"),
        ({"server": "unknown"}, {}, "found 'unknown'"),
        ({"family": "unknown"}, {}, "found 'unknown'"),
        ({}, {"max_usd": 1.0}, "prices is not set"),
        ({}, {"key": "sk-\u2013 1"}, "OPENAI_API_KEY: the key holds blanks"),
    ],
)
def test_a_session_that_cannot_be_used_is_not_opened(
    fields: dict[str, Any], options: dict[str, Any], words: str, tmp_path: Path
):
    spec = spec_of("http://127.0.0.1:9/v1", **fields)
    with pytest.raises(SettingError, match=words), opened(spec, tmp_path / "r", **options):
        pass
    assert not (tmp_path / "r").exists()
