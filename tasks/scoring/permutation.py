"""Compares systems in pairs: paired permutation tests over patients, corrected for several."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from tasks.contracts.evaluation import Comparison, ItemScore
from tasks.scoring.bootstrap import Floats, Resampling, sum_by_patient
from tasks.scoring.columns import (
    RECIPES,
    SCORES,
    adversarial_rows,
    columns_of,
    without_half_scores,
)
from tasks.scoring.summary import RESAMPLES, by_system

EXACT_PATIENTS = 12
"""Up to here all ways of swapping the two systems in patients are tried."""

RANDOM_SWAPS = 10_000

_TOLERANCE = 1e-9


def compare(scores: Iterable[ItemScore], *, seed: int) -> tuple[Comparison, ...]:
    """Every pair of systems with the same judge and recipes, on what both have a Score on.

    The difference is of mean Scores; p values are Holm-adjusted over all pairs of a recipe.
    """
    systems = by_system(scores)
    questions = sorted({_key(item) for items in systems.values() for item in items})
    subjects = sorted({subject_id for subject_id, _ in questions})
    codes = {subject_id: code for code, subject_id in enumerate(subjects)}
    paired = _Paired(
        patients=np.array([codes[subject_id] for subject_id, _ in questions], dtype=np.intp),
        resampling=Resampling(len(subjects), RESAMPLES, seed),
        swaps=_swaps(len(subjects), seed),
    )
    rows = {question: row for row, question in enumerate(questions)}
    values = {key: _values(items, rows) for key, items in systems.items()}
    recipes = {key: items[0].recipes for key, items in systems.items()}
    pairs = [
        paired.compared((first[0], second[0]), first[1], values[first] - values[second])
        for first, second in combinations(values, 2)
        if first[1] == second[1] and recipes[first] == recipes[second]
    ]
    by_recipe = zip(*pairs, strict=True)
    return tuple(one for compared in by_recipe for one in _adjusted(compared))


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Holm's adjusted p values, in the order given."""
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for rank, at in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[at]))
        adjusted[at] = largest
    return tuple(adjusted)


def p_value(differences: Floats, swaps: Floats) -> float:
    """Two-sided p value of the sum of the patients' differences, by swapping systems in patients.

    Exact where at most twelve patients differ: over all ways to swap. Otherwise over random ones,
    counting the one observed.
    """
    differing = differences[differences != 0]
    reach = abs(differing.sum()) - _TOLERANCE
    if differing.size <= EXACT_PATIENTS:
        ways = list(product((1.0, -1.0), repeat=differing.size))
        signs: Floats = np.array(ways, dtype=np.float64)
        return float(np.count_nonzero(np.abs(signs @ differing) >= reach) / len(ways))
    reached = np.count_nonzero(np.abs(swaps @ differences) >= reach)
    return float((1 + reached) / (1 + len(swaps)))


@dataclass(frozen=True)
class _Paired:
    """The patients of all questions, and how they are drawn again and swapped."""

    patients: NDArray[np.intp]
    resampling: Resampling
    swaps: Floats

    def compared(
        self, pair: tuple[str, str], judge: str, differences: Floats
    ) -> tuple[Comparison, ...]:
        """Two systems by the differences of their scores, questions x recipes: one a recipe."""
        sums = sum_by_patient(differences, self.patients, self.resampling.patients)
        estimates = self.resampling.estimate(sums)
        return tuple(
            Comparison(
                first=pair[0],
                second=pair[1],
                judge=judge,
                recipe=recipe,
                difference=estimates[at],
                p_value=p_value(sums.totals[:, at], self.swaps) if estimates[at].n else None,
                p_adjusted=None,
            )
            for at, recipe in enumerate(RECIPES)
        )


def _key(item: ItemScore) -> tuple[str, str]:
    return item.subject_id, item.qa_id


def _values(items: list[ItemScore], rows: Mapping[tuple[str, str], int]) -> Floats:
    """What each question adds to a system's Score, questions x recipes; NaN where nothing."""
    values = np.full((len(rows), len(RECIPES)), np.nan)
    scores = without_half_scores(columns_of(items), adversarial_rows(items))[:, SCORES]
    values[[rows[_key(item)] for item in items]] = scores
    return values


def _swaps(patients: int, seed: int) -> Floats:
    if patients <= EXACT_PATIENTS:
        return np.zeros((0, patients))
    drawn = np.random.default_rng(seed).integers(0, 2, (RANDOM_SWAPS, patients))
    return drawn.astype(np.float64) * 2 - 1


def _adjusted(compared: Sequence[Comparison]) -> list[Comparison]:
    tested = [one.p_value for one in compared if one.p_value is not None]
    adjusted = iter(holm(tested))
    return [
        one if one.p_value is None else one.model_copy(update={"p_adjusted": next(adjusted)})
        for one in compared
    ]
