"""Answers embeddings requests as OpenAI-compatible servers do."""

from __future__ import annotations

import string
from collections.abc import Callable, Mapping
from typing import Any

from tests.servers.requests import ApiError, ModelRules

_PARAMETERS = ("model", "input", "encoding_format", "dimensions", "user")


def letter_shares(text: str) -> list[float]:
    """How often each letter occurs, and 1 for a text without letters."""
    lowered = text.lower()
    counts = [float(lowered.count(letter)) for letter in string.ascii_lowercase]
    return [*counts, float(not any(counts))]


def embeddings_error(body: Any, models: Mapping[str, ModelRules]) -> ApiError | None:
    """Why a request is refused, or null: an unknown model or parameter, an empty text."""
    if not isinstance(body, dict):
        return ApiError(400, None, "We could not parse the JSON body of your request.")
    if body.get("model", "") not in models and "model" in body:
        return ApiError(404, "model_not_found", f"The model `{body['model']}` does not exist.")
    for name in body:
        if name not in _PARAMETERS:
            return ApiError(400, "unsupported_parameter", f"'{name}'", parameter=name)
    texts = body.get("input")
    if not isinstance(texts, list) or not texts or not all(texts) or len(texts) > 2048:
        return ApiError(400, "invalid_value", "'$.input' is invalid.", parameter="input")
    return None


def embeddings(
    body: dict[str, Any], vectorizer: Callable[[str], list[float]], count: Callable[[str], int]
) -> dict[str, Any]:
    """The response's JSON; vectors come in another order than the texts, under their index."""
    data = [
        {"object": "embedding", "index": place, "embedding": vectorizer(text)}
        for place, text in enumerate(body["input"])
    ]
    tokens = sum(map(count, body["input"]))
    return {
        "object": "list",
        "data": data[::-1],
        "model": body.get("model", ""),
        "usage": {"prompt_tokens": tokens, "total_tokens": tokens},
    }
