"""Reduces the JSON schema of a reply to what a server accepts.

What is left out here is not lost: every reply is validated by the full model afterwards.
"""

from __future__ import annotations

import json
import re
from functools import cache
from string import Template
from typing import Any

from pydantic import BaseModel

from tasks.adapters.llm.servers import Server
from tasks.adapters.resources import read_prompt

Schema = dict[str, Any]

_WITHOUT_MEANING = ("title", "default", "examples", "$schema", "$defs")
_INEXPRESSIBLE = ("allOf", "oneOf", "not", "prefixItems", "patternProperties")
_BOUNDS = ("minItems", "maxItems", "minLength", "maxLength")
_PLAIN_PATTERN = re.compile(
    r"\^(?:[A-Za-z0-9 _:,/@#%&=~'\"<>;!-]"  # letters that stand for themselves
    r"|\\[.\-+*?()\[\]{}|/]"
    r"|\[[A-Za-z0-9 _:,./+-]+\]"
    r"|\{\d{1,3}(?:,\d{1,3})?\}"
    r"|(?<![|(^])[?*+]"
    r"|[|()])*\$"
)


def response_format(model: type[BaseModel], server: Server) -> dict[str, Any] | None:
    """The request's ``response_format``, or null where a server takes none.

    Raises TypeError for a model that a reduced schema can't express.
    """
    if server.response_format == "none":
        return None
    if server.response_format == "json_object":
        return {"type": "json_object"}
    named: dict[str, Any] = {"name": model.__name__, "schema": _schema_of(model, server)}
    if server.strict:
        named["strict"] = True
    return {"type": "json_schema", "json_schema": named}


def schema_instruction(model: type[BaseModel], server: Server) -> str:
    """What the system message has to say of the reply's shape; empty where the schema is sent."""
    if server.response_format == "json_schema":
        return ""
    schema = json.dumps(_schema_of(model, server), ensure_ascii=False, separators=(",", ":"))
    return Template(read_prompt("adapters/llm", "schema.md")).substitute(schema=schema)


def reduce_schema(schema: Schema, server: Server) -> Schema:
    """A JSON schema with every object closed, every field required and references replaced.

    Raises TypeError for what can't be asked for of every server: recursion, free mappings,
    combinations other than anyOf.
    """
    return _Reduction(server, schema.get("$defs", {})).reduce(schema, ())


def _schema_of(model: type[BaseModel], server: Server) -> Schema:
    return _reduced(model, server.model_dump_json())


@cache
def _reduced(model: type[BaseModel], server: str) -> Schema:
    """The schema for a server, which is given as JSON: each request asks for it more than once."""
    return reduce_schema(model.model_json_schema(), Server.model_validate_json(server))


class _Reduction:
    """One schema on its way to one server."""

    def __init__(self, server: Server, definitions: dict[str, Schema]) -> None:
        self._server = server
        self._definitions = definitions

    def reduce(self, node: Schema, within: tuple[str, ...]) -> Schema:
        """A node without what the server refuses; ``within`` names the references around it."""
        if "$ref" in node:
            return self._resolve(node, within)
        for keyword in _INEXPRESSIBLE:
            if keyword in node:
                raise TypeError(f"a reply's schema may not hold {keyword}")
        reduced = {name: value for name, value in node.items() if self._kept(name, value)}
        if "const" in reduced:
            reduced["enum"] = [reduced.pop("const")]
        if "pattern" in reduced and self._server.plain_patterns:
            reduced["pattern"] = _plain(reduced["pattern"])
        if "anyOf" in node:
            reduced["anyOf"] = [self.reduce(one, within) for one in node["anyOf"]]
        if "items" in node:
            reduced["items"] = self.reduce(node["items"], within)
        if node.get("type") == "object":
            reduced.update(self._closed(node, within))
        return reduced

    def _resolve(self, node: Schema, within: tuple[str, ...]) -> Schema:
        name = str(node["$ref"]).removeprefix("#/$defs/")
        if name in within:
            raise TypeError(f"a reply's schema may not be recursive: {name}")
        beside = {key: value for key, value in node.items() if key != "$ref"}
        return self.reduce({**self._definitions[name], **beside}, (*within, name))

    def _closed(self, node: Schema, within: tuple[str, ...]) -> Schema:
        if node.get("additionalProperties"):
            raise TypeError("a reply's schema may not hold a free mapping")
        fields: dict[str, Schema] = node.get("properties", {})
        return {
            "properties": {name: self.reduce(field, within) for name, field in fields.items()},
            "required": list(fields),
            "additionalProperties": False,
        }

    def _kept(self, keyword: str, value: Any) -> bool:
        if keyword in _WITHOUT_MEANING or keyword in self._server.refused_keywords:
            return False
        if keyword == "pattern" and self._server.plain_patterns:
            return _PLAIN_PATTERN.fullmatch(_plain(value)) is not None
        largest = self._server.largest_bound
        return keyword not in _BOUNDS or largest is None or value <= largest


def _plain(pattern: str) -> str:
    """The pattern with ``\\d`` spelled out, inside and outside of brackets."""
    parts = re.split(r"(\[[^\]]*\])", pattern)
    return "".join(
        part.replace(r"\d", "0-9" if part.startswith("[") else "[0-9]") for part in parts
    )
