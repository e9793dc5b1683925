from __future__ import annotations

from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field

from tasks.adapters.llm.schema import reduce_schema, response_format, schema_instruction
from tasks.adapters.llm.servers import Server, server_named
from tasks.contracts.dialogue import DialogueReply
from tests.servers.schemas import schema_problem

_SERVERS_WITH_SCHEMA = ("openai", "azure", "vllm", "llamacpp", "ollama")


class Step(BaseModel):
    """One step."""

    number: int = Field(ge=1, description="From 1")
    kind: Literal["wash", "dry"] = "wash"
    day: str = Field(pattern=r"^\d{4}-[\d]{2}$")
    text: str = Field(min_length=1, max_length=20_000)
    remark: str | None = None


class Plan(BaseModel):
    title: str
    steps: list[Step] = Field(min_length=2, max_length=4_000)


def _sent(name: str) -> dict[str, Any]:
    format_ = response_format(Plan, server_named(name))
    assert format_ is not None
    return format_["json_schema"]


def test_a_strict_server_gets_every_field_required_and_no_rule_that_it_refuses() -> None:
    assert _sent("openai") == {
        "name": "Plan",
        "strict": True,
        "schema": {
            "type": "object",
            "properties": {
                "title": {"type": "string"},
                "steps": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "description": "One step.",
                        "properties": {
                            "number": {"type": "integer", "description": "From 1"},
                            "kind": {"type": "string", "enum": ["wash", "dry"]},
                            "day": {"type": "string"},
                            "text": {"type": "string"},
                            "remark": {"anyOf": [{"type": "string"}, {"type": "null"}]},
                        },
                        "required": ["number", "kind", "day", "text", "remark"],
                        "additionalProperties": False,
                    },
                },
            },
            "required": ["title", "steps"],
            "additionalProperties": False,
        },
    }


def test_llama_cpp_gets_patterns_without_digit_classes_and_only_small_bounds() -> None:
    steps = _sent("llamacpp")["schema"]["properties"]["steps"]
    assert steps["minItems"] == 2
    assert "maxItems" not in steps
    fields = steps["items"]["properties"]
    assert fields["day"] == {"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}$"}
    assert fields["text"] == {"type": "string", "minLength": 1}
    assert fields["number"]["minimum"] == 1
    assert "strict" not in _sent("llamacpp")


@pytest.mark.parametrize(
    "pattern",
    [r"\d{4}", r"^\d{4}", r"^\w+$", r"^(?=a)a$", r"^a.c$", r"^[^a]$", r"^(?i)abc$", r"^\bx$"],
)
def test_patterns_that_llama_cpp_would_not_heed_are_left_out(pattern: str) -> None:
    reduced = reduce_schema({"type": "string", "pattern": pattern}, server_named("llamacpp"))
    assert reduced == {"type": "string"}


def test_a_field_may_bear_the_name_of_a_keyword() -> None:
    schema: dict[str, Any] = {
        "type": "object",
        "title": "Left out",
        "properties": {"title": {"type": "string"}, "default": {"type": "integer", "default": 3}},
    }
    reduced = reduce_schema(schema, server_named("openai"))
    assert reduced["properties"] == {"title": {"type": "string"}, "default": {"type": "integer"}}
    assert reduced["required"] == ["title", "default"]
    assert "title" not in reduced


def test_a_description_beside_a_reference_wins_over_that_of_the_definition() -> None:
    schema: dict[str, Any] = {
        "$defs": {"Day": {"type": "string", "description": "Any day"}},
        "type": "object",
        "properties": {"first": {"$ref": "#/$defs/Day", "description": "First day"}},
    }
    reduced = reduce_schema(schema, server_named("azure"))
    assert reduced["properties"]["first"] == {"type": "string", "description": "First day"}
    assert "$defs" not in reduced


def test_one_allowed_value_is_sent_as_an_enumeration() -> None:
    schema: dict[str, Any] = {"type": "string", "const": "Doctor"}
    assert reduce_schema(schema, server_named("openai")) == {"type": "string", "enum": ["Doctor"]}


@pytest.mark.parametrize(
    ("schema", "told"),
    [
        ({"type": "object", "additionalProperties": {"type": "integer"}}, "free mapping"),
        ({"type": "array", "prefixItems": [{"type": "integer"}]}, "prefixItems"),
        (
            {
                "$defs": {"Node": {"type": "array", "items": {"$ref": "#/$defs/Node"}}},
                "$ref": "#/$defs/Node",
            },
            "recursive: Node",
        ),
    ],
)
def test_shapes_that_no_server_can_be_asked_for_are_programming_errors(
    schema: dict[str, Any], told: str
) -> None:
    with pytest.raises(TypeError, match=told):
        reduce_schema(schema, server_named("vllm"))


@pytest.mark.parametrize("name", _SERVERS_WITH_SCHEMA)
@pytest.mark.parametrize("model", [Plan, DialogueReply])
def test_what_is_sent_is_accepted_by_the_server(name: str, model: type[BaseModel]) -> None:
    format_ = response_format(model, server_named(name))
    assert format_ is not None
    assert format_["type"] == "json_schema"
    rules = "openai" if name in ("openai", "azure") else "llamacpp"
    assert schema_problem(format_["json_schema"], rules) is None


def test_the_unreduced_schema_is_refused_by_the_same_check() -> None:
    named = {"name": "Plan", "strict": True, "schema": Plan.model_json_schema()}
    assert schema_problem(named, "openai") is not None
    assert schema_problem(named, "llamacpp") is not None


def test_servers_without_schemas_are_told_the_shape_in_words_with_all_its_rules() -> None:
    generic, plain = server_named("generic"), server_named("plain")
    assert response_format(Plan, generic) == {"type": "json_object"}
    assert response_format(Plan, plain) is None
    instruction = schema_instruction(Plan, generic)
    assert instruction == schema_instruction(Plan, plain)
    assert instruction.startswith("Answer with one JSON object and with nothing else")
    assert '"maxLength":20000' in instruction
    assert '"minItems":2' in instruction


@pytest.mark.parametrize("name", _SERVERS_WITH_SCHEMA)
def test_servers_that_take_the_schema_need_no_words(name: str) -> None:
    assert schema_instruction(Plan, server_named(name)) == ""


def test_a_bound_is_kept_up_to_the_largest_that_a_server_takes() -> None:
    server = Server(name="s", response_format="json_schema", largest_bound=250)
    kept = {"type": "string", "maxLength": 250}
    assert reduce_schema(kept, server) == kept
    assert reduce_schema({"type": "string", "maxLength": 251}, server) == {"type": "string"}
