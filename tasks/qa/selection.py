"""Which candidates are asked: drawn so that wording betrays nothing.

An answerable target is drawn with the share of the cohort that lacks it as weight, an absent one
with the share that has it: over the cohort both kinds of question name a target equally
often. Weights are scaled by family with figures of the cohort, not of the patient, because a scale
of the patient's own would undo this where a patient has few targets.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import TypeVar

from tasks.qa.candidates import Candidate
from tasks.qa.lexicon import Frequencies

_SAME_FAMILY = 0.7
_PLAIN = 0.1
_LEAST_WORTH = 0.05
# A patient with many stays and one thing to ask would else weigh nothing in the end.
_LEAST_FRESH = 1e-9
_LEAST_SHARE = 0.02
_COUNT_POWER = 2.0
_GUESS_POWER = 2.0
_FEW_CITES = 2
_CITES_POWER = 3.0
_LEVELLING = 0.6
_LEAST_MASS = 2.0
# Above 1 because a patient's few candidates are used up: common targets get asked in the end.
_SCARCITY_POWER = 1.5
_SAME_TARGET = 0.4
_SAME_ANSWER = 0.5

Item = TypeVar("Item")


def draw(items: Sequence[Item], weights: Sequence[float], rng: random.Random) -> Item:
    """One item with a chance in proportion to its weight; where all are 0 each has the same."""
    if not any(weights):
        return rng.choice(items)
    mark = rng.random() * sum(weights)
    for item, weight in zip(items, weights, strict=True):
        mark -= weight
        if mark < 0:
            return item
    return next(item for item, weight in zip(items, weights, strict=True) if weight > 0)


class Picker:
    """Hands out candidates: better ones first, families and targets rarely twice."""

    def __init__(
        self, candidates: Iterable[Candidate], frequencies: Frequencies, rng: random.Random
    ) -> None:
        self._rng = rng
        self._families: Counter[str] = Counter()
        self._targets: Counter[str] = Counter()
        self._answers: Counter[str] = Counter()
        self._tiers: tuple[list[tuple[Candidate, float]], ...] = ([], [], [])
        self._fillers: list[tuple[Candidate, float]] = []
        known = tuple(candidates)
        same_answer = Counter((*_likeness(one), one.answer) for one in known)
        answers = Counter(key[:-1] for key in same_answer)
        for candidate in known:
            likeness = _likeness(candidate)
            weight = _weight(candidate, frequencies)
            alike = answers[likeness] * same_answer[*likeness, candidate.answer]
            tier = self._tiers[_tier(candidate, weight)]
            chosen = self._fillers if candidate.filler else tier
            chosen.append((candidate, (weight or 1.0) / alike))
        for tier in (*self._tiers, self._fillers):
            tier[:] = [(one, weight * _worth(one, frequencies)) for one, weight in _levelled(tier)]

    def pick(self, *, keep: bool = False, filler: bool = False) -> Candidate | None:
        """The next candidate, or None when none is left; fillers only where they are wanted.

        ``keep`` leaves it to be picked again.
        """
        tiers = (*self._tiers, self._fillers) if filler else self._tiers
        tier = next((tier for tier in tiers if tier), None)
        if tier is None:
            return None
        weights = [base * self._freshness(candidate) for candidate, base in tier]
        position = draw(range(len(weights)), weights, self._rng)
        chosen, _ = tier[position] if keep else tier.pop(position)
        self._families[chosen.family] += 1
        self._targets.update(chosen.labels())
        self._answers[chosen.answer] += 1
        return chosen

    def _freshness(self, candidate: Candidate) -> float:
        repeats = sum(self._targets[label] for label in candidate.labels())
        fresh = (
            _SAME_FAMILY ** self._families[candidate.family]
            * _SAME_TARGET**repeats
            * _SAME_ANSWER ** self._answers[candidate.answer]
        )
        return max(fresh, _LEAST_FRESH)


def _tier(candidate: Candidate, weight: float) -> int:
    """Whose turn comes first: 0, then 1, which no absent target can copy or anybody can guess."""
    return 2 if candidate.fallback else int(weight == 0 or candidate.guessable)


def _worth(candidate: Candidate, frequencies: Frequencies) -> float:
    """Less for what reads one statement back, can be guessed, or takes many turns."""
    share = frequencies.answer_share(candidate.family, candidate.answer)
    if candidate.counts:
        # Small counts are many: all counts are wanted alike often, though large ones take turns.
        return max(share, _LEAST_SHARE) ** -_COUNT_POWER / len(candidate.cites)
    unsure = 1 - share
    short = (_FEW_CITES / max(_FEW_CITES, len(candidate.cites))) ** _CITES_POWER
    return max(unsure, _LEAST_WORTH) ** _GUESS_POWER * short * (_PLAIN if candidate.plain else 1.0)


def _levelled(tier: list[tuple[Candidate, float]]) -> list[tuple[Candidate, float]]:
    """Families nearer to one another in weight, so that no form crowds out the others."""
    total: dict[str, float] = defaultdict(float)
    for candidate, weight in tier:
        total[candidate.family] += weight
    return [(one, weight / total[one.family] ** _LEVELLING) for one, weight in tier]


def _likeness(candidate: Candidate) -> tuple[str, ...]:
    return (candidate.family, *candidate.labels())


def _weight(candidate: Candidate, frequencies: Frequencies) -> float:
    """Weight before freshness; families that few absent targets could copy stay rare."""
    weight = 1.0
    for label in candidate.labels():
        weight *= frequencies.scarcity(candidate.vocabulary, label) ** _SCARCITY_POWER
    return weight / max(frequencies.mass(candidate.vocabulary), _LEAST_MASS)
