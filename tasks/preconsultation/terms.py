"""The words of a text that carry meaning, in one form for all their spellings."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import cast

from tasks.terminology.splitting import split_words

_FOLDER = Path(__file__).resolve().parent / "wording"
_SHORT = 3


@lru_cache(maxsize=1 << 16)
def content_words(text: str) -> tuple[str, ...]:
    """Words without stop words, English ones without plural endings.

    Phrases of the lexicon (shortness of breath, dyspnea) become the one name of their idea.
    """
    words = [_stem(word) for word in split_words(text)]
    found: list[str] = []
    at = 0
    while at < len(words):
        length, idea = _idea(words, at)
        if idea or words[at] not in _stop_words():
            found.append(idea or words[at])
        at += length
    return tuple(found)


def _idea(words: list[str], at: int) -> tuple[int, str]:
    """How many words the longest phrase takes that begins here, and its idea."""
    for length in range(min(_longest(), len(words) - at), 0, -1):
        idea = _phrases().get(tuple(words[at : at + length]))
        if idea is not None:
            return length, idea
    return 1, ""


def _stem(word: str) -> str:
    if not word.isascii() or len(word) <= _SHORT or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    return word[:-1] if word.endswith("s") else word


@cache
def _lexicon() -> Mapping[str, object]:
    text = (_FOLDER / "lexicon.json").read_text(encoding="utf-8")
    return cast("dict[str, object]", json.loads(text))


@cache
def _stop_words() -> frozenset[str]:
    words = cast("list[str]", _lexicon()["stop_words"])
    return frozenset(_stem(part) for word in words for part in split_words(word))


@cache
def _phrases() -> dict[tuple[str, ...], str]:
    return dict(_spelled())


@cache
def _longest() -> int:
    return max(len(phrase) for phrase in _phrases())


def _spelled() -> Iterator[tuple[tuple[str, ...], str]]:
    ideas = cast("dict[str, list[str]]", _lexicon()["ideas"])
    for idea, spellings in ideas.items():
        for spelling in spellings:
            yield tuple(_stem(word) for word in split_words(spelling)), f"<{idea}>"
