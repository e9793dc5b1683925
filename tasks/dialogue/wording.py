"""The wordings that dialogues are made of, and a phrasebook that never says one twice.

Wordings live in ``wording/*.json``. They hold what people say around the facts and nothing
clinical of their own: no number, finding, drug or outcome. ``<name>`` in a template stands for any
of the alternatives that ``parts.json`` lists under that name.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path

from pydantic import Field, field_validator

from tasks.contracts.base import Contract
from tasks.dialogue.naming import with_capitals
from tasks.dialogue.templates import Choice, choice_of, fill, parse_template

_FOLDER = Path(__file__).resolve().parent / "wording"
_POOL_FILES = ("arrival", "findings", "course", "departure")
_ATTEMPTS = 60
_FRAME_ATTEMPTS = 16
_BRIEF_ATTEMPTS = 12
_PART = re.compile(r"<([a-z_]+)>")
_SENTENCE_END = re.compile(r"[.?!:;]+(?:\s+|$)")
_SAID_TWICE = 100
"""How much worse it is to say a sentence again than to say another one in the same words."""


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
    """Draws wordings for one admission by a digest of its seed; says no sentence twice.

    The same seed and the same order of calls give the same wordings. A ``brief`` phrasebook
    prefers short ones.
    """

    def __init__(self, seed: str, *, brief: bool = False) -> None:
        self._seed = seed
        self._brief = brief
        self._draws = 0
        self._frames: set[str] = set()
        self._said: set[str] = set()
        self._asked: dict[str, list[int]] = {}
        self._told: set[str] = set()

    def number(self, bound: int) -> int:
        """A number in ``range(bound)``."""
        self._draws += 1
        digest = hashlib.sha256(f"{self._seed}:{self._draws}".encode()).digest()
        return int.from_bytes(digest[:8], "big") % bound

    def note(self, told: Iterable[str]) -> None:
        """Remember that facts have been told."""
        self._told.update(told)

    def has_told(self, fact_id: str) -> bool:
        """Whether a fact has been told, so that the patient can know it."""
        return fact_id in self._told

    def followup(self, pool: str) -> Followup:
        """A question about a pool's matter; each of them once before any comes again."""
        known = followups()[pool]
        waiting = self._asked.setdefault(pool, [])
        if not waiting:
            waiting.extend(range(len(known)))
        return known[waiting.pop(self.number(len(waiting)))]

    def say(self, pool: str, *, accept: Callable[[str], bool] = anything, **slots: str) -> str:
        """A wording of a pool with its slots filled."""
        return self.phrase(pools()[pool], accept=accept, **slots)

    def clause(self, pool: str, **slots: str) -> str:
        """A clause of a pool for use inside a sentence; clauses may come again."""
        choice = _choice(pools()[pool])
        return fill(choice.wording(self.number(choice.wordings)), _capitalized(slots))

    def phrase(
        self,
        templates: Sequence[str],
        *,
        accept: Callable[[str], bool] = anything,
        **slots: str,
    ) -> str:
        """A wording of one of the templates with its slots filled.

        Of the acceptable wordings drawn it is the first that repeats neither a sentence nor the
        words of one, else the one that repeats fewest.
        """
        best, text = self._best(_choice(tuple(templates)), accept, _capitalized(slots))
        self._frames.update(_sentences(best))
        self._said.update(_sentences(text))
        return text

    def _best(
        self, choice: Choice, accept: Callable[[str], bool], slots: dict[str, str]
    ) -> tuple[str, str]:
        found: tuple[int, int, str, str] | None = None
        tries = _BRIEF_ATTEMPTS if self._brief else 1
        for attempt in range(_ATTEMPTS):
            wording = choice.wording(self.number(choice.wordings))
            if not accept(wording):
                continue
            text = fill(wording, slots)
            score = self._repeated(wording, text)
            rank = (score, len(text) if self._brief else 0, wording, text)
            found = rank if found is None else min(found, rank, key=lambda one: one[:2])
            if attempt + 1 >= tries and not found[0]:
                break
            if attempt + 1 >= _FRAME_ATTEMPTS and found[0] < _SAID_TWICE:
                break
        if found is None:
            raise LookupError("no wording of the pool is acceptable")
        return found[2], found[3]

    def _repeated(self, wording: str, text: str) -> int:
        again = len(self._said.intersection(_sentences(text)))
        return again * _SAID_TWICE + len(self._frames.intersection(_sentences(wording)))


@cache
def _choice(templates: tuple[str, ...]) -> Choice:
    return choice_of([parse_template(expanded(template)) for template in templates])


def _capitalized(slots: dict[str, str]) -> dict[str, str]:
    return {name: with_capitals(text) for name, text in slots.items()}


def _sentences(wording: str) -> list[str]:
    parts_said = _SENTENCE_END.split(wording)
    return [part.strip().casefold() for part in parts_said if part.strip()]


def _read(name: str) -> str:
    return (_FOLDER / f"{name}.json").read_text(encoding="utf-8")
