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

    def guess(self, key: str, subject_id: str) -> str | None:
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
    same form, else of the same type. The figure for all questions is that of a guesser who isn't
    told the type and may abstain.
    """
    forms = [form_of(one.text, kept) for one in asked]
    adversarial = QuestionType.ADVERSARIAL.value
    right: Counter[str] = Counter()
    for name in dict.fromkeys(
        one.question_type for one in asked if one.question_type != adversarial
    ):
        chosen = [pair for pair in zip(asked, forms, strict=True) if pair[0].question_type == name]
        right[name] = _right(chosen)
    right[OVERALL] = _right(list(zip(asked, forms, strict=True)))
    sizes = Counter(one.question_type for one in asked)
    sizes[OVERALL] = len(asked)
    return {name: share_of(count, sizes[name]) for name, count in sorted(right.items())}


def _right(chosen: Sequence[tuple[Asked, str]]) -> int:
    """How many answers are guessed right, by the nearest of three keys that others have."""
    answers = _Answers()
    for one, form in chosen:
        for key in _keys(one, form):
            answers.add(key, one.subject_id, one.answer)
    right = 0
    for one, form in chosen:
        found = (answers.guess(key, one.subject_id) for key in _keys(one, form))
        right += next((guess for guess in found if guess is not None), None) == one.answer
    return right


def _keys(one: Asked, form: str) -> tuple[str, str, str]:
    return f"text {one.text.casefold()}", f"form {form}", "any"
