"""Words by which rules compare texts: without form words, endings folded, Chinese in pairs."""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path
from unicodedata import normalize

from tasks.rubrics.language import CHINESE
from tasks.terminology.splitting import is_number, split_words

_STOP_FILE = Path(__file__).with_name("form_words.txt")
_ENDINGS = (
    ("ies", "y"),
    ("sses", "ss"),
    ("ation", ""),
    ("ing", ""),
    ("ed", ""),
    ("ly", ""),
    ("es", ""),
    ("s", ""),
    ("e", ""),
)
_SHORTEST_STEM = 4


def content_words(text: str) -> list[str]:
    """The words of a text that say something, in their order; numbers stay as they are."""
    words: list[str] = []
    run: list[str] = []
    for word in split_words(text):
        if CHINESE.fullmatch(word):
            run.append(word)
            continue
        words += _pairs(run)
        run = []
        if word not in form_words():
            words.append(word if is_number(word) else stem(word))
    return [*words, *_pairs(run)]


def fold(text: str) -> str:
    """A text in the form in which duplicates are alike."""
    return " ".join(normalize("NFKC", text).casefold().split()).rstrip(".。 ")


@lru_cache(maxsize=65_536)
def word_set(text: str) -> frozenset[str]:
    """The content words of a text, each once."""
    return frozenset(content_words(text))


def coverage(needed: frozenset[str], held: frozenset[str]) -> float:
    """Share of the needed words that are held; 0 where none is needed."""
    return len(needed & held) / len(needed) if needed else 0.0


@cache
def form_words() -> frozenset[str]:
    """English words that say nothing of what a text is about."""
    return frozenset(_STOP_FILE.read_text(encoding="utf-8").split())


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """A word without its ending, so that forms of a word are alike: a rough rule, no grammar."""
    for ending, other in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) + len(other) >= _SHORTEST_STEM:
            return word[: len(word) - len(ending)] + other
    return word


def _pairs(run: list[str]) -> list[str]:
    """Chinese characters as overlapping pairs; a lone one by itself."""
    if len(run) < 2:
        return list(run)
    return [run[at] + run[at + 1] for at in range(len(run) - 1)]
