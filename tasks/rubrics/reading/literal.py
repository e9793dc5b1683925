"""Reads what was written down as Python prints it: single quotes, None, trailing commas."""

from __future__ import annotations

import ast
import re
import warnings
from typing import Any

_OPENING = re.compile(r"\s*[\[{][\s\[{]*'")
"""Brackets, then a text in single quotes: JSON never begins so."""


class RepeatedKey(ValueError):
    """One key twice in one object: which of the values holds is anybody's guess."""


def is_literal(text: str) -> bool:
    """Whether a text begins as a list or dictionary of Python, not as JSON."""
    return _OPENING.match(text) is not None


def read_literal(text: str) -> Any:
    """The value, of what JSON knows too; nothing is executed.

    Raises RepeatedKey, and ValueError for anything else.
    """
    try:
        with warnings.catch_warnings():
            # Of a backslash before a letter that needs none.
            warnings.simplefilter("ignore", SyntaxWarning)
            warnings.simplefilter("ignore", DeprecationWarning)
            return _value(ast.parse(text.strip(), mode="eval").body)
    except (SyntaxError, MemoryError, RecursionError):
        raise ValueError("no literal") from None


def _value(node: ast.expr) -> Any:
    match node:
        case ast.Constant(value=str() | int() | float() | None as value):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
            return -number
        case ast.List(elts=items):
            return [_value(one) for one in items]
        case ast.Dict(keys=keys, values=values):
            return _dictionary([_name(one) for one in keys], values)
        case _:
            raise ValueError(f"{type(node).__name__} is no plain value")


def _dictionary(names: list[str], values: list[ast.expr]) -> dict[str, Any]:
    if len(set(names)) < len(names):
        raise RepeatedKey
    return {name: _value(one) for name, one in zip(names, values, strict=True)}


def _name(node: ast.expr | None) -> str:
    match node:
        case ast.Constant(value=str() as name):
            return name
        case _:
            raise ValueError("a key is no text")
