"""Which words and lengths adversarial and answerable questions have; no rare word is shown."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from tasks.audit.texts.masking import text_tokens, without_opening
from tasks.audit.texts.separating import bags, term_weights
from tasks.audit.texts.wording_rows import FEWEST_QUESTIONS, Row, length_of, terms_of
from tasks.contracts.audit import LengthCount, TermCount

FEWEST_PATIENTS = 3
"""A word or phrase is shown only if the questions of this many patients hold it."""

_TERMS_SHOWN = 20


class _Tally:
    """Questions of both kinds, and patients, that hold each term."""

    def __init__(self) -> None:
        self._adversarial: Counter[str] = Counter()
        self._answerable: Counter[str] = Counter()
        self._patients: defaultdict[str, set[str]] = defaultdict(set)

    def add(self, row: Row, terms: Iterable[str]) -> None:
        kind = self._adversarial if row.adversarial else self._answerable
        for term in terms:
            kind[term] += 1
            self._patients[term].add(row.subject_id)

    def shown(self, term: str, weight: float | None = None) -> TermCount | None:
        """The term's counts; none for a term of so few patients that it could identify one."""
        patients = len(self._patients.get(term, ()))
        if patients < FEWEST_PATIENTS:
            return None
        return TermCount(
            term=term,
            adversarial=self._adversarial[term],
            answerable=self._answerable[term],
            patients=patients,
            weight=weight,
        )

    def __iter__(self) -> Iterator[str]:
        return iter(self._patients)


def first_words(rows: Sequence[Row]) -> tuple[TermCount, ...]:
    """First words after the opening dates, most frequent first."""
    tally = _Tally()
    for row in rows:
        tally.add(row, text_tokens(row.masked)[:1])
    shown = [one for term in tally if (one := tally.shown(term))]
    return tuple(sorted(shown, key=lambda one: (-one.adversarial - one.answerable, one.term)))


def telling_terms(rows: Sequence[Row]) -> tuple[TermCount, ...]:
    """The terms that a linear classifier of all questions weighs most, at either end."""
    positive = np.array([row.adversarial for row in rows], dtype=np.bool_)
    if not positive.any() or positive.all():
        return ()
    terms = [tuple(terms_of(row.masked)) for row in rows]
    tally = _Tally()
    for row, held in zip(rows, terms, strict=True):
        tally.add(row, held)
    known = bags(terms, FEWEST_QUESTIONS)
    weighed = zip(known.names, term_weights(known, positive).tolist(), strict=True)
    shown = [one for term, weight in weighed if (one := tally.shown(term, round(weight, 3)))]
    shown.sort(key=lambda one: (-(one.weight or 0.0), one.term))
    half = _TERMS_SHOWN // 2
    return tuple(shown if len(shown) <= _TERMS_SHOWN else (*shown[:half], *shown[-half:]))


def lengths(rows: Sequence[Row]) -> tuple[LengthCount, ...]:
    """Questions of each length, without the opening dates."""
    counts = Counter((length_of(without_opening(row.text)), row.adversarial) for row in rows)
    return tuple(
        LengthCount(words=words, adversarial=counts[words, True], answerable=counts[words, False])
        for words in sorted({words for words, _ in counts})
    )
