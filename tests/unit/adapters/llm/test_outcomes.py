"""What an answer of a server means (cases E1 and E5)."""

from datetime import UTC, datetime
from typing import Any

import pytest

from tasks.adapters.llm.outcomes import (
    Failed,
    Finished,
    Judgement,
    Rejected,
    Unsupported,
    Usage,
    judge,
    retry_after_seconds,
)
from tasks.adapters.llm.transport import Response

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
SENT = ("max_tokens", "temperature", "seed", "response_format")
USED = {"prompt_tokens": 40, "completion_tokens": 9, "total_tokens": 49}


def _judged(body: Any, status: int = 200, **headers: str) -> Judgement:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return judge(Response(status, named, body), SENT, NOW)


def _reply(finish_reason: str | None, usage: Any = USED, **message: Any) -> Any:
    choice = {"index": 0, "finish_reason": finish_reason, "message": message}
    return {"id": "r-1", "model": "m-1", "choices": [choice], "usage": usage}


def _error(**fields: Any) -> Any:
    return {"error": {"message": "secret words of the prompt", **fields}}


def test_a_reply_that_the_model_ended():
    assert _judged(_reply("stop", content="{}")) == Finished(
        "ok", "{}", Usage(40, 0, 9), response_id="r-1", model="m-1"
    )


@pytest.mark.parametrize("content", ['{"a": [', '{"a": 1}', None])
def test_finish_reason_length_is_truncated_whether_or_not_the_content_parses(content: str | None):
    judged = _judged(_reply("length", content=content, reasoning_content="thinking"))
    assert judged == Finished("truncated", "", Usage(40, 0, 9), "r-1", "m-1")


@pytest.mark.parametrize("choices", [[], None, [None], "x"])
def test_an_answer_without_a_choice_is_asked_for_again(choices: Any):
    judged = _judged({"choices": choices, "usage": USED})
    assert judged == Failed("blank", "an answer without a reply", usage=Usage(40, 0, 9))


@pytest.mark.parametrize("usage", [None, {"prompt_tokens": 0, "completion_tokens": 0}])
def test_empty_content_that_took_no_tokens_is_asked_for_again(usage: Any):
    judged = _judged(_reply("stop", usage, content=""))
    assert judged == Failed("blank", "an answer without a reply")


@pytest.mark.parametrize("content", ["", None])
def test_a_model_that_says_nothing_has_ended_its_reply_and_reasoning_is_none(content: str | None):
    judged = _judged(_reply("stop", content=content, reasoning_content="thinking"))
    assert judged == Finished("ok", "", Usage(40, 0, 9), "r-1", "m-1")


def test_half_a_surrogate_pair_is_replaced_and_a_whole_one_stays():
    judged = _judged(_reply("stop", content="a \ud83d b \U0001f642"))
    assert isinstance(judged, Finished)
    assert judged.content == "a \ufffd b \U0001f642"


def test_a_refusal_and_a_filter_end_the_request_and_keep_the_usage():
    refused = _judged(_reply("stop", content=None, refusal="I can't"))
    filtered = _judged(_reply("content_filter", content="cut off"))
    assert refused == Finished("refused", "", Usage(40, 0, 9), "r-1", "m-1")
    assert filtered == Finished("filtered", "", Usage(40, 0, 9), "r-1", "m-1")


@pytest.mark.parametrize(
    ("end", "outcome"),
    [
        ("STOP", "ok"),
        ("end_turn", "ok"),
        ("COMPLETE", "ok"),
        ("MAX_TOKENS", "truncated"),
        ("model_length", "truncated"),
        ("SAFETY", "filtered"),
        ("refusal", "refused"),
    ],
)
def test_the_end_of_a_reply_is_named_in_many_ways(end: str, outcome: str):
    judged = _judged(_reply(end, content="{}"))
    assert isinstance(judged, Finished)
    assert (judged.outcome, judged.content) == (outcome, "{}" if outcome == "ok" else "")


def test_texts_among_the_parts_of_a_reply_are_read_and_its_reasoning_is_not():
    parts = [
        {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]},
        {"type": "text", "text": '{"a": '},
        "no part",
        {"type": "text", "text": "1}"},
    ]
    judged = _judged(_reply("stop", content=parts))
    assert isinstance(judged, Finished)
    assert judged.content == '{"a": 1}'


def test_an_unknown_end_is_no_reply():
    judged = _judged(_reply("tool_calls", content=""))
    assert isinstance(judged, Failed)
    assert judged.cause == "blank"


def test_ids_and_names_can_be_written_whatever_the_server_sends():
    body = _reply("stop", content="{}") | {"id": "r\ud800", "model": "m\udfff"}
    judged = _judged(body)
    assert judged == Finished("ok", "{}", Usage(40, 0, 9), "r\ufffd", "m\ufffd")


@pytest.mark.parametrize("count", [10**400, 10**9 + 1, -1, True, 4.5, "40", None, [40]])
@pytest.mark.parametrize("name", ["prompt_tokens", "completion_tokens"])
def test_counts_that_no_request_takes_are_no_counts(name: str, count: Any):
    judged = _judged(_reply("stop", {**USED, name: count}, content="{}"))
    assert isinstance(judged, Finished)
    assert judged.usage is None


@pytest.mark.parametrize("status", [200, 201, 204])
def test_an_answer_of_success_that_is_no_json_may_be_billed(status: int):
    assert _judged(None, status) == Failed("unreadable", "an answer that is no JSON")


def test_cached_tokens_are_a_part_of_the_prompt():
    used = {**USED, "prompt_tokens_details": {"cached_tokens": 32}}
    judged = _judged(_reply("stop", used, content="{}"))
    assert isinstance(judged, Finished)
    assert judged.usage == Usage(40, 32, 9)


@pytest.mark.parametrize(
    ("status", "cause"),
    [
        (408, "fault"),
        (409, "fault"),
        (429, "overloaded"),
        (500, "fault"),
        (502, "fault"),
        (503, "overloaded"),
        (504, "unanswered"),
        (529, "overloaded"),
    ],
)
def test_a_status_that_may_pass_is_asked_again(status: int, cause: str):
    judged = _judged(_error(type="server_error"), status, retry_after="7")
    assert isinstance(judged, Failed)
    assert (judged.cause, judged.retry_after_seconds) == (cause, 7.0)
    assert judged.what == f"HTTP {status} server_error"


@pytest.mark.parametrize(
    ("status", "fields", "reason"),
    [
        (401, {"code": "invalid_api_key"}, "key"),
        (403, {}, "key"),
        (404, {"code": "model_not_found"}, "missing"),
        (429, {"code": "insufficient_quota"}, "quota"),
        (402, {}, "quota"),
        (307, {}, "redirect"),
        (400, {"code": "context_length_exceeded"}, "context"),
        (413, {}, "context"),
        (400, {"code": 400, "type": "exceed_context_size_error"}, "context"),
        (400, {"message": "This model's maximum context length is 4096 tokens."}, "context"),
        (400, {"message": "The decoder prompt is longer than the maximum model length"}, "context"),
        (500, {"message": "the request exceeds the available context size"}, "context"),
        (400, {"code": "invalid_value", "param": "max_tokens"}, "request"),
        (422, {}, "request"),
    ],
)
def test_a_request_that_is_rejected(status: int, fields: dict[str, Any], reason: str):
    judged = _judged(_error(**fields), status)
    assert isinstance(judged, Rejected)
    assert judged.reason == reason
    assert "secret" not in judged.what
    assert judged.what.startswith(f"HTTP {status}")


def test_words_of_the_server_are_never_repeated_but_names_are():
    judged = _judged(_error(code="invalid_value", param="messages[0].content", type="a b"), 400)
    assert judged == Rejected("request", "HTTP 400 invalid_value")
    judged = _judged(_error(code=400, param="messages", type="BadRequestError"), 400)
    assert judged == Rejected("request", "HTTP 400 BadRequestError messages")


@pytest.mark.parametrize("echoed", ["sk-c0ffee", "sk_live_4711", "C0FFEE", "Metoprolol", "smith"])
@pytest.mark.parametrize("name", ["type", "code", "param"])
def test_keys_and_words_that_a_server_echoes_as_names_are_not_repeated(name: str, echoed: str):
    judged = _judged(_error(**{name: echoed}), 401)
    assert judged == Rejected("key", "HTTP 401")


@pytest.mark.parametrize(
    ("fields", "parameter"),
    [
        ({"code": "unsupported_parameter", "param": "max_tokens"}, "max_tokens"),
        ({"code": "unsupported_value", "param": "temperature"}, "temperature"),
        ({"code": None, "param": "response_format.type", "message": "not supported"}, SENT[3]),
        ({"message": "Unsupported parameter: 'seed' is not supported with this model"}, "seed"),
        ({"message": "This response_format type is unavailable now"}, "response_format"),
    ],
)
def test_a_parameter_that_the_model_does_not_take(fields: dict[str, Any], parameter: str):
    assert _judged(_error(**fields), 400) == Unsupported(parameter)


def test_a_refused_parameter_that_was_not_sent_rejects_the_request():
    judged = _judged(_error(code="unsupported_parameter", param="top_k"), 400)
    assert isinstance(judged, Rejected)


def test_a_prompt_filter_ends_the_request():
    judged = _judged(_error(code="content_filter", param="prompt"), 400)
    assert judged == Finished("filtered", usage=Usage(0, 0, 0))


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "12"}, 12.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after": "Fri, 02 Jan 2026 03:04:35 GMT"}, 30.0),
        ({"retry-after": "Fri, 02 Jan 2026 03:04:00 GMT"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": f"Fri, 02 Jan {'9' * 30} 03:04:35 GMT"}, None),
        ({"retry-after": f"Fri, 02 Jan 2026 03:04:35 +{'9' * 20}"}, None),
    ],
)
def test_how_long_a_server_asks_to_wait(headers: dict[str, str], seconds: float | None):
    assert retry_after_seconds(headers, NOW) == seconds
