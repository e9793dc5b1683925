"""One system's scores as columns of numbers; NaN where a question counts in no mean."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tasks.contracts.evaluation import Estimated, GroupScores, ItemScore, Recipe
from tasks.contracts.questions import QuestionType
from tasks.scoring.bootstrap import Floats

RECIPES: tuple[Recipe, ...] = ("medlocomo", "clinical")

SCORES = slice(9, 11)
"""Columns that hold what a question adds to the Score, by recipe."""

_JUDGE = 6
_NAN = float("nan")
_JUDGED = {"right": 1.0, "wrong": 0.0}


def is_adversarial(item: ItemScore) -> bool:
    """Whether abstaining is the right answer."""
    return item.question_type == QuestionType.ADVERSARIAL


def columns_of(items: Sequence[ItemScore]) -> Floats:
    """Items x figures: F1, precision, recall by recipe, J, Acc by recipe, Score by recipe."""
    rows = [_row(item) for item in items]
    return np.array(rows, dtype=np.float64).reshape(len(items), SCORES.stop)


def adversarial_rows(items: Sequence[ItemScore]) -> NDArray[np.bool_]:
    """Which of the items are adversarial questions."""
    return np.array([is_adversarial(item) for item in items], dtype=np.bool_)


def without_half_scores(values: Floats, adversarial: NDArray[np.bool_]) -> Floats:
    """The columns of a group without a Score that would be of one kind of its questions only.

    Where no answer has a verdict, or no adversarial question an answer, the rest is no Score.
    """
    for of_kind in (adversarial, ~adversarial):
        scores = values[of_kind, SCORES]
        if scores.size and np.isnan(scores).all():
            values = values.copy()
            values[:, SCORES] = _NAN
    return values


def group_scores(estimates: Sequence[Estimated]) -> GroupScores:
    """Estimates of the columns, by name."""
    by_recipe = [dict(zip(RECIPES, estimates[at : at + 2], strict=True)) for at in (0, 2, 4, 7, 9)]
    f1, precision, recall, abstention, score = by_recipe
    return GroupScores(
        f1=f1,
        precision=precision,
        recall=recall,
        judge=estimates[_JUDGE],
        abstention=abstention,
        score=score,
    )


def _row(item: ItemScore) -> list[float]:
    """An adversarial question adds its abstention to the Score, another one its verdict."""
    if is_adversarial(item):
        said = item.abstained
        abstained = [float(said[recipe]) for recipe in RECIPES] if said else [_NAN, _NAN]
        return [_NAN] * (_JUDGE + 1) + 2 * abstained
    verdict = _JUDGED.get(item.judged or "", _NAN)
    return [*_overlaps(item), verdict, _NAN, _NAN, verdict, verdict]


def _overlaps(item: ItemScore) -> list[float]:
    if item.overlap is None:
        return [_NAN] * _JUDGE
    one, other = (item.overlap[recipe] for recipe in RECIPES)
    return [one.f1, other.f1, one.precision, other.precision, one.recall, other.recall]
