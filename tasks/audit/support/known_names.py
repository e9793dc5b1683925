"""Names of things that the lists of spellings know, and what else they are called."""

from __future__ import annotations

from functools import lru_cache

from tasks.audit.support.reading_words import keys_of
from tasks.terminology.question_spellings import question_spellings
from tasks.terminology.synonyms import synonyms
from tasks.terminology.vocabulary import VocabularyName, vocabulary

_NAMES: tuple[VocabularyName, ...] = ("drugs", "diagnoses", "findings", "procedures", "organisms")


@lru_cache(maxsize=1)
def _spellings() -> dict[str, list[tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]]]:
    known: dict[str, list[tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]]] = {}
    lists = (group for name in _NAMES for group in vocabulary(name).groups)
    for group in (*synonyms().synonyms, *question_spellings(), *lists):
        spelled = tuple(dict.fromkeys(keys for one in group if (keys := keys_of(one))))
        for keys in spelled:
            known.setdefault(keys[0], []).append((keys, spelled))
    return known


def longest_known(keys: tuple[str, ...]) -> tuple[int, tuple[tuple[str, ...], ...]]:
    """The longest known phrase at the start, and what else it is called."""
    size = 0
    others: tuple[tuple[str, ...], ...] = ()
    for phrase, spelled in _spellings().get(keys[0], ()):
        if keys[: len(phrase)] == phrase and len(phrase) >= size:
            others = (*others, *spelled) if len(phrase) == size else spelled
            size = len(phrase)
    return size, others
