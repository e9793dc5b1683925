"""Classifiers and the area under the ROC curve, on figures worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.audit.texts.separating import (
    CLASSIFIERS,
    auroc,
    auroc_interval,
    bags,
    concordance,
    folds_by_group,
    out_of_fold,
    term_weights,
)


def flags(*values: int) -> np.ndarray:
    return np.array(values, dtype=np.bool_)


@pytest.mark.parametrize(
    ("scores", "positive", "expected"),
    [
        ([3.0, 2.0, 1.0, 0.0], [1, 1, 0, 0], 1.0),
        ([0.0, 1.0, 2.0, 3.0], [1, 1, 0, 0], 0.0),
        ([1.0, 1.0, 1.0], [1, 0, 0], 0.5),
        # Pairs (3 over 2, 3 over 0, 1 under 2, 1 over 0): 3 of 4.
        ([3.0, 1.0, 2.0, 0.0], [1, 1, 0, 0], 0.75),
    ],
)
def test_auroc(scores: list[float], positive: list[int], expected: float) -> None:
    assert auroc(np.array(scores), flags(*positive)) == expected


@given(st.lists(st.tuples(st.integers(0, 4), st.booleans(), st.integers(0, 3)), min_size=1))
def test_pairs_add_up_whatever_the_groups(items: list[tuple[int, bool, int]]) -> None:
    scores = np.array([float(score) for score, _, _ in items])
    positive = np.array([flag for _, flag, _ in items], dtype=np.bool_)
    groups = np.array([group for _, _, group in items], dtype=np.int64)
    expected = sum(
        1.0 if high > low else 0.5 if high == low else 0.0
        for high in scores[positive]
        for low in scores[~positive]
    )
    assert concordance(scores, positive, groups).sum() == expected


def test_the_interval_holds_the_figure_and_is_wide_where_groups_are_few() -> None:
    scores = np.array([3.0, 1.0, 2.0, 0.0] * 25)
    positive = flags(*[1, 1, 0, 0] * 25)
    many = auroc_interval(scores, positive, np.arange(100) // 4)
    assert many[0] < 0.75 < many[1]
    few = auroc_interval(scores[:8], positive[:8], np.arange(8) // 4)
    assert few[0] < many[0] and few[1] > many[1]


def test_a_group_is_never_cut_and_folds_are_alike() -> None:
    groups = ["a"] * 6 + ["b"] * 3 + ["c"] * 3 + ["d", "e", "f", "g", "h", "i"]
    folds = folds_by_group(groups).tolist()
    assert all(
        len({f for g, f in zip(groups, folds, strict=True) if g == one}) == 1 for one in "abc"
    )
    assert sorted(np.bincount(folds).tolist()) == [2, 2, 3, 3, 6] or sorted(
        np.bincount(folds).tolist()
    ) == [3, 3, 3, 3, 6]
    assert len(set(folds_by_group(["a", "b"]).tolist())) == 2


def test_every_classifier_learns_a_telling_term_and_none_learns_an_even_one() -> None:
    items = [("did", "it"), ("what", "it"), ("what", "it")] * 10
    positive = flags(*[1, 0, 0] * 10)
    folds = folds_by_group([str(place // 3) for place in range(30)])
    for name, scores in out_of_fold(bags(items, 2), positive, folds).items():
        assert name in CLASSIFIERS
        assert auroc(scores, positive) == 1.0
    even = out_of_fold(bags([("it",)] * 30, 2), positive, folds)
    assert {name: auroc(scores, positive) for name, scores in even.items()} == dict.fromkeys(
        CLASSIFIERS, 0.5
    )


def test_weights_point_to_the_positive_class() -> None:
    terms = bags([("did", "it"), ("what", "it")] * 5, 2)
    weights = dict(zip(terms.names, term_weights(terms, flags(*[1, 0] * 5)), strict=True))
    assert weights["did"] > 0 > weights["what"]


def test_items_without_a_common_term_are_one_empty_column() -> None:
    assert bags([("a",), ("b",)], 2).names == [""]
