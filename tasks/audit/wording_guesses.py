"""How often an answer can be guessed from its question, without any dialogue."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from tasks.audit.masking import Kept, form_of
from tasks.audit.shares import share_of
from tasks.contracts.audit import ShareOf
from tasks.contracts.questions import QuestionType

OVERALL = "overall"


class Asked(NamedTuple):
    """A question as a guesser sees it, with the answer it is to guess."""

    subject_id: str
    question_type: str
    text: str
    """Without opening and dates."""
    answer: str


class _Answers:
    """Answers given under a key, by all patients and by each."""

    def __init__(self) -> None:
        self._all: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self._own: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        self._known: dict[tuple[str, str], str | None] = {}

    def add(self, key: str, subject_id: str, answer: str) -> None:
        self._all[key][answer] += 1
        self._own[key, subject_id][answer] += 1

    def first_guess(self, keys: Sequence[str], subject_id: str) -> str | None:
        """The guess by the first key under which other patients have an answer."""
        found = (self._guess(key, subject_id) for key in keys)
        return next((guess for guess in found if guess is not None), None)

    def _guess(self, key: str, subject_id: str) -> str | None:
        """The commonest answer among other patients, the first by name among equals."""
        place = (key, subject_id)
        if place not in self._known:
            own = self._own.get(place, Counter[str]())
            others = {answer: count - own[answer] for answer, count in self._all[key].items()}
            best = min(others, key=lambda answer: (-others[answer], answer), default=None)
            self._known[place] = best if best is not None and others[best] > 0 else None
        return self._known[place]


def guesses(asked: Sequence[Asked], kept: Kept) -> dict[str, ShareOf]:
    """Right guesses of each type but adversarial, and of all questions.

    The guess is the commonest answer among other patients' questions of the same text, else of the
    same form, else of the same type; or it begins with the form. The better of the two is given.
    The figure for all questions is that of a guesser who isn't told the type and may abstain.
    """
    by_kind: defaultdict[str, list[_Keyed]] = defaultdict(list)
    for one in asked:
        keyed = _Keyed(one, form_of(one.text, kept))
        by_kind[OVERALL].append(keyed)
        if one.question_type != QuestionType.ADVERSARIAL.value:
            by_kind[one.question_type].append(keyed)
    return {kind: share_of(_right(chosen), len(chosen)) for kind, chosen in sorted(by_kind.items())}


class _Keyed(NamedTuple):
    one: Asked
    form: str

    def nearest_first(self) -> tuple[str, str, str]:
        """What other questions are sought by, nearest first."""
        return f"text {self.one.text.casefold()}", f"form {self.form}", "any"


def _right(chosen: Sequence[_Keyed]) -> int:
    """How many answers the better of two guessers gets right."""
    answers = _Answers()
    for keyed in chosen:
        for key in keyed.nearest_first():
            answers.add(key, keyed.one.subject_id, keyed.one.answer)
    return max(
        sum(
            answers.first_guess(keyed.nearest_first()[nearest:], keyed.one.subject_id)
            == keyed.one.answer
            for keyed in chosen
        )
        for nearest in (0, 1)
    )
