"""Cues and key words by which rules read a query or a sentence."""

from __future__ import annotations

from collections.abc import Iterable

from tasks.contracts.rubrics import Query
from tasks.rubrics.words import form_words
from tasks.terminology.splitting import split_words

_SEARCH_WORDS = 40


def key_words(query: Query) -> str:
    """What a query is about: its words without form words; Chinese as it is."""
    if query.language == "zh":
        return " ".join(query.question.split())
    words = [word for word in split_words(query.said) if word not in form_words()]
    return " ".join(list(dict.fromkeys(words))[-_SEARCH_WORDS:]) or query.question


def has_cue(text: str, cues: Iterable[str]) -> bool:
    """Whether a text holds one of some cues, in any case."""
    folded = text.casefold()
    return any(cue in folded for cue in cues)
