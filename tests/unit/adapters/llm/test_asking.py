"""Asking a server over HTTP: what is sent, what comes back, what ends a request."""

import json
from pathlib import Path

import pytest

from tasks.contracts.chat import Exchange
from tasks.contracts.dialogue import TokenUsage
from tasks.contracts.errors import (
    BudgetSpent,
    ModelFailed,
    ProviderUnavailable,
    ReplyMalformed,
    SettingError,
)
from tests.servers.faults import Fault
from tests.servers.requests import ModelRules
from tests.servers.writers import EchoWriter
from tests.unit.adapters.llm.serving import Serve
from tests.unit.adapters.llm.sessions import WORK, FakeTime, opened, request, spec_of


def test_what_is_sent_and_what_comes_back(tmp_path: Path, serve: Serve):
    time = FakeTime()
    with serve() as server, opened(spec_of(server.base_url), tmp_path, time) as session:
        model = session.handle(WORK)
        asked = request("Write.", exchanges=(Exchange("{}", "Field text is missing."),), attempt=2)
        reply = model.complete(asked)
    assert server.requests[0].body == {
        "model": "test-model",
        "messages": [
            {"role": "system", "content": "You write."},
            {"role": "user", "content": "Write."},
            {"role": "assistant", "content": "{}"},
            {"role": "user", "content": "Field text is missing."},
        ],
        "response_format": {
            "type": "json_schema",
            "json_schema": {
                "name": "Answer",
                "strict": True,
                "schema": {
                    "type": "object",
                    "description": "What the tests ask for.",
                    "properties": {"text": {"type": "string"}},
                    "required": ["text"],
                    "additionalProperties": False,
                },
            },
        },
        "max_tokens": 512,
        "temperature": 0.5,
        "seed": 9,
    }
    assert reply.parsed.text == "hello"
    assert reply.request_timestamp == "2026-01-02T03:04:05+00:00"
    assert reply.response_id == "chatcmpl-test00000000"
    assert (model.provider, model.model, model.temperature) == ("openai", "test-model", 0.5)
    assert model.used == reply.usage


def test_a_smaller_output_limit_of_the_request_counts_and_a_larger_does_not(
    tmp_path: Path, serve: Serve
):
    with serve() as server, opened(spec_of(server.base_url), tmp_path) as session:
        for limit in (100, 4000):
            session.handle(WORK).complete(request(maximum_output_tokens=limit))
    assert [sent.body["max_tokens"] for sent in server.requests] == [100, 512]


def test_a_key_that_was_not_sent_is_told_apart_from_a_wrong_one(tmp_path: Path, serve: Serve):
    for key, said in (("", "OPENAI_API_KEY is not set"), ("sk-other", "refuses the key")):
        with (
            serve() as server,
            opened(spec_of(server.base_url), tmp_path, key=key) as session,
            pytest.raises(ProviderUnavailable, match=said) as stopped,
        ):
            session.handle(WORK).complete(request())
        assert str(stopped.value).endswith("put it right and run again")


def test_what_was_answered_in_earlier_sessions_is_reported_too(tmp_path: Path, serve: Serve):
    with serve() as server:
        for text in ("One.", "Two."):
            with opened(spec_of(server.base_url), tmp_path) as session:
                reply = session.handle(WORK).complete(request(text))
                kept, usage = session.kept_usage(), session.usage()
    assert usage.total.requests == 1
    assert kept.requests == 2
    assert kept.output_tokens == 2 * (reply.usage.output_tokens or 0) > 0


def test_a_thinking_model_keeps_its_whole_output_limit(tmp_path: Path, serve: Serve):
    with serve() as server:
        spec = spec_of(server.base_url, family="reasoning")
        with opened(spec, tmp_path) as session:
            session.handle(WORK).complete(request(maximum_output_tokens=100))
    assert server.requests[0].body["max_completion_tokens"] == 512


def test_without_a_schema_the_shape_stands_in_the_system_message(tmp_path: Path, serve: Serve):
    with serve() as server:
        spec = spec_of(server.base_url, server="plain", family="reasoning")
        with opened(spec, tmp_path) as session:
            model = session.handle(WORK)
            model.complete(request())
    body = server.requests[0].body
    assert "response_format" not in body
    assert '"text"' in body["messages"][0]["content"]
    assert body["max_completion_tokens"] == 512
    assert not {"temperature", "seed", "max_tokens"} & body.keys()
    assert model.temperature is None


@pytest.mark.parametrize(
    ("fault", "outcome"),
    [
        (Fault.REFUSAL, "refused"),
        (Fault.CONTENT_FILTER, "filtered"),
        (Fault.CONTENT_FILTER_400, "filtered"),
    ],
)
def test_a_refusal_or_filter_ends_the_item_is_kept_and_keeps_its_usage(
    fault: Fault, outcome: str, tmp_path: Path, serve: Serve
):
    with serve(fault) as server:
        for _ in range(2):
            with opened(spec_of(server.base_url), tmp_path) as session:
                model = session.handle(WORK)
                with pytest.raises(ModelFailed) as failed:
                    model.complete(request())
                assert failed.value.outcome == outcome
                counted = fault is not Fault.CONTENT_FILTER_400
                assert model.used.input_tokens == server.requests[0].input_tokens * counted
    assert len(server.requests) == 1


@pytest.mark.parametrize("fault", [Fault.LENGTH, Fault.LENGTH_WHOLE])
def test_a_truncated_reply_is_asked_for_once_more_with_twice_the_limit(
    fault: Fault, tmp_path: Path, serve: Serve
):
    with (
        serve(fault, None) as server,
        opened(spec_of(server.base_url), tmp_path) as session,
    ):
        assert session.handle(WORK).complete(request()).parsed.text == "hello"
    assert [sent.body["max_tokens"] for sent in server.requests] == [512, 1024]


def test_a_reply_truncated_twice_fails_and_nothing_of_it_is_kept(tmp_path: Path, serve: Serve):
    with serve(Fault.LENGTH_WHOLE, Fault.LENGTH_WHOLE) as server:
        for _ in range(2):
            with opened(spec_of(server.base_url), tmp_path) as session:
                model = session.handle(WORK)
                with pytest.raises(
                    ModelFailed, match=r"output limit \(\d+ prompt tokens"
                ) as failed:
                    model.complete(request())
                assert failed.value.outcome == "truncated"
                written = sum(sent.output_tokens for sent in server.requests)
                assert model.used.output_tokens == written
    assert len(server.requests) == 2
    kept = [json.loads(path.read_text()) for path in tmp_path.rglob("*.json")]
    assert [one["content"] for one in kept] == ["", ""]


def test_a_truncated_reply_is_final_where_the_context_holds_no_more(tmp_path: Path, serve: Serve):
    spec = {"context_tokens": 516}
    with (
        serve(Fault.LENGTH) as server,
        opened(spec_of(server.base_url, **spec), tmp_path) as session,
        pytest.raises(ModelFailed) as failed,
    ):
        session.handle(WORK).complete(request())
    assert failed.value.outcome == "truncated"
    assert len(server.requests) == 1


def test_a_prompt_beyond_the_context_is_not_sent(tmp_path: Path, serve: Serve):
    with (
        serve() as server,
        opened(spec_of(server.base_url, context_tokens=700), tmp_path) as session,
    ):
        with pytest.raises(ModelFailed, match="about 504 tokens and the reply 512") as failed:
            session.handle(WORK).complete(request("word " * 500))
        session.handle(WORK).complete(request("word " * 400))
    assert failed.value.outcome == "context_too_long"
    assert [sent.body["max_tokens"] for sent in server.requests] == [296]


def test_a_context_that_the_server_knows_to_be_smaller(tmp_path: Path, serve: Serve):
    with (
        serve(Fault.CONTEXT_TOO_LONG) as server,
        opened(spec_of(server.base_url), tmp_path) as session,
        pytest.raises(ModelFailed) as failed,
    ):
        session.handle(WORK).complete(request())
    assert failed.value.outcome == "context_too_long"
    assert len(server.requests) == 1


def test_a_prompt_that_the_server_cut_is_found_and_not_kept(tmp_path: Path, serve: Serve):
    with (
        serve(Fault.PROMPT_CUT, None) as server,
        opened(spec_of(server.base_url), tmp_path) as session,
    ):
        model = session.handle(WORK)
        with pytest.raises(ModelFailed, match=r"read \d+ of about 1004 prompt tokens") as failed:
            model.complete(request("word " * 1000))
        assert model.complete(request("word " * 1000)).parsed.text == "hello"
    assert failed.value.outcome == "prompt_cut"
    assert len(server.requests) == 2


def test_tokens_that_the_server_does_not_name_are_counted_and_marked(tmp_path: Path, serve: Serve):
    with (
        serve(Fault.NO_USAGE) as server,
        opened(spec_of(server.base_url), tmp_path) as session,
    ):
        reply = session.handle(WORK).complete(request())
        total = session.usage().total
    assert reply.usage == TokenUsage(input_tokens=5, output_tokens=6)
    assert (total.estimated, total.input_tokens, total.output_tokens) == (1, 5, 6)


def test_a_reply_without_content_is_given_up_after_three_bills(tmp_path: Path, serve: Serve):
    with (
        serve(shares={Fault.CHOICES_EMPTY: 1}) as server,
        opened(spec_of(server.base_url), tmp_path, FakeTime()) as session,
    ):
        with pytest.raises(ModelFailed, match="answered 3 times without a reply") as failed:
            session.handle(WORK).complete(request())
        total = session.usage().total
    assert failed.value.outcome == "transient"
    assert total.input_tokens == sum(sent.input_tokens for sent in server.requests) > 0
    assert (total.requests, total.failed_attempts) == (0, 3)


@pytest.mark.parametrize("fault", [Fault.NOT_JSON, Fault.CUT_JSON])
def test_a_server_whose_answers_are_no_json_is_given_up_after_six_bills(
    fault: Fault, tmp_path: Path, serve: Serve
):
    with (
        serve(shares={fault: 1}) as server,
        opened(spec_of(server.base_url), tmp_path, FakeTime()) as session,
        pytest.raises(ProviderUnavailable, match=r"an answer that is no JSON.*base_url"),
    ):
        session.handle(WORK).complete(request())
    assert len(server.requests) == 6


@pytest.mark.parametrize("content", ["no JSON", '{"text": 5}', '{"text": "a"}'])
def test_a_reply_of_another_shape_is_kept_and_goes_back_to_the_domain(
    content: str, tmp_path: Path, serve: Serve
):
    with serve(writer=lambda _: content) as server:
        for _ in range(2):
            with opened(spec_of(server.base_url), tmp_path, FakeTime()) as session:
                model = session.handle(WORK)
                with pytest.raises(ReplyMalformed) as failed:
                    model.complete(request())
                assert failed.value.content == content
    assert len(server.requests) == 1


def test_refused_parameters_are_adapted_once_and_for_the_whole_session(
    tmp_path: Path, serve: Serve, caplog: pytest.LogCaptureFixture
):
    rules = ModelRules(refuses=frozenset({"max_tokens", "temperature"}))
    with (
        serve(models={"test-model": rules}) as server,
        opened(spec_of(server.base_url), tmp_path) as session,
    ):
        for task in ("One.", "Two."):
            session.handle(WORK).complete(request(task))
    parameters = [
        {"max_tokens", "max_completion_tokens", "temperature"} & sent.body.keys()
        for sent in server.requests
    ]
    assert parameters == [
        {"max_tokens", "temperature"},
        {"max_completion_tokens", "temperature"},
        {"max_completion_tokens"},
        {"max_completion_tokens"},
    ]
    told = [record.getMessage() for record in caplog.records]
    assert len(told) == 2
    assert "Choose a model_family that says so (now 'chat')" in told[0]


def test_a_parameter_that_is_refused_in_every_way_fails_without_a_loop(
    tmp_path: Path, serve: Serve
):
    rules = ModelRules(refuses=frozenset({"max_tokens", "max_completion_tokens"}))
    with (
        serve(models={"test-model": rules}) as server,
        opened(spec_of(server.base_url), tmp_path) as session,
        pytest.raises(ModelFailed, match="refuses the parameter max_completion_tokens") as failed,
    ):
        session.handle(WORK).complete(request())
    assert failed.value.outcome == "permanent"
    assert len(server.requests) == 2


def test_a_budget_stops_before_the_request_that_could_exceed_it(tmp_path: Path, serve: Serve):
    with (
        serve(writer=EchoWriter()) as server,
        opened(spec_of(server.base_url), tmp_path, max_tokens=1500) as session,
    ):
        done = 0
        with pytest.raises(BudgetSpent, match=r"of --max-tokens 1500 are spent"):
            for number in range(100):
                session.handle(WORK).complete(request(f"Write {number}."))
                done += 1
        total = session.usage().total
    assert done == len(server.requests) > 10
    assert total.input_tokens + total.output_tokens <= 1500


def test_an_unanswered_request_stays_spent_at_its_worst_case(tmp_path: Path, serve: Serve):
    # The worst case is 512 tokens of reply, 5 of messages and less than 100 around them.
    with (
        serve(Fault.CUT_BODY, None) as server,
        opened(spec_of(server.base_url), tmp_path, FakeTime(), max_tokens=1150) as session,
        pytest.raises(BudgetSpent),
    ):
        session.handle(WORK).complete(request())
    assert len(server.requests) == 1


def test_two_sessions_of_one_model_are_not_open_at_once(tmp_path: Path):
    spec = spec_of("http://127.0.0.1:9/v1")
    with (
        opened(spec, tmp_path),
        pytest.raises(SettingError, match="is open"),
        opened(spec, tmp_path),
    ):
        pass
