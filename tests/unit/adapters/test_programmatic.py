import pytest

from tasks.adapters.models import ModelSpec, open_model
from tasks.adapters.programmatic import ProgrammaticModel
from tasks.contracts.base import Contract
from tasks.contracts.chat import ChatRequest
from tasks.contracts.errors import ItemFailed, SettingError


class Number(Contract):
    value: int


class Doubled(Contract):
    value: int


def double(number: Number) -> Doubled:
    return Doubled(value=2 * number.value)


def test_the_reply_is_computed_from_the_payload() -> None:
    model = ProgrammaticModel(rules={Doubled: double}, version="1")
    reply = model.complete(ChatRequest(lambda: ("system", "task"), Number(value=21), Doubled))
    assert reply.parsed == Doubled(value=42)


def test_it_reports_no_tokens_times_or_ids() -> None:
    model = ProgrammaticModel(rules={Doubled: double}, version="1")
    reply = model.complete(ChatRequest(lambda: ("system", "task"), Number(value=1), Doubled))
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (None, None)
    assert (reply.request_timestamp, reply.response_id, reply.latency_ms) == (None, None, None)


def test_a_request_without_rules_fails_by_name() -> None:
    model = ProgrammaticModel(rules={}, version="1")
    with pytest.raises(ItemFailed, match="no rules for Doubled"):
        model.complete(ChatRequest(lambda: ("system", "task"), Number(value=1), Doubled))


def test_an_unknown_provider_is_refused_with_the_choice() -> None:
    with pytest.raises(SettingError, match="'oracle' is not known; choose one of: programmatic"):
        open_model(ModelSpec(provider="oracle"), {})
