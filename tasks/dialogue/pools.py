"""The wordings that dialogues are made of, as ``wording/*.json`` holds them.

They hold what people say around the facts and nothing clinical of their own: no number, finding,
drug or outcome. ``<name>`` in a template stands for any of the alternatives that ``parts.json``
lists under that name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from pydantic import Field, field_validator

from tasks.contracts.base import Contract
from tasks.dialogue.templates import parse_template

_FOLDER = Path(__file__).resolve().parent / "wording"
_POOL_FILES = ("arrival", "findings", "course", "departure")
_PART = re.compile(r"<([a-z_]+)>")


def _parsed(templates: Sequence[str]) -> None:
    for template in templates:
        parse_template(expanded(template))


class Parts(Contract):
    """Alternatives that many templates share."""

    parts: dict[str, tuple[str, ...]] = Field(description="Alternatives by name")


class Pools(Contract):
    """Named pools of templates that mean the same."""

    pools: dict[str, tuple[str, ...]] = Field(min_length=1, description="Templates by pool")

    @field_validator("pools")
    @classmethod
    def _templates_parse(cls, pools: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
        for templates in pools.values():
            _parsed(templates)
        return pools


class Followup(Contract):
    """A question that a patient may ask about what was said, its answer and the patient's word."""

    ask: tuple[str, ...] = Field(min_length=1, description="Templates of the question")
    answer: tuple[str, ...] = Field(min_length=1, description="Templates of the doctor's answer")
    close: tuple[str, ...] = Field(min_length=1, description="Templates of the patient's last word")

    @field_validator("ask", "answer", "close")
    @classmethod
    def _templates_parse(cls, templates: tuple[str, ...]) -> tuple[str, ...]:
        _parsed(templates)
        return templates


class Followups(Contract):
    """The questions that patients ask, by what they ask about."""

    followups: dict[str, tuple[Followup, ...]] = Field(description="Questions by pool")


class Topic(Contract):
    """A short talk about nothing clinical: doctor and patient by turns, the doctor first."""

    name: str = Field(description="What it is about")
    turns: tuple[tuple[str, ...], ...] = Field(
        min_length=2, max_length=4, description="Templates of each turn"
    )

    @field_validator("turns")
    @classmethod
    def _patient_has_the_last_word(
        cls, turns: tuple[tuple[str, ...], ...]
    ) -> tuple[tuple[str, ...], ...]:
        if len(turns) % 2:
            raise ValueError("a topic needs an even number of turns")
        for templates in turns:
            _parsed(templates)
        return turns


class Topics(Contract):
    """All talks about nothing clinical."""

    topics: tuple[Topic, ...] = Field(min_length=1, description="In no particular order")


class LayWords(Contract):
    """What a patient calls a symptom."""

    words: dict[str, str] = Field(description="Lay wording by symptom")


@cache
def parts() -> dict[str, str]:
    """Shared alternatives by name, as the choice that stands for them in a template."""
    read = Parts.model_validate_json(_read("parts")).parts
    return {name: f"[{'|'.join(options)}]" for name, options in read.items()}


@cache
def pools() -> dict[str, tuple[str, ...]]:
    """Templates of every pool."""
    merged: dict[str, tuple[str, ...]] = {}
    for name in _POOL_FILES:
        merged |= Pools.model_validate_json(_read(name)).pools
    return merged


@cache
def followups() -> dict[str, tuple[Followup, ...]]:
    """The questions that patients ask, by pool."""
    return Followups.model_validate_json(_read("followups")).followups


@cache
def topics() -> tuple[Topic, ...]:
    """The talks about nothing clinical."""
    return Topics.model_validate_json(_read("rapport")).topics


@cache
def lay_words() -> dict[str, str]:
    """Lay wordings of symptoms."""
    return LayWords.model_validate_json(_read("lay")).words


def expanded(template: str) -> str:
    """A template with its shared alternatives written out; raises KeyError for an unknown name."""
    return _PART.sub(lambda match: parts()[match[1]], template)


def _read(name: str) -> str:
    return (_FOLDER / f"{name}.json").read_text(encoding="utf-8")
