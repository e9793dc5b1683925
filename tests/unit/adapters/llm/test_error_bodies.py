"""Errors as servers word them, each in its own shape (cases E1, E3 and E5)."""

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
)
from tasks.adapters.llm.transport import Response

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
SENT = ("max_tokens", "temperature", "seed", "response_format")


def _judged(status: int, body: Any) -> Judgement:
    return judge(Response(status, {"retry-after": "7"}, body), SENT, NOW)


def _error(message: str, **fields: Any) -> Any:
    return {"error": {"message": message, **fields}}


LM_STUDIO_CONTEXT = (
    "Trying to keep the first 5013 tokens when context the overflows. However, the model is loaded "
    "with context length of only 4096 tokens, which is not enough."
)
TGI_CONTEXT = "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096."
GEMINI_CONTEXT = (
    "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."
)
XAI_CONTEXT = "This model's maximum prompt length is 131072 but the request contains 140000 tokens."
ANTHROPIC_CONTEXT = "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000"
COHERE_CONTEXT = "too many tokens: total number of tokens in the prompt cannot exceed 4081"
OPENAI_RATE_CONTEXT = "Request too large for m on tokens per min (TPM): Limit 30000"


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (400, {"error": LM_STUDIO_CONTEXT}),
        (500, {"error": "the input length exceeds the context length"}),
        (422, {"error": TGI_CONTEXT, "error_type": "validation"}),
        (422, {"error": "Input validation error: `inputs` must have less than 4095 tokens."}),
        (400, [_error(GEMINI_CONTEXT, code=400, status="INVALID_ARGUMENT")]),
        (400, {"code": "Client specified an invalid argument", "error": XAI_CONTEXT}),
        (400, {"type": "error", **_error(ANTHROPIC_CONTEXT, type="invalid_request_error")}),
        (400, {"message": "Input is too long for requested model."}),
        (400, {"message": COHERE_CONTEXT}),
        (400, _error("Invalid: string too long.", code="string_above_max_length")),
        (429, _error(OPENAI_RATE_CONTEXT, type="tokens", code="rate_limit_exceeded")),
        (200, _error("This model's maximum context length is 4096 tokens.", code=400)),
        (200, {"object": "error", "message": "maximum context length is 10", "code": 400}),
    ],
)
def test_a_prompt_that_is_too_long_is_told_in_many_ways(status: int, body: Any):
    judged = _judged(status, body)
    assert isinstance(judged, Rejected)
    assert judged.reason == "context"


@pytest.mark.parametrize(
    "words",
    ["Too many tokens, please wait before trying again.", "Rate limit reached for requests"],
)
def test_too_many_requests_are_no_prompt_that_is_too_long(words: str):
    judged = _judged(429, _error(words))
    assert isinstance(judged, Failed)
    assert (judged.cause, judged.retry_after_seconds) == ("overloaded", 7.0)


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (400, {"error": "'response_format.type' must be 'json_schema' or 'text'"}),
        (400, _error("Invalid schema: 'required' is missing.", param="response_format")),
        (400, _error("response_format json_schema is enabled only for api versions 2024-08-01")),
        (400, _error("'messages' must contain 'json' to use 'response_format'", param="messages")),
        (400, {"message": "The provided JSON schema contains features not supported by xgrammar."}),
        (400, _error("Failed to initialize samplers: failed to parse grammar", code=400)),
        (500, _error("JSON schema conversion failed: Unrecognized schema", code=500)),
        (400, [_error("Unknown name 'x' at 'generation_config.response_schema'", code=400)]),
    ],
)
def test_a_schema_that_a_server_can_not_hold_replies_to(status: int, body: Any):
    assert _judged(status, body) == Unsupported("response_format")


@pytest.mark.parametrize(
    ("body", "parameter"),
    [
        ({"detail": [{"loc": ["body", "seed"], "msg": "Extra inputs", "input": "temperature"}]}, 1),
        ({"message": {"detail": [{"type": "extra_forbidden", "loc": ["body", "seed"]}]}}, 1),
        ({"detail": "seed is not supported"}, 1),
        ([_error('Unknown name "seed": Cannot find field.', code=400)], 1),
        (_error("invalid temperature: only 1 is allowed for this model"), 0),
        (_error("`temperature` is deprecated for this model."), 0),
    ],
)
def test_a_parameter_that_a_server_names_in_its_own_way(body: Any, parameter: int):
    assert _judged(422, body) == Unsupported(("temperature", "seed")[parameter])


def test_an_output_limit_that_is_too_large_is_no_unknown_parameter():
    words = "max_tokens is too large: 32768. This model supports at most 16384 completion tokens."
    judged = _judged(400, _error(words, param="max_tokens", code="invalid_value"))
    assert isinstance(judged, Rejected)
    assert judged.reason == "request"


@pytest.mark.parametrize(
    ("status", "body", "reason"),
    [
        (400, [_error("API key not valid. Please pass a valid API key.", code=400)], "key"),
        (400, {"code": "An invalid argument", "error": "Incorrect API key provided: x*."}, "key"),
        (400, _error("x", code="invalid_api_key"), "key"),
        (200, _error("No auth credentials found", code=401), "key"),
        (400, _error("Model Not Exist", code="invalid_request_error"), "missing"),
        (400, _error("invalid model ID", code="model_not_found"), "missing"),
        (400, _error("vendor/model is not a valid model ID", code=400), "missing"),
        (400, _error("Invalid model name passed in model=m.", code="400"), "missing"),
        (410, _error("The model was retired."), "missing"),
        (200, _error("Insufficient credits", code=402), "quota"),
    ],
)
def test_what_holds_for_every_request_is_seen_behind_other_statuses(
    status: int, body: Any, reason: str
):
    judged = _judged(status, body)
    assert isinstance(judged, Rejected)
    assert judged.reason == reason


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (400, _error("x", innererror={"code": "ResponsibleAIPolicyViolation"})),
        (403, _error("Input was flagged", code=403, metadata={"flagged_input": "…"})),
    ],
)
def test_a_filtered_prompt_is_no_refused_key(status: int, body: Any):
    assert _judged(status, body) == Finished("filtered", usage=Usage(0, 0, 0))


def test_too_many_requests_behind_a_status_of_success_are_asked_again_as_such():
    judged = _judged(200, _error("Rate limited", code=429))
    assert judged == Failed("overloaded", "HTTP 429", retry_after_seconds=7.0)


@pytest.mark.parametrize(
    "body", [_error("upstream failed", code=502), {"error": "failed"}, {"error": {"code": 200}}]
)
def test_other_errors_behind_a_status_of_success_may_be_billed(body: Any):
    assert _judged(200, body) == Failed("blank", "an answer without a reply")


def test_a_model_that_wrote_no_json_though_it_was_held_to_it_is_asked_again():
    judged = _judged(400, _error("Failed to generate JSON.", code="json_validate_failed"))
    assert judged == Failed("blank", "HTTP 400 json_validate_failed")


@pytest.mark.parametrize(
    "body",
    [
        None,
        7,
        "words",
        [],
        [7],
        {"error": None},
        {"error": []},
        {"error": {"message": [7, {"msg": None}], "code": {}, "type": [], "param": True}},
        {"detail": {"loc": 7}},
    ],
)
def test_bodies_that_say_nothing_reject_the_request(body: Any):
    assert _judged(400, body) == Rejected("request", "HTTP 400")
