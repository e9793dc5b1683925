"""Sentence templates with alternatives: ``[Hello|Good day], {name}`` stands for two wordings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

_TOKEN = re.compile(r"[\[\]|]|[^\[\]|]+")
_SLOT = re.compile(r"\{([a-z_]+)\}")
_SENTENCE_START = re.compile(r"(^|(?<=[a-z0-9)%][.?!] )|(?<=[a-z0-9)%][.?!] \())([a-z])")


@dataclass(frozen=True)
class Template:
    """A sequence of literal parts and choices between templates; ``wordings`` counts them."""

    parts: tuple[str | tuple[Template, ...], ...]
    wordings: int

    def wording(self, number: int) -> str:
        """The wording of a number in ``range(wordings)``; slots are still unfilled."""
        text: list[str] = []
        for part in self.parts:
            if isinstance(part, str):
                text.append(part)
                continue
            number, index = divmod(number, sum(choice.wordings for choice in part))
            text.append(_pick(part, index))
        return "".join(text)


@cache
def parse_template(text: str) -> Template:
    """Read a template; raises ValueError for brackets that don't match."""
    tokens = _TOKEN.findall(text)
    template, position = _sequence(tokens, 0, nested=False)
    if position != len(tokens):
        raise ValueError("a template closes a bracket that it doesn't open")
    return template


def choice_of(templates: Sequence[Template]) -> Template:
    """A template whose wordings are those of all the given ones."""
    return Template((tuple(templates),), sum(template.wordings for template in templates))


def fill(wording: str, slots: dict[str, str]) -> str:
    """Put the slots' texts in, once, and begin every sentence with a capital.

    Raises KeyError for a slot without a text.
    """
    text = _SLOT.sub(lambda match: slots[match[1]], wording)
    return _SENTENCE_START.sub(lambda match: match[1] + match[2].upper(), " ".join(text.split()))


def _pick(choices: tuple[Template, ...], index: int) -> str:
    for choice in choices:
        if index < choice.wordings:
            return choice.wording(index)
        index -= choice.wordings
    raise IndexError(index)


def _sequence(tokens: list[str], position: int, *, nested: bool) -> tuple[Template, int]:
    parts: list[str | tuple[Template, ...]] = []
    wordings = 1
    while position < len(tokens) and tokens[position] != "]":
        token = tokens[position]
        if token == "[":
            choices, position = _choices(tokens, position + 1)
            wordings *= sum(choice.wordings for choice in choices)
            parts.append(choices)
            continue
        if token == "|":
            if nested:
                break
            raise ValueError("a template has alternatives outside brackets")
        parts.append(token)
        position += 1
    return Template(tuple(parts), wordings), position


def _choices(tokens: list[str], position: int) -> tuple[tuple[Template, ...], int]:
    choices: list[Template] = []
    while position < len(tokens):
        choice, position = _sequence(tokens, position, nested=True)
        choices.append(choice)
        if position < len(tokens) and tokens[position] == "]":
            return tuple(choices), position + 1
        position += 1
    raise ValueError("a template opens a bracket that it doesn't close")
