"""Sentence templates with alternatives: ``[Hello|Good day], {name}`` stands for two wordings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

_TOKEN = re.compile(r"[\[\]|]|[^\[\]|]+")
_SLOT = re.compile(r"\{([a-z_]+)\}")
_SENTENCE_START = re.compile(
    r"(^|(?<=[a-z0-9)%][.?!] )|(?<=[A-Z][A-Z][.?!] )|(?<=[a-z0-9)%][.?!] \())([a-z])"
)


@dataclass(frozen=True)
class Choice:
    """Alternatives; ``wordings`` counts what all of them together can say."""

    options: tuple[Template, ...]
    wordings: int

    def wording(self, number: int) -> str:
        """The wording of a number in ``range(wordings)``."""
        for option in self.options:
            if number < option.wordings:
                return option.wording(number)
            number -= option.wordings
        raise IndexError(number)


@dataclass(frozen=True)
class Template:
    """A sequence of literal parts and choices between templates; ``wordings`` counts them."""

    parts: tuple[str | Choice, ...]
    wordings: int

    def wording(self, number: int) -> str:
        """The wording of a number in ``range(wordings)``; slots are still unfilled."""
        text: list[str] = []
        for part in self.parts:
            if isinstance(part, str):
                text.append(part)
                continue
            number, index = divmod(number, part.wordings)
            text.append(part.wording(index))
        return "".join(text)


@cache
def parse_template(text: str) -> Template:
    """Read a template; raises ValueError for brackets that don't match."""
    tokens = _TOKEN.findall(text)
    template, position = _sequence(tokens, 0, nested=False)
    if position != len(tokens):
        raise ValueError("a template closes a bracket that it doesn't open")
    return template


def choice_of(templates: Sequence[Template]) -> Choice:
    """The choice between templates."""
    return Choice(tuple(templates), sum(template.wordings for template in templates))


def fill(wording: str, slots: dict[str, str]) -> str:
    """Put the slots' texts in, once, and begin every sentence with a capital.

    Raises KeyError for a slot without a text.
    """
    text = _SLOT.sub(lambda match: slots[match[1]], wording)
    return _SENTENCE_START.sub(lambda match: match[1] + match[2].upper(), " ".join(text.split()))


def _sequence(tokens: list[str], position: int, *, nested: bool) -> tuple[Template, int]:
    parts: list[str | Choice] = []
    wordings = 1
    while position < len(tokens) and tokens[position] != "]":
        token = tokens[position]
        if token == "[":
            choice, position = _choice(tokens, position + 1)
            wordings *= choice.wordings
            parts.append(choice)
            continue
        if token == "|":
            if nested:
                break
            raise ValueError("a template has alternatives outside brackets")
        parts.append(token)
        position += 1
    return Template(tuple(parts), wordings), position


def _choice(tokens: list[str], position: int) -> tuple[Choice, int]:
    options: list[Template] = []
    while position < len(tokens):
        option, position = _sequence(tokens, position, nested=True)
        options.append(option)
        if position < len(tokens) and tokens[position] == "]":
            return choice_of(options), position + 1
        position += 1
    raise ValueError("a template opens a bracket that it doesn't close")
