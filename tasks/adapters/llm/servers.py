"""What servers and families of models accept: stated in two files, never guessed from a name."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeVar

from pydantic import Field, TypeAdapter

from tasks.contracts.base import Contract
from tasks.contracts.errors import SettingError

_FOLDER = Path(__file__).resolve().parent


class Server(Contract):
    """A kind of server that speaks the Chat Completions protocol, and the schemas it takes."""

    name: str = Field(description="As the setting server names it")
    response_format: Literal["json_schema", "json_object", "none"] = Field(
        description="How the shape of a reply is asked for; but for json_schema it is described "
        "in the prompt"
    )
    strict: bool = Field(default=False, description="Sends strict: true beside the schema")
    refused_keywords: tuple[str, ...] = Field(
        default=(), description="JSON Schema keywords left out of what is sent"
    )
    plain_patterns: bool = Field(
        default=False,
        description="Takes only patterns from ^ to $ without classes such as \\d or lookarounds",
    )
    largest_bound: int | None = Field(
        default=None, description="Largest number of items or characters a bound may name"
    )


class Family(Contract):
    """The parameters that a family of models takes."""

    name: str = Field(description="As the setting model_family names it")
    output_parameter: Literal["max_tokens", "max_completion_tokens"] = Field(
        description="Parameter that limits the tokens of a reply"
    )
    temperature: bool = Field(description="Takes a sampling temperature")
    thinks: bool = Field(
        default=False,
        description="The output limit holds reasoning too, so a small reply may need a large one",
    )
    seed: bool = Field(description="Takes a seed")
    extra_parameters: dict[str, Any] = Field(
        default_factory=dict, description="Sent as they are, beside the others"
    )


Named = TypeVar("Named", Server, Family)


def server_named(name: str) -> Server:
    """The server of that name; raises SettingError that lists the known ones."""
    return _find(name, _servers(), "server")


def family_named(name: str) -> Family:
    """The family of that name; raises SettingError that lists the known ones."""
    return _find(name, _families(), "model_family")


@cache
def _servers() -> tuple[Server, ...]:
    content = (_FOLDER / "servers.json").read_bytes()
    return TypeAdapter(tuple[Server, ...]).validate_json(content)


@cache
def _families() -> tuple[Family, ...]:
    content = (_FOLDER / "families.json").read_bytes()
    return TypeAdapter(tuple[Family, ...]).validate_json(content)


def _find(name: str, known: tuple[Named, ...], setting: str) -> Named:
    for one in known:
        if one.name == name:
            return one
    raise SettingError(
        f"{setting}: found {name!r}; choose one of: {', '.join(one.name for one in known)}"
    )
