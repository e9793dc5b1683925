"""Reads the bodies in which servers tell errors: one meaning, many shapes and wordings.

A wording counts only where no field says it. What is read here is never repeated to anybody: it
may quote the prompt or the key.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

Json = Mapping[str, Any]

_MOST_CHARACTERS = 2000
"""Of a message; what follows is mostly the request, repeated."""

_SAID_IN = ("message", "msg", "detail", "loc", "type")
_OUTPUT_LIMITS = ("max_tokens", "max_completion_tokens")

_FILTER_CODES = (
    "content_filter",
    "content_policy_violation",
    "invalid_prompt",
    "ResponsibleAIPolicyViolation",
)
_KEY_CODES = ("invalid_api_key", "API_KEY_INVALID")
_UNSUPPORTED_CODES = ("unsupported_parameter", "unsupported_value")

_CONTEXT_WORDS = re.compile(
    r"context[ _](?:length|size|window|limit)|when context the overflows"
    r"|maximum (?:model|prompt) length|max_model_len"
    r"|(?:prompt|input) is too (?:long|large)|request too large for|string too long"
    r"|input token count|tokens in the prompt cannot exceed"
    r"|max_new_tokens` must be|must have less than \d+ tokens",
    re.IGNORECASE,
)
_KEY_WORDS = re.compile(r"(?:incorrect|invalid) api key|api key not valid", re.IGNORECASE)
_MODEL_WORDS = re.compile(
    r"model not exist|invalid model (?:name|id)|is not a valid model id", re.IGNORECASE
)
_UNSUPPORTED_WORDS = re.compile(
    r"unsupported|not supported|unavailable|unrecognized|unknown|extra_forbidden|not permitted",
    re.IGNORECASE,
)
_SCHEMA_WORDS = re.compile(
    r"json[ _]?schema|response[ _]?(?:schema|format)|grammar|structured output", re.IGNORECASE
)


@dataclass(frozen=True)
class ServerError:
    """What a server says is wrong; empty where it says nothing."""

    kind: str = ""
    code: str = ""
    parameter: str = ""
    message: str = field(default="", repr=False)
    moderated: bool = False

    @property
    def status(self) -> int | None:
        """The HTTP status that stands in the body, as gateways put it behind a status 200."""
        return int(self.code) if re.fullmatch("[45][0-9]{2}", self.code) else None

    @property
    def is_filter(self) -> bool:
        """Whether a content filter refused the prompt."""
        return self.moderated or self.code in _FILTER_CODES

    @property
    def is_quota(self) -> bool:
        """Whether the account is out of credit."""
        return "insufficient_quota" in (self.code, self.kind)

    @property
    def is_key(self) -> bool:
        """Whether the key is refused, for servers that answer so with status 400."""
        return self.code in _KEY_CODES or bool(_KEY_WORDS.search(self.message))

    @property
    def is_missing_model(self) -> bool:
        """Whether the server has no such model, for those that answer so with status 400."""
        return self.code == "model_not_found" or bool(_MODEL_WORDS.search(self.message))

    @property
    def is_failed_json(self) -> bool:
        """Whether the model wrote no JSON though the server held it to that."""
        return self.code == "json_validate_failed"

    @property
    def exceeds_context(self) -> bool:
        """Whether the model reads less than it was sent."""
        return (
            self.code == "context_length_exceeded"
            or self.kind == "exceed_context_size_error"
            or bool(_CONTEXT_WORDS.search(f"{self.kind} {self.message}"))
        )

    @property
    def is_about_the_schema(self) -> bool:
        """Whether the server can't hold replies to the schema it was sent."""
        return self._about == "response_format" or bool(_SCHEMA_WORDS.search(self.message))

    def unsupported(self, sent: Collection[str]) -> str | None:
        """Which of the parameters of a rejected request the model doesn't take.

        The output limit counts only where it is said to be unsupported: it may be too large.
        """
        named = self._about if self._about in sent else _mentioned(self.message, sent)
        if named is None and "response_format" in sent and self.is_about_the_schema:
            return "response_format"
        stated = self.code in _UNSUPPORTED_CODES or _UNSUPPORTED_WORDS.search(self.message)
        return named if stated or named not in _OUTPUT_LIMITS else None

    @property
    def _about(self) -> str:
        return self.parameter.split(".")[0]


def read_error(body: Any) -> ServerError:
    """The error in a body of any shape.

    ``{"error": {…}}`` · ``{"error": "words"}`` · the error itself · a list of errors ·
    ``{"detail": …}`` as web frameworks tell what they can't read.
    """
    whole = _mapping(cast("list[object]", body)[0] if isinstance(body, list) and body else body)
    inner = whole.get("error")
    error = _mapping(inner) or whole
    told = inner if isinstance(inner, str) else error.get("message") or error.get("detail")
    moderation = _mapping(error.get("metadata"))
    return ServerError(
        kind=_name(error.get("type")),
        code=_name(_mapping(error.get("innererror")).get("code")) or _name(error.get("code")),
        parameter=_name(error.get("param")),
        message=" ".join(_words(told))[:_MOST_CHARACTERS],
        moderated="flagged_input" in moderation,
    )


def holds_error(body: Any) -> bool:
    """Whether a body tells an error, whatever its HTTP status is."""
    whole = _mapping(body)
    return bool(whole.get("error")) or whole.get("object") == "error"


def _words(value: object) -> Iterator[str]:
    """Texts of a message; one in parts says where and what, and repeats what was sent."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for one in cast("list[object]", value)[:20]:
            yield from _words(one)
    elif isinstance(value, dict):
        for name in _SAID_IN:
            yield from _words(cast("Json", value).get(name))


def _mentioned(message: str, names: Collection[str]) -> str | None:
    return next((one for one in names if re.search(rf"\b{re.escape(one)}\b", message)), None)


def _name(value: object) -> str:
    return str(value) if isinstance(value, str | int) else ""


def _mapping(value: object) -> Json:
    return cast("Json", value) if isinstance(value, dict) else {}
