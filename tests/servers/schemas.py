"""What real servers refuse in a JSON schema, restated apart from the code that avoids it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_STRICT_KEYWORDS = frozenset(
    (
        "type",
        "description",
        "properties",
        "required",
        "additionalProperties",
        "items",
        "enum",
        "anyOf",
        "$ref",
        "$defs",
    )
)
_LONGEST_REPETITION = 2000
_ODD_ESCAPE = re.compile(r"\\[dDwWsSbB]|\(\?")


def schema_problem(named: dict[str, Any], rules: str) -> str | None:
    """Why the schema of a response format is refused, or null."""
    if not _NAME.fullmatch(str(named.get("name", ""))):
        return "the name is not made of letters, digits, _ and -"
    schema = named.get("schema")
    if not isinstance(schema, dict) or schema.get("type") != "object":
        return "schema must be a JSON Schema of 'type: \"object\"'"
    if rules == "openai" and not named.get("strict"):
        return None
    judge = _strict_problem if rules == "openai" else _grammar_problem
    return next((problem for node in _nodes(schema) if (problem := judge(node))), None)


def _nodes(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield schema
    inner = [schema.get("items"), *schema.get("anyOf", ())]
    inner += [*schema.get("properties", {}).values(), *schema.get("$defs", {}).values()]
    for node in inner:
        if isinstance(node, dict):
            yield from _nodes(node)


def _strict_problem(node: dict[str, Any]) -> str | None:
    for keyword in node:
        if keyword not in _STRICT_KEYWORDS:
            return f"'{keyword}' is not permitted."
    if "$ref" in node and len(node) > 1:
        return "$ref cannot have keywords beside it."
    if node.get("type") != "object":
        return None
    if node.get("additionalProperties") is not False:
        return "'additionalProperties' is required to be supplied and to be false."
    if sorted(node.get("required", ())) != sorted(node.get("properties", {})):
        return "'required' is required to include every key in properties."
    return None


def _grammar_problem(node: dict[str, Any]) -> str | None:
    pattern = node.get("pattern")
    if pattern is not None:
        if not (pattern.startswith("^") and pattern.endswith("$")):
            return "Pattern must start with '^' and end with '$'"
        if _ODD_ESCAPE.search(pattern):
            return "failed to parse grammar: unknown escape in pattern"
    for keyword in ("minItems", "maxItems", "minLength", "maxLength"):
        if node.get(keyword, 0) > _LONGEST_REPETITION:
            return "failed to parse grammar: number of repetitions exceeds sane defaults"
    return None
