"""Can adversarial questions, or the answers of the others, be told from the wording alone?"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple, get_args

import numpy as np

from tasks.audit.masking import (
    Vocabulary,
    mask_dates,
    mask_numbers,
    text_tokens,
    without_opening,
)
from tasks.audit.separating import (
    CLASSIFIERS,
    auroc,
    auroc_interval,
    bags,
    folds_by_group,
    out_of_fold,
    term_weights,
)
from tasks.audit.wording_guesses import Asked, guesses
from tasks.audit.shares import rounded, share_of
from tasks.contracts.audit import (
    AuditPatient,
    AuditWording,
    LengthCount,
    Separability,
    ShareOf,
    TermCount,
)
from tasks.contracts.questions import QuestionType, Scope
from tasks.terminology.normalization import normalize_question

FEWEST_PATIENTS = 3
"""A word or phrase is shown only if the questions of this many patients hold it."""

FEWEST_QUESTIONS = 2
"""A term that fewer questions hold can't be learnt."""

_TERMS_SHOWN = 20


class _Row(NamedTuple):
    """A question as this audit keeps it."""

    subject_id: str
    qa_id: str
    scope: Scope
    question_type: QuestionType
    text: str
    answer: str

    @property
    def adversarial(self) -> bool:
        return self.question_type is QuestionType.ADVERSARIAL


class WordingAudit:
    """Takes a release patient by patient; the order of patients and questions doesn't matter."""

    def __init__(self, vocabulary: Vocabulary | None = None) -> None:
        self._vocabulary = vocabulary or Vocabulary()
        self._rows: list[_Row] = []

    def add(self, patient: AuditPatient) -> None:
        """Take a patient's questions."""
        self._vocabulary.add(patient)
        self._rows += [
            _Row(patient.subject_id, one.qa_id, one.scope, one.question_type, one.question, one.answer)
            for one in patient.questions
        ]

    def figures(self) -> AuditWording:
        """The figures of all patients taken so far."""
        rows = sorted(self._rows)
        terms = [tuple(_terms(mask_numbers(without_opening(row.text)))) for row in rows]
        return AuditWording(
            overall=_separability(rows),
            scopes={
                scope: _separability([row for row in rows if row.scope == scope])
                for scope in get_args(Scope)
            },
            first_words=_first_words(rows),
            lengths=_lengths(rows),
            telling_terms=_telling(rows, terms),
            always_abstain=_always_abstain(rows),
            guesser=_guesser(rows, self._vocabulary),
        )


def _separability(rows: Sequence[_Row]) -> Separability:
    """The worst of every text and classifier, trained and tested on these questions."""
    positive = np.array([row.adversarial for row in rows], dtype=np.bool_)
    subjects = [row.subject_id for row in rows]
    patients = sorted(set(subjects))
    counts = Separability(
        patients=len(patients),
        adversarial=int(positive.sum()),
        answerable=int((~positive).sum()),
        folds=0,
        auroc=None,
        lower=None,
        upper=None,
        by="",
        readings={},
    )
    if len(patients) < 2 or counts.adversarial == 0 or counts.answerable == 0:
        return counts
    folds = folds_by_group(subjects)
    scores = {
        f"{text}/{classifier}": found
        for text, items in _texts(rows).items()
        for classifier, found in out_of_fold(bags(items, FEWEST_QUESTIONS), positive, folds).items()
    }
    readings = {name: auroc(found, positive) for name, found in scores.items()}
    worst = max(readings, key=lambda name: readings[name])
    owner = np.searchsorted(np.array(patients), np.array(subjects))
    lower, upper = auroc_interval(scores[worst], positive, owner)
    return counts.model_copy(
        update={
            "folds": len(set(folds.tolist())),
            "auroc": rounded(readings[worst]),
            "lower": rounded(lower),
            "upper": rounded(upper),
            "by": worst,
            "readings": {name: rounded(value) for name, value in readings.items()},
        }
    )


def _texts(rows: Sequence[_Row]) -> dict[str, list[tuple[str, ...]]]:
    """Each question as terms: as it stands, and without opening dates and numbers."""
    masked = [mask_numbers(without_opening(row.text)) for row in rows]
    known_by = _patients_by_word(rows, masked)
    return {
        "as it stands": [
            (*_terms(row.text), *_openings(plain), *_measures(plain, known_by))
            for row, plain in zip(rows, masked, strict=True)
        ],
        "numbers masked": [
            (*_terms(plain), *_openings(plain), *_measures(plain, known_by)) for plain in masked
        ],
    }


def _terms(text: str) -> Iterator[str]:
    """The words of a text and its pairs of neighbouring words, each once."""
    found = text_tokens(text)
    yield from dict.fromkeys((*found, *(f"{one} {two}" for one, two in pairwise(found))))


def _openings(text: str) -> tuple[str, ...]:
    found = text_tokens(text)
    return tuple(f"^{' '.join(found[:count])}" for count in (1, 2))


def _measures(text: str, known_by: Counter[str]) -> tuple[str, ...]:
    """Length in steps of three words, and how rare the rarest word is, in powers of two."""
    found = text_tokens(text)
    rarest = min((known_by[word] for word in found), default=0)
    return (f"#words {len(found) // 3}", f"#rarest {rarest.bit_length()}")


def _patients_by_word(rows: Sequence[_Row], texts: Sequence[str]) -> Counter[str]:
    """How many patients' questions hold each word."""
    pairs = {
        (row.subject_id, word)
        for row, text in zip(rows, texts, strict=True)
        for word in text_tokens(text)
    }
    return Counter(word for _, word in pairs)


class _Tally:
    """Questions of both kinds, and patients, that hold each term."""

    def __init__(self) -> None:
        self._adversarial: Counter[str] = Counter()
        self._answerable: Counter[str] = Counter()
        self._patients: defaultdict[str, set[str]] = defaultdict(set)

    def add(self, row: _Row, terms: Iterable[str]) -> None:
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


def _first_words(rows: Sequence[_Row]) -> tuple[TermCount, ...]:
    tally = _Tally()
    for row in rows:
        tally.add(row, text_tokens(mask_numbers(without_opening(row.text)))[:1])
    shown = [one for term in tally if (one := tally.shown(term))]
    return tuple(sorted(shown, key=lambda one: (-one.adversarial - one.answerable, one.term)))


def _telling(rows: Sequence[_Row], terms: Sequence[tuple[str, ...]]) -> tuple[TermCount, ...]:
    """The terms that a linear classifier of all questions weighs most, at either end."""
    positive = np.array([row.adversarial for row in rows], dtype=np.bool_)
    if not positive.any() or positive.all():
        return ()
    tally = _Tally()
    for row, held in zip(rows, terms, strict=True):
        tally.add(row, held)
    known = bags(terms, FEWEST_QUESTIONS)
    weighed = zip(known.names, term_weights(known, positive).tolist(), strict=True)
    shown = [one for term, weight in weighed if (one := tally.shown(term, round(weight, 3)))]
    shown.sort(key=lambda one: (-(one.weight or 0.0), one.term))
    half = _TERMS_SHOWN // 2
    return tuple(shown if len(shown) <= _TERMS_SHOWN else (*shown[:half], *shown[-half:]))


def _lengths(rows: Sequence[_Row]) -> tuple[LengthCount, ...]:
    counts = Counter(
        (len(text_tokens(without_opening(row.text))), row.adversarial) for row in rows
    )
    return tuple(
        LengthCount(words=words, adversarial=counts[words, True], answerable=counts[words, False])
        for words in sorted({words for words, _ in counts})
    )


def _always_abstain(rows: Sequence[_Row]) -> dict[str, ShareOf]:
    adversarial = sum(row.adversarial for row in rows)
    return {
        "overall": share_of(adversarial, len(rows)),
        "adversarial": share_of(adversarial, adversarial),
        "answerable": share_of(0, len(rows) - adversarial),
    }


def _guesser(rows: Sequence[_Row], vocabulary: Vocabulary) -> dict[str, ShareOf]:
    asked = [
        Asked(
            row.subject_id,
            row.question_type.value,
            mask_dates(without_opening(row.text)),
            normalize_question(row.answer),
        )
        for row in rows
    ]
    return guesses(asked, vocabulary.frame())
