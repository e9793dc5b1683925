"""Questions as the audit of wording keeps and reads them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from tasks.audit.texts.masking import mask_numbers, text_tokens, without_opening
from tasks.contracts.questions import QuestionType, Scope

_WORD = re.compile(r"[^\W\d_]+")
_NUMBER = re.compile(r"\d+")

FEWEST_QUESTIONS = 2
"""A term that fewer questions hold can't be learnt."""


class Row(NamedTuple):
    """A question as this audit keeps it."""

    subject_id: str
    qa_id: str
    scope: Scope
    question_type: QuestionType
    text: str
    answer: str
    stays: int = 0
    """Stays between the dates that a question about a count names, else 0."""

    @property
    def adversarial(self) -> bool:
        """Whether abstention is the right answer."""
        return self.question_type is QuestionType.ADVERSARIAL

    @property
    def masked(self) -> str:
        """The question without opening dates and numbers."""
        return mask_numbers(without_opening(self.text))


def terms_of(text: str) -> Iterator[str]:
    """The words of a text and its pairs of neighbouring words, each once."""
    found = text_tokens(text)
    yield from dict.fromkeys((*found, *(f"{one} {two}" for one, two in pairwise(found))))


def signs_of(text: str) -> Iterator[str]:
    """How a text is written, whatever it says: runs of three signs, each once.

    A word is ``a``, ``A`` or ``Aa`` by its case, a number ``0``; blanks, stops and every other
    character, invisible ones too, stand for themselves.
    """
    shape = f"^{_NUMBER.sub('0', _WORD.sub(_case, without_opening(text)))}$"
    yield from dict.fromkeys(shape[at : at + 3] for at in range(len(shape) - 2))


def _case(word: re.Match[str]) -> str:
    text = word[0]
    if text.islower():
        return "a"
    return "A" if text.isupper() else "Aa"


def length_of(text: str) -> int:
    """Words of a question; signs don't count."""
    return sum(token != "?" for token in text_tokens(text))
