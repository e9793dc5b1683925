"""The wordings that dialogues are made of, and a phrasebook that never says one twice.

Wordings live in ``wording/*.json``. They hold what people say around the facts and nothing
clinical of their own: no number, finding, drug or outcome.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

from pydantic import Field, field_validator

from tasks.contracts.base import Contract
from tasks.dialogue.templates import Choice, choice_of, fill, parse_template

_FOLDER = Path(__file__).resolve().parent / "wording"
_POOL_FILES = ("arrival", "findings", "course", "departure", "answers")
_ATTEMPTS = 60
_SENTENCE_END = re.compile(r"[.?!:;]")


class Pools(Contract):
    """Named pools of templates that mean the same."""

    pools: dict[str, tuple[str, ...]] = Field(min_length=1, description="Templates by pool")

    @field_validator("pools")
    @classmethod
    def _templates_parse(cls, pools: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
        for templates in pools.values():
            for template in templates:
                parse_template(template)
        return pools


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
            for template in templates:
                parse_template(template)
        return turns


class Topics(Contract):
    """All talks about nothing clinical."""

    topics: tuple[Topic, ...] = Field(min_length=1, description="In no particular order")


class LayWords(Contract):
    """What a patient calls a symptom."""

    words: dict[str, str] = Field(description="Lay wording by symptom")


@cache
def pools() -> dict[str, tuple[str, ...]]:
    """Templates of every pool."""
    merged: dict[str, tuple[str, ...]] = {}
    for name in _POOL_FILES:
        merged |= Pools.model_validate_json(_read(name)).pools
    return merged


@cache
def topics() -> tuple[Topic, ...]:
    """The talks about nothing clinical."""
    return Topics.model_validate_json(_read("rapport")).topics


@cache
def lay_words() -> dict[str, str]:
    """Lay wordings of symptoms."""
    return LayWords.model_validate_json(_read("lay")).words


def anything(_: str) -> bool:
    """Accepts every wording."""
    return True


def question(wording: str) -> bool:
    """Accepts a wording that asks something."""
    return "?" in wording


def statement(wording: str) -> bool:
    """Accepts a wording that asks nothing."""
    return "?" not in wording


class Phrasebook:
    """Draws wordings for one admission by a digest of its seed; repeats none of them.

    The same seed and the same order of calls give the same wordings.
    """

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._draws = 0
        self._said: set[str] = set()

    def number(self, bound: int) -> int:
        """A number in ``range(bound)``."""
        self._draws += 1
        digest = hashlib.sha256(f"{self._seed}:{self._draws}".encode()).digest()
        return int.from_bytes(digest[:8], "big") % bound

    def say(self, pool: str, *, accept: Callable[[str], bool] = anything, **slots: str) -> str:
        """A wording of a pool with its slots filled."""
        return self.phrase(pools()[pool], accept=accept, **slots)

    def phrase(
        self,
        templates: Sequence[str],
        *,
        accept: Callable[[str], bool] = anything,
        **slots: str,
    ) -> str:
        """A wording of one of the templates with its slots filled.

        Of the acceptable wordings drawn it is the first that repeats no sentence, else the one
        that repeats fewest.
        """
        choice = _choice(tuple(templates))
        best, fewest = "", _ATTEMPTS
        for _ in range(_ATTEMPTS):
            wording = choice.wording(self.number(choice.wordings))
            if not accept(wording):
                continue
            repeated = len(self._said.intersection(_sentences(wording)))
            if repeated < fewest:
                best, fewest = wording, repeated
            if not fewest:
                break
        if not best:
            raise LookupError("no wording of the pool is acceptable")
        self._said.update(_sentences(best))
        return fill(best, slots)


@cache
def _choice(templates: tuple[str, ...]) -> Choice:
    return choice_of([parse_template(template) for template in templates])


def _sentences(wording: str) -> list[str]:
    return [part.strip() for part in _SENTENCE_END.split(wording) if part.strip()]


def _read(name: str) -> str:
    return (_FOLDER / f"{name}.json").read_text(encoding="utf-8")
