"""How often an answer can be guessed from its question, without any dialogue."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import date
from typing import NamedTuple

from tasks.audit.grounding.dates import DayNamed, dates
from tasks.audit.shares import share_of
from tasks.audit.texts.masking import Kept, form_of
from tasks.contracts.audit import ShareOf
from tasks.contracts.questions import QuestionType

OVERALL = "overall"
COUNTING_STAYS = "counting the stays between the dates"

_ASKS_COUNT = re.compile(
    r"\bhow (?:many(?! (?:more |fewer )?(?:second|minute|hour|day|night|week|month|year))|often)\b"
    r"|\bnumber of\b",
    re.IGNORECASE,
)
_FIRST_NUMBER = re.compile(r"\d+(?![\w.,/-])")


class Asked(NamedTuple):
    """A question as a guesser sees it, with the answer it is to guess."""

    subject_id: str
    question_type: str
    text: str
    """Without opening and dates."""
    answer: str
    stays: int = 0
    """Stays of the patient between the dates that a question about a count names; else 0."""


def stays_between(question: str, starts: Iterable[date]) -> int:
    """How many stays began from the first to the last day that a question about a count names.

    0 where the question asks for no count or names fewer than two days. Dates can be spelled in
    any way; those in the opening words count as well.
    """
    named = (one.what.days() for one in dates(question)[1] if isinstance(one.what, DayNamed))
    days = {day for one in named for day in one}
    if len(days) < 2 or not _ASKS_COUNT.search(question):
        return 0
    return sum(min(days) <= start <= max(days) for start in starts)


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
    Where questions of a type ask for a count between two dates, the right guesses of one who
    counts the patient's stays between them are given as well, of all questions of the type.
    """
    by_kind: defaultdict[str, list[_Keyed]] = defaultdict(list)
    for one in asked:
        keyed = _Keyed(one, form_of(one.text, kept))
        by_kind[OVERALL].append(keyed)
        if one.question_type != QuestionType.ADVERSARIAL.value:
            by_kind[one.question_type].append(keyed)
    found = {kind: share_of(_right(chosen), len(chosen)) for kind, chosen in by_kind.items()}
    for kind, chosen in by_kind.items():
        if kind != OVERALL and any(keyed.one.stays for keyed in chosen):
            right = sum(_is_number_of_stays(keyed.one) for keyed in chosen)
            found[f"{kind}, {COUNTING_STAYS}"] = share_of(right, len(chosen))
    return dict(sorted(found.items()))


def _is_number_of_stays(asked: Asked) -> bool:
    number = _FIRST_NUMBER.search(asked.answer)
    return bool(asked.stays and number and int(number[0]) == asked.stays)


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
