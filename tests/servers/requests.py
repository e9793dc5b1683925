"""Checks requests as the servers of the Chat Completions protocol do, and words their errors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from tests.servers.schemas import schema_problem

Dialect = Literal["openai", "llamacpp"]

_PARAMETERS = frozenset(
    (
        "model",
        "messages",
        "temperature",
        "top_p",
        "seed",
        "max_tokens",
        "max_completion_tokens",
        "response_format",
        "stop",
        "n",
        "user",
        "stream",
        "chat_template_kwargs",
    )
)
_ROLES = ("system", "user", "assistant")


@dataclass(frozen=True)
class ModelRules:
    """What a model on the server takes."""

    refuses: frozenset[str] = frozenset()
    """Parameters it doesn't know, such as max_tokens; temperature may then be 1 only."""
    dialect: Dialect | None = None
    """Whose rules for JSON schemas hold, and whose words; null: every schema is taken."""
    context_tokens: int | None = None
    """What prompt and reply may take together."""


@dataclass(frozen=True)
class ApiError:
    """An error as the API tells it."""

    status: int
    code: str | None
    message: str
    kind: str = "invalid_request_error"
    parameter: str | None = None
    details: Mapping[str, Any] | None = None
    """What takes the place of the fields after the type and the message."""

    def body(self) -> dict[str, Any]:
        """The response's JSON."""
        fields = self.details or {"param": self.parameter, "code": self.code}
        return {"error": {"message": self.message, "type": self.kind, **fields}}


def request_error(body: Any, models: Mapping[str, ModelRules]) -> ApiError | None:
    """Why a request is refused, or null; a model that isn't served is not found."""
    if not isinstance(body, dict):
        return ApiError(400, None, "We could not parse the JSON body of your request.")
    rules = models.get(body.get("model", ""))
    if rules is None:
        message = f"The model `{body.get('model')}` does not exist or you do not have access to it."
        return ApiError(404, "model_not_found", message)
    return _messages_error(body) or _parameter_error(body, rules) or _schema_error(body, rules)


def context_error(read: int, wanted: int, rules: ModelRules) -> ApiError | None:
    """Why a request doesn't fit into the model's context, or null.

    llama.cpp stops writing at the end of the context, so the prompt alone has to fit.
    """
    limit = rules.context_tokens
    if limit is None or read + wanted * (rules.dialect != "llamacpp") <= limit:
        return None
    if rules.dialect == "llamacpp":
        message = (
            f"request ({read} tokens) exceeds the available context size ({limit} tokens), try "
            "increasing it"
        )
        sizes = {"code": 400, "n_prompt_tokens": read, "n_ctx": limit}
        return ApiError(400, "context", message, "exceed_context_size_error", details=sizes)
    message = (
        f"This model's maximum context length is {limit} tokens. However, you requested "
        f"{read + wanted} tokens ({read} in the messages, {wanted} in the completion). Please "
        "reduce the length of the messages or completion."
    )
    return ApiError(400, "context_length_exceeded", message, parameter="messages")


def _messages_error(body: dict[str, Any]) -> ApiError | None:
    messages = body.get("messages")
    if not isinstance(messages, list) or not messages:
        return ApiError(400, None, "'messages' is not a list of messages", parameter="messages")
    for number, message in enumerate(messages):
        known = isinstance(message, dict) and message.get("role") in _ROLES
        if not known or not isinstance(message.get("content"), str):
            name = f"messages[{number}]"
            return ApiError(400, "invalid_value", f"Invalid value: '{name}'", parameter=name)
    return None


def _parameter_error(body: dict[str, Any], rules: ModelRules) -> ApiError | None:
    for name in body:
        if name not in _PARAMETERS or (name in rules.refuses and name != "temperature"):
            message = f"Unsupported parameter: '{name}' is not supported with this model."
            if name == "max_tokens":
                message += " Use 'max_completion_tokens' instead."
            return ApiError(400, "unsupported_parameter", message, parameter=name)
    if "temperature" in rules.refuses and body.get("temperature", 1) != 1:
        message = (
            "Unsupported value: 'temperature' does not support "
            f"{body['temperature']} with this model. Only the default (1) value is supported."
        )
        return ApiError(400, "unsupported_value", message, parameter="temperature")
    if body.get("stream") or body.get("n", 1) != 1:
        return ApiError(400, "unsupported_value", "This server neither streams nor repeats.")
    return None


def _schema_error(body: dict[str, Any], rules: ModelRules) -> ApiError | None:
    wanted = body.get("response_format")
    if wanted is None or rules.dialect is None:
        return None
    if "response_format" in rules.refuses or wanted.get("type") not in (
        "json_schema",
        "json_object",
    ):
        message = "Invalid parameter: 'response_format' of this type is not supported."
        return ApiError(400, "unsupported_value", message, parameter="response_format")
    if wanted["type"] == "json_object":
        return None
    named = wanted.get("json_schema", {})
    problem = schema_problem(named, rules.dialect)
    if problem is None:
        return None
    message = f"Invalid schema for response_format '{named.get('name')}': {problem}"
    return ApiError(400, "invalid_json_schema", message, parameter="response_format")
