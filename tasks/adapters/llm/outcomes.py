"""What an answer of a Chat Completions server means. Words of the server never go further: an
error may quote the prompt."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Literal, cast

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

_ENDED = (None, "stop", "eos", "eos_token", "end_turn", "stop_sequence")
_CUT = ("length", "max_tokens")
_OVERLOADED = (429, 503, 529)
_TRANSIENT = (408, 409, 425)
_FILTER_CODES = ("content_filter", "content_policy_violation", "invalid_prompt")
_UNSUPPORTED_CODES = ("unsupported_parameter", "unsupported_value")
_UNSUPPORTED_WORDS = re.compile(
    r"unsupported|not supported|unavailable|unrecognized|unknown|extra_forbidden|not permitted",
    re.IGNORECASE,
)
_CONTEXT_WORDS = re.compile(
    r"context[ _](?:length|size|window)|maximum model length|max_model_len|prompt is too long",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?=.{1,60}\Z)(?:[a-z]+(?:_[a-z]+)+|(?:[A-Z][a-z]+){2,})")
"""``rate_limit_exceeded``, ``BadRequestError``: no word of a prompt and no key looks so."""
_KNOWN = ("model", "messages", "requests", "tokens")
_SURROGATE = re.compile("[\ud800-\udfff]")
_MOST_TOKENS = 10**9
"""More than any request takes, and little enough for every table and sum."""


def judge(response: Response, sent: Collection[str], now: datetime) -> Judgement:
    """What a response means; ``sent`` are the parameters of the request that can be changed."""
    if 200 <= response.status < 300:
        return _judge_reply(response.body)
    return _judge_error(response, sent, now)


def _judge_reply(body: Any) -> Judgement:
    if not isinstance(body, dict):
        return Failed("unreadable", "an answer that is no JSON")
    usage = _usage(body)
    choice = _first_choice(body)
    if choice is None:
        return Failed("blank", "an answer without a reply", usage=usage)
    message = _mapping(choice.get("message"))
    reason = choice.get("finish_reason")
    name, response_id = _text(body.get("model")), _text(body.get("id"))
    if reason in _CUT:
        return Finished("truncated", "", usage, response_id, name)
    if reason == "content_filter":
        return Finished("filtered", "", usage, response_id, name)
    if _text(message.get("refusal")):
        return Finished("refused", "", usage, response_id, name)
    content = _text(message.get("content")) or ""
    if reason not in _ENDED or (not content and (usage is None or not usage.output_tokens)):
        return Failed("blank", "an answer without a reply", usage=usage)
    return Finished("ok", content, usage, response_id, name)


def _judge_error(response: Response, sent: Collection[str], now: datetime) -> Judgement:
    status, error = response.status, _error(response.body)
    what = _named(status, error, sent)
    words = f"{error.get('type')} {error.get('message')}"
    if status == 402 or "insufficient_quota" in (error.get("code"), error.get("type")):
        return Rejected("quota", what)
    if status in _OVERLOADED or status in _TRANSIENT or status >= 500:
        if _exceeds_context(error, words):
            return Rejected("context", what)
        return Failed(_cause(status), what, retry_after_seconds(response.headers, now))
    if status < 400:
        return Rejected("redirect", what)
    if status in (401, 403):
        return Rejected("key", what)
    if error.get("code") in _FILTER_CODES:
        return Finished("filtered", usage=Usage(0, 0, 0))
    if status == 413 or _exceeds_context(error, words):
        return Rejected("context", what)
    if status in (404, 405):
        return Rejected("missing", what)
    parameter = _unsupported(error, sent)
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


def _exceeds_context(error: Json, words: str) -> bool:
    if error.get("code") == "context_length_exceeded":
        return True
    return error.get("type") == "exceed_context_size_error" or bool(_CONTEXT_WORDS.search(words))


def _unsupported(error: Json, sent: Collection[str]) -> str | None:
    """The parameter that a model doesn't take, by the error's code or else by its words."""
    parameter = str(error.get("param") or "").split(".")[0]
    message = str(error.get("message") or "")
    named = parameter if parameter in sent else _mentioned(message, sent)
    if error.get("code") in _UNSUPPORTED_CODES or _UNSUPPORTED_WORDS.search(message):
        return named
    return None


def _mentioned(message: str, names: Collection[str]) -> str | None:
    return next((one for one in names if re.search(rf"\b{re.escape(one)}\b", message)), None)


def _named(status: int, error: Json, sent: Collection[str]) -> str:
    """``HTTP 400 invalid_request_error`` with what the error's fields name, and no sentence."""
    names = [str(error.get(field) or "") for field in ("type", "code", "param")]
    plain = dict.fromkeys(
        name for name in names if _NAME.fullmatch(name) or name in (*sent, *_KNOWN)
    )
    return " ".join([f"HTTP {status}", *plain])


def _error(body: Any) -> Json:
    inner = _mapping(body).get("error")
    return _mapping(inner) or _mapping(body)


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


def _text(value: object) -> str | None:
    """A text that can be written: half a surrogate pair becomes U+FFFD. None for no text."""
    return _SURROGATE.sub("\ufffd", value) if isinstance(value, str) and value else None
