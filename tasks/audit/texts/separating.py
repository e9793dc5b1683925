"""Two kinds of text classifier, and how well their scores separate two classes of items."""

# scikit-learn and SciPy publish no types.
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false
from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import ComplementNB

Scores = NDArray[np.float64]
Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]

CLASSIFIERS = ("logistic regression", "complement naive Bayes")
MOST_FOLDS = 5
RESAMPLES = 500
_SEED = 20_240_601

# The types that a checker infers from their defaults refuse what their documentation accepts.
_counting = cast("Any", CountVectorizer)
_bayes = cast("Any", ComplementNB)


class Terms(NamedTuple):
    """Items as bags of terms."""

    counts: Any
    """Sparse matrix, a row an item and a column a term: 1 where the item holds the term."""
    names: list[str]


def bags(items: Sequence[Sequence[str]], fewest: int) -> Terms:
    """Terms that at least ``fewest`` items hold; one column of nothing where there are none."""
    vectorizer = _counting(analyzer=_as_it_is, binary=True, min_df=fewest, dtype=np.float64)
    try:
        counts = vectorizer.fit_transform(items)
    except ValueError:
        return Terms(_counting(analyzer=_nothing).fit_transform(items), [""])
    return Terms(counts, cast("list[str]", vectorizer.get_feature_names_out().tolist()))


def _as_it_is(item: Sequence[str]) -> Sequence[str]:
    return item


def _nothing(_: Sequence[str]) -> Sequence[str]:
    return ("",)


def folds_by_group(groups: Sequence[str]) -> Numbers:
    """The fold of each item: groups are kept whole, and the folds' sizes alike."""
    sizes = {group: 0 for group in groups}
    for group in groups:
        sizes[group] += 1
    order = sorted(sizes, key=lambda group: (-sizes[group], sha256(group.encode()).digest()))
    loads = [0] * min(MOST_FOLDS, len(order))
    fold_of: dict[str, int] = {}
    for group in order:
        fold_of[group] = loads.index(min(loads))
        loads[fold_of[group]] += sizes[group]
    return np.array([fold_of[group] for group in groups], dtype=np.int64)


def out_of_fold(terms: Terms, positive: Flags, folds: Numbers) -> dict[str, Scores]:
    """Each classifier's score of every item, by a model that never saw the item's group.

    Folds whose training half holds one class only score every item 0.
    """
    scores = {name: np.zeros(len(positive)) for name in CLASSIFIERS}
    for fold in np.unique(folds):
        held_out = folds == fold
        train = positive[~held_out]
        if train.all() or not train.any():
            continue
        weighting = TfidfTransformer(sublinear_tf=True).fit(terms.counts[~held_out])
        known = weighting.transform(terms.counts[~held_out])
        asked = weighting.transform(terms.counts[held_out])
        linear = _linear().fit(known, train)
        scores[CLASSIFIERS[0]][held_out] = linear.decision_function(asked)
        bayes = _bayes(alpha=0.3).fit(known, train)
        odds: Scores = bayes.predict_joint_log_proba(asked)
        scores[CLASSIFIERS[1]][held_out] = odds[:, 1] - odds[:, 0]
    return scores


def _linear() -> Any:
    return LogisticRegression(C=3.0, max_iter=300, tol=1e-4)


def term_weights(terms: Terms, positive: Flags) -> Scores:
    """Log-odds of the positive class for each term, by a linear model of all items."""
    known = TfidfTransformer(sublinear_tf=True).fit_transform(terms.counts)
    return cast("Scores", _linear().fit(known, positive).coef_[0])


def concordance(scores: Scores, positive: Flags, groups: Numbers) -> Scores:
    """Pairs in which the positive item of one group outscores the negative item of another.

    Row: the positive item's group; column: the negative one's. A tie counts one half.
    """
    size = int(groups.max()) + 1
    pairs = np.zeros((size, size))
    high, owner = scores[positive], groups[positive]
    for group in range(size):
        low = np.sort(scores[~positive & (groups == group)])
        below = np.searchsorted(low, high, side="left")
        beside = np.searchsorted(low, high, side="right") - below
        pairs[:, group] = np.bincount(owner, weights=below + beside / 2, minlength=size)
    return pairs


def auroc(scores: Scores, positive: Flags) -> float:
    """Chance that a positive item outscores a negative one; ties count one half."""
    groups = np.zeros(len(scores), dtype=np.int64)
    pairs = concordance(scores, positive, groups)
    return float(pairs[0, 0] / (positive.sum() * (~positive).sum()))


def auroc_interval(scores: Scores, positive: Flags, groups: Numbers) -> tuple[float, float]:
    """95 % interval of the AUROC: the wider of two, on either side.

    One draws whole groups anew, with replacement; the other (Hanley and McNeil, 1982) takes items
    as independent, and is the wider where groups are few.
    """
    drawn = _drawn_figures(scores, positive, groups)
    figure = auroc(scores, positive)
    half = 1.96 * _standard_error(figure, int(positive.sum()), int((~positive).sum()))
    low, high = np.percentile(drawn, [2.5, 97.5]) if len(drawn) else (figure, figure)
    return max(0.0, min(float(low), figure - half)), min(1.0, max(float(high), figure + half))


def _drawn_figures(scores: Scores, positive: Flags, groups: Numbers) -> Scores:
    """The AUROC of each draw of groups that holds both classes."""
    pairs = concordance(scores, positive, groups)
    size = len(pairs)
    of_positive = np.bincount(groups[positive], minlength=size).astype(np.float64)
    of_negative = np.bincount(groups[~positive], minlength=size).astype(np.float64)
    drawn = np.random.default_rng(_SEED).multinomial(size, [1 / size] * size, RESAMPLES)
    weights = drawn.astype(np.float64)
    above = ((weights @ pairs) * weights).sum(axis=1)
    possible = (weights @ of_positive) * (weights @ of_negative)
    return above[possible > 0] / possible[possible > 0]


def _standard_error(figure: float, positive: int, negative: int) -> float:
    both_above = figure / (2 - figure)
    both_below = 2 * figure**2 / (1 + figure)
    variance = (
        figure * (1 - figure)
        + (positive - 1) * (both_above - figure**2)
        + (negative - 1) * (both_below - figure**2)
    )
    return float(np.sqrt(max(variance, 0.0) / (positive * negative)))
