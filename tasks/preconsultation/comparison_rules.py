"""The programmatic comparer: finds the guideline that a fact is about, by words."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from tasks.preconsultation.shapes import NONE_OF_ABOVE, ComparedTurn, CompareTask
from tasks.preconsultation.terms import content_words
from tasks.terminology.splitting import split_words

LEAST_SHARE = 0.66
"""Share of a wording's weight that a fact has to hold to be about it."""

_WORDINGS = re.compile(
    r"[(),:;/&]|\s[-\u2013]\s|\b(?:or|and|esp\.?|e\.g\.|etc\.)(?=\s|$)|\s및\s|\s또는\s"
)


_OF_RELATIVES = "<family history>"
_OF_BOTH = "personal"


@dataclass(frozen=True)
class _Guidelines:
    """The guidelines of a disease: every wording as its words, and what each word weighs.

    ``plain`` are the texts without case and punctuation.
    """

    texts: tuple[str, ...]
    plain: tuple[str, ...]
    wordings: tuple[tuple[frozenset[str], ...], ...]
    words: tuple[frozenset[str], ...]
    weights: Mapping[str, float]


def compare_by_rules(task: CompareTask) -> ComparedTurn:
    """For each fact the guideline whose wording it holds best, else none.

    A guideline gives several wordings: in and outside of parentheses, between commas and slashes.
    A fact about relatives is held against guidelines about relatives alone, and one about the
    patient against the others. Of equally good ones the heavier wording wins, then the guideline
    that the fact holds word for word, then the earlier.
    """
    known = _read(task.guidelines)
    return ComparedTurn(matches=tuple(_match(one, known) for one in task.statements))


def _match(statement: str, known: _Guidelines) -> str:
    words = set(content_words(statement))
    said = _plain(statement)
    best, found = (0.0, 0.0, False), NONE_OF_ABOVE
    guidelines = zip(known.texts, known.plain, known.wordings, known.words, strict=True)
    for text, plain, wordings, own in guidelines:
        if (_OF_RELATIVES in own) != (_OF_RELATIVES in words) and _OF_BOTH not in own:
            continue
        for wording in wordings:
            whole = sum(known.weights[word] for word in wording)
            held = sum(known.weights[word] for word in wording & words)
            fit = (held / whole, held, plain in said)
            if held / whole >= LEAST_SHARE and fit > best:
                best, found = fit, text
    return found


@lru_cache(maxsize=256)
def _read(texts: tuple[str, ...]) -> _Guidelines:
    wordings = tuple(tuple(_wordings(text)) for text in texts)
    held = Counter(word for one in wordings for word in set[str]().union(*one))
    weights = {word: math.log(1 + len(texts) / times) for word, times in held.items()}
    words = tuple(frozenset(content_words(text)) for text in texts)
    plain = tuple(map(_plain, texts))
    return _Guidelines(texts, plain, wordings, words, weights)


def _plain(text: str) -> str:
    return f" {' '.join(split_words(text))} "


def _wordings(text: str) -> Iterator[frozenset[str]]:
    pieces: Sequence[str] = [text, *_WORDINGS.split(text)]
    words = (frozenset(content_words(piece)) for piece in pieces)
    yield from dict.fromkeys(one for one in words if one)
