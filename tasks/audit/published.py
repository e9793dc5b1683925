"""Reads JSON files in the MedLoCoMo layout, whoever wrote them: unknown fields are passed over.

Errors name the file and the place in it, never its text.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar, cast, get_args

from pydantic import BaseModel, ValidationError

from tasks.contracts.errors import ReleaseError

Model = TypeVar("Model", bound=BaseModel)

TIMELINE = "combined_conversation.json"
QUESTIONS = "benchmark_qa.json"


def read_known(
    model: type[Model],
    given: Mapping[str, Any],
    path: Path,
    item: str | None = None,
    names: Mapping[str, str] | None = None,
) -> Model:
    """The part of an object that a contract knows, as that contract.

    Raises ReleaseError naming the file, the ``item`` of it where given, and the field; ``names``
    are those that the file has for fields of the contract.
    """
    try:
        return model.model_validate(_known(model, given))
    except ValidationError as error:
        fault = error.errors(include_url=False, include_input=False)[0]
        first, *rest = map(str, fault["loc"])
        field = ".".join([(names or {}).get(first, first), *rest])
        place = f"{item}: {field}" if item else field
        found = fault["msg"].removeprefix("Value error, ")
        raise ReleaseError(
            f"{path}: {place}: {found}; correct the file, or restore it from a copy"
        ) from None


def _known(model: type[BaseModel], given: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a contract, at every depth; empty titles and names for those left out.

    Ids may be written as numbers.
    """
    kept: dict[str, Any] = {}
    for name, field in model.model_fields.items():
        if name not in given:
            if field.is_required() and field.annotation is str:
                kept[name] = ""
            continue
        kept[name] = _known_value(field.annotation, given[name])
    return kept


def _known_value(annotation: Any, value: Any) -> Any:
    inner = next(iter(_models(annotation)), None)
    if inner is None:
        return str(value) if annotation is str and isinstance(value, int) else value
    if isinstance(value, list):
        return [
            _known(inner, cast("dict[str, Any]", one)) if isinstance(one, dict) else one
            for one in cast("list[object]", value)
        ]
    return _known(inner, cast("dict[str, Any]", value)) if isinstance(value, dict) else value


def _models(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for argument in get_args(annotation):
        yield from _models(argument)


def read_object(path: Path) -> Mapping[str, Any]:
    """A file's object; raises ReleaseError where there is none."""
    try:
        text = path.read_text(encoding="utf-8-sig")
        content = json.loads(text)
    except OSError as error:
        raise ReleaseError(
            f"{path}: can't be read ({error.strerror}); every patient's folder holds {TIMELINE} "
            f"and {QUESTIONS}"
        ) from None
    except UnicodeDecodeError:
        raise ReleaseError(
            f"{path}: not written in UTF-8; save the file in that encoding"
        ) from None
    except (ValueError, RecursionError):
        raise ReleaseError(
            f"{path}: not a JSON file; restore it from a copy, or build again"
        ) from None
    if "\\ud" in text.lower() and _has_half_character(content):
        raise ReleaseError(
            f"{path}: holds half a character (a lone surrogate), which no file can be written "
            "with; correct the file, or restore it from a copy"
        )
    return as_object(content, path)


def _has_half_character(content: object) -> bool:
    try:
        json.dumps(content, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return True
    except RecursionError:
        # Nothing we know is nested as deeply: what is, is passed over.
        return False
    return False


def as_object(value: object, path: Path) -> Mapping[str, Any]:
    """A value of a file, which has to be an object."""
    if not isinstance(value, dict):
        raise ReleaseError(
            f"{path}: expected an object, found another value; restore the file from a copy"
        )
    return cast("dict[str, Any]", value)


def list_in(given: Mapping[str, Any], name: str, path: Path) -> list[object]:
    """A list of a file's object; raises ReleaseError where it has none of that name."""
    value = given.get(name)
    if not isinstance(value, list):
        raise ReleaseError(f"{path}: no list {name}; restore the file from a copy")
    return cast("list[object]", value)
