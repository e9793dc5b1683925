"""What an answer of a Chat Completions server means. Words of the server never go further: an
error may quote the prompt."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Literal, cast

from tasks.adapters.llm.error_bodies import ServerError, holds_error, read_error
from tasks.adapters.llm.reply_store import ReplyOutcome
from tasks.adapters.llm.transport import Response

Json = Mapping[str, Any]


@dataclass(frozen=True)
class Usage:
    """Tokens as the server reports them."""

    input_tokens: int
    cached_input_tokens: int
    output_tokens: int


@dataclass(frozen=True)
class Finished:
    """A reply that the model ended; the content is empty unless ``ok``."""

    outcome: ReplyOutcome
    content: str = field(default="", repr=False)
    usage: Usage | None = None
    response_id: str | None = None
    model: str | None = None


@dataclass(frozen=True)
class Failed:
    """A request that may succeed when asked again.

    overloaded: the server has too many · unreachable: there was no connection · unanswered: the
    request was sent, and may be billed · blank: an answer of success without a reply, also billed ·
    unreadable: one that is no JSON, also billed · fault: the server failed.
    """

    cause: Literal["overloaded", "unreachable", "unanswered", "blank", "unreadable", "fault"]
    what: str
    retry_after_seconds: float | None = None
    usage: Usage | None = None


@dataclass(frozen=True)
class Unsupported:
    """The model doesn't take one of the parameters."""

    parameter: str


@dataclass(frozen=True)
class Rejected:
    """A request that won't succeed: ``context`` more than the model reads · ``request`` the server
    can't process it · the others hold for every request.
    """

    reason: Literal["context", "request", "key", "missing", "quota", "redirect"]
    what: str


Judgement = Finished | Failed | Unsupported | Rejected

_ENDED = ("", "stop", "eos", "eos_token", "end_turn", "stop_sequence", "complete")
_CUT = ("length", "max_tokens", "model_length", "max_output_tokens")
_FILTERED = ("content_filter", "safety", "prohibited_content", "recitation", "sensitive")
_OVERLOADED = (429, 503, 529)
_TRANSIENT = (408, 409, 425)
_NO_REPLY = "an answer without a reply"
_NAME = re.compile(r"(?=.{1,60}\Z)(?:[a-z]+(?:_[a-z]+)+|(?:[A-Z][a-z]+){2,})")
"""``rate_limit_exceeded``, ``BadRequestError``: no word of a prompt and no key looks so."""
_KNOWN = ("model", "messages", "requests", "tokens")
_SURROGATE = re.compile("[\ud800-\udfff]")
_MOST_TOKENS = 10**9
"""More than any request takes, and little enough for every table and sum."""


def judge(response: Response, sent: Collection[str], now: datetime) -> Judgement:
    """What a response means; ``sent`` are the parameters of the request that can be changed."""
    if 200 <= response.status < 300:
        return _judge_reply(response, sent, now)
    return _judge_error(response, sent, now)


def _judge_reply(response: Response, sent: Collection[str], now: datetime) -> Judgement:
    body = response.body
    if not isinstance(body, dict):
        return Failed("unreadable", "an answer that is no JSON")
    usage = _usage(body)
    choice = _first_choice(body)
    if choice is None:
        return _judge_hidden_error(response, sent, now) or Failed("blank", _NO_REPLY, usage=usage)
    message = _mapping(choice.get("message"))
    reason = choice.get("finish_reason")
    end = reason.lower() if isinstance(reason, str) else "" if reason is None else "?"
    name, response_id = _text(body.get("model")), _text(body.get("id"))
    if end in _CUT:
        return Finished("truncated", "", usage, response_id, name)
    if end in _FILTERED:
        return Finished("filtered", "", usage, response_id, name)
    if end == "refusal" or _text(message.get("refusal")):
        return Finished("refused", "", usage, response_id, name)
    content = _content(message.get("content"))
    if end not in _ENDED or (not content and (usage is None or not usage.output_tokens)):
        return Failed("blank", _NO_REPLY, usage=usage)
    return Finished("ok", content, usage, response_id, name)


def _judge_hidden_error(
    response: Response, sent: Collection[str], now: datetime
) -> Judgement | None:
    """What an error means that gateways send with a status of success.

    None where it names no status, and for a failure of the server: it may be billed.
    """
    status = read_error(response.body).status if holds_error(response.body) else None
    if status is None:
        return None
    judged = _judge_error(replace(response, status=status), sent, now)
    return None if isinstance(judged, Failed) and judged.cause != "overloaded" else judged


def _judge_error(response: Response, sent: Collection[str], now: datetime) -> Judgement:
    status, error = response.status, read_error(response.body)
    what = _named(status, error, sent)
    if status == 402 or error.is_quota:
        return Rejected("quota", what)
    if status < 400:
        return Rejected("redirect", what)
    if status in _OVERLOADED or status in _TRANSIENT or status >= 500:
        if error.exceeds_context:
            return Rejected("context", what)
        if status == 500 and "response_format" in sent and error.is_about_the_schema:
            return Unsupported("response_format")
        return Failed(_cause(status), what, retry_after_seconds(response.headers, now))
    return _judge_refusal(status, error, what, sent)


def _judge_refusal(status: int, error: ServerError, what: str, sent: Collection[str]) -> Judgement:
    """What an error means that says the request is at fault."""
    if error.is_filter:
        return Finished("filtered", usage=Usage(0, 0, 0))
    if status in (401, 403) or error.is_key:
        return Rejected("key", what)
    if status == 413 or error.exceeds_context:
        return Rejected("context", what)
    if status in (404, 405, 410) or error.is_missing_model:
        return Rejected("missing", what)
    if error.is_failed_json:
        return Failed("blank", what)
    parameter = error.unsupported(sent)
    return Unsupported(parameter) if parameter else Rejected("request", what)


def retry_after_seconds(headers: Mapping[str, str], now: datetime) -> float | None:
    """How long the server asks to wait; None where it doesn't say, or nothing that can be read."""
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    value = headers.get("retry-after")
    seconds = _number(value)
    if seconds is not None or value is None:
        return seconds
    try:
        until = parsedate_to_datetime(value)
    except (ValueError, OverflowError):
        return None
    return max(0.0, (until.replace(tzinfo=until.tzinfo or UTC) - now).total_seconds())


def _cause(status: int) -> Literal["overloaded", "unanswered", "fault"]:
    if status in _OVERLOADED:
        return "overloaded"
    # A gateway that gave up waiting: the model behind it may have answered.
    return "unanswered" if status == 504 else "fault"


def _number(value: str | None) -> float | None:
    if value is None or not re.fullmatch(r"\s*\d{1,9}(?:\.\d{0,9})?\s*", value, re.ASCII):
        return None
    return float(value)


def _named(status: int, error: ServerError, sent: Collection[str]) -> str:
    """``HTTP 400 invalid_request_error`` with what the error's fields name, and no sentence."""
    plain = dict.fromkeys(
        name
        for name in (error.kind, error.code, error.parameter)
        if _NAME.fullmatch(name) or name in (*sent, *_KNOWN)
    )
    return " ".join([f"HTTP {status}", *plain])


def _first_choice(body: Any) -> Json | None:
    choices = _mapping(body).get("choices")
    if not isinstance(choices, list) or not choices:
        return None
    return _mapping(cast("list[object]", choices)[0]) or None


def _usage(body: Any) -> Usage | None:
    usage = _mapping(_mapping(body).get("usage"))
    given, written = _count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens"))
    if not given or written is None:
        return None
    details = _mapping(usage.get("prompt_tokens_details"))
    return Usage(given, min(given, _count(details.get("cached_tokens")) or 0), written)


def _count(value: object) -> int | None:
    """A number of tokens; None for what can't be one."""
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return value if 0 <= value <= _MOST_TOKENS else None


def _mapping(value: object) -> Json:
    return cast("Json", value) if isinstance(value, dict) else {}


def _content(value: object) -> str:
    """What the model wrote: one text, or the texts among parts such as its reasoning."""
    if not isinstance(value, list):
        return _text(value) or ""
    parts = [_mapping(part) for part in cast("list[object]", value)]
    return "".join(_text(part.get("text")) or "" for part in parts if part.get("type") == "text")


def _text(value: object) -> str | None:
    """A text that can be written: half a surrogate pair becomes U+FFFD. None for no text."""
    return _SURROGATE.sub("\ufffd", value) if isinstance(value, str) and value else None
