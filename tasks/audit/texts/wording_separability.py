"""How well adversarial questions can be told from answerable ones by their text alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import get_args

import numpy as np

from tasks.audit.shares import rounded
from tasks.audit.texts.masking import text_tokens
from tasks.audit.texts.separating import (
    MOST_FOLDS,
    Flags,
    Scores,
    auroc,
    auroc_interval,
    bags,
    folds_by_group,
    out_of_fold,
)
from tasks.audit.texts.wording_rows import FEWEST_QUESTIONS, Row, length_of, signs_of, terms_of
from tasks.contracts.audit import Separability
from tasks.contracts.questions import Scope

_Readings = dict[str, Scores]


def separability(rows: Sequence[Row]) -> tuple[Separability, dict[Scope, Separability]]:
    """The worst reading of all questions, and of each scope.

    A scope is judged both by models of its own questions and by those of all questions, and the
    worst figure of either is its figure. The order of the rows matters to the last digit: give
    them sorted.
    """
    of_all = _readings(rows, "all")
    scopes: dict[Scope, Separability] = {}
    for scope in get_args(Scope):
        places = [place for place, row in enumerate(rows) if row.scope == scope]
        chosen = [rows[place] for place in places]
        own = _readings(chosen, "its own scope")
        wider = {name: found[places] for name, found in of_all.items()} if own else {}
        scopes[scope] = _worst(chosen, own | wider)
    return _worst(rows, of_all), scopes


def _readings(rows: Sequence[Row], trained_on: str) -> _Readings:
    """Out-of-fold scores by text, classifier and what it learnt from; none where none can be."""
    positive = _positive(rows)
    subjects = [row.subject_id for row in rows]
    if len(set(subjects)) < 2 or positive.all() or not positive.any():
        return {}
    folds = folds_by_group(subjects)
    return {
        f"{text}, {classifier}, trained on {trained_on}": found
        for text, items in _texts(rows).items()
        for classifier, found in out_of_fold(bags(items, FEWEST_QUESTIONS), positive, folds).items()
    }


def _worst(rows: Sequence[Row], scores: _Readings) -> Separability:
    positive = _positive(rows)
    patients, owner = np.unique([row.subject_id for row in rows], return_inverse=True)
    figures = {name: auroc(found, positive) for name, found in scores.items()}
    by = max(figures, key=lambda name: (rounded(figures[name]), name), default="")
    lower, upper = auroc_interval(scores[by], positive, owner) if by else (None, None)
    return Separability(
        patients=len(patients),
        adversarial=int(positive.sum()),
        answerable=int((~positive).sum()),
        folds=min(MOST_FOLDS, len(patients)) if by else 0,
        auroc=rounded(figures[by]) if by else None,
        lower=None if lower is None else rounded(lower),
        upper=None if upper is None else rounded(upper),
        by=by,
        readings={name: rounded(value) for name, value in figures.items()},
    )


def _positive(rows: Sequence[Row]) -> Flags:
    return np.array([row.adversarial for row in rows], dtype=np.bool_)


def _texts(rows: Sequence[Row]) -> dict[str, list[tuple[str, ...]]]:
    """Each question as terms: as it stands, without numbers, and by case and signs alone."""
    masked = [row.masked for row in rows]
    known_by = _patients_by_word(rows, masked)
    return {
        "as it stands": [
            (*terms_of(row.text), *_openings(plain), *_measures(plain, known_by))
            for row, plain in zip(rows, masked, strict=True)
        ],
        "signs only": [tuple(signs_of(row.text)) for row in rows],
        "numbers masked": [
            (*terms_of(plain), *_openings(plain), *_measures(plain, known_by)) for plain in masked
        ],
    }


def _openings(text: str) -> tuple[str, ...]:
    found = text_tokens(text)
    return tuple(f"^{' '.join(found[:count])}" for count in (1, 2))


def _measures(text: str, known_by: Counter[str]) -> tuple[str, ...]:
    """Length in steps of three words, and how rare the rarest word is, in powers of two."""
    found = text_tokens(text)
    rarest = min((known_by[word] for word in found), default=0)
    return (f"#words {length_of(text) // 3}", f"#rarest {rarest.bit_length()}")


def _patients_by_word(rows: Sequence[Row], texts: Sequence[str]) -> Counter[str]:
    """How many patients' questions hold each word."""
    pairs = {
        (row.subject_id, word)
        for row, text in zip(rows, texts, strict=True)
        for word in text_tokens(text)
    }
    return Counter(word for _, word in pairs)
