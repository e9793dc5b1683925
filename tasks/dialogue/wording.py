"""A phrasebook that draws wordings for one admission and says no sentence twice."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from functools import cache

from tasks.dialogue.naming import lowered, with_capitals
from tasks.dialogue.pools import Followup, expanded, followups, pools
from tasks.dialogue.templates import Choice, choice_of, fill, parse_template

_ATTEMPTS = 60
_FRAME_ATTEMPTS = 16
_BRIEF_ATTEMPTS = 12
_SENTENCE_END = re.compile(r"[.?!:;]+(?:\s+|$)")
_SAID_TWICE = 100
"""How much worse it is to say a sentence again than to say another one in the same words."""


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

    def say(self, pool: str, **slots: str) -> str:
        """A wording of a pool with its slots filled."""
        return self.phrase(pools()[pool], **slots)

    def clause(self, pool: str, **slots: str) -> str:
        """A clause of a pool for use inside a sentence; clauses may come again."""
        choice = _choice(pools()[pool])
        return lowered(fill(choice.wording(self.number(choice.wordings)), _capitalized(slots)))

    def phrase(self, templates: Sequence[str], **slots: str) -> str:
        """A wording of one of the templates with its slots filled.

        Of the wordings drawn it is the first that repeats neither a sentence nor the
        words of one, else the one that repeats fewest.
        """
        best, text = self._best(_choice(tuple(templates)), _capitalized(slots))
        self._frames.update(_sentences(best))
        self._said.update(_sentences(text))
        return text

    def _best(self, choice: Choice, slots: dict[str, str]) -> tuple[str, str]:
        found: tuple[int, int, str, str] | None = None
        tries = _BRIEF_ATTEMPTS if self._brief else 1
        for attempt in range(_ATTEMPTS):
            wording = choice.wording(self.number(choice.wordings))
            text = fill(wording, slots)
            score = self._repeated(wording, text)
            rank = (score, len(text) if self._brief else 0, wording, text)
            found = rank if found is None else min(found, rank, key=lambda one: one[:2])
            if attempt + 1 >= tries and not found[0]:
                break
            if attempt + 1 >= _FRAME_ATTEMPTS and found[0] < _SAID_TWICE:
                break
        assert found is not None
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
