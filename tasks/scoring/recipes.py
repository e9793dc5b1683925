"""Token overlap of an answer with the gold answer, by two named recipes (spec section 9)."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache

from tasks.contracts.evaluation import OverlapScore, Recipe
from tasks.scoring.spelling import spelled_alike
from tasks.terminology.splitting import is_number, split_words

OVERLAP_VERSION = "2"
"""Of the clinical recipe's overlap: words left out, how others are spelled, how they count."""

_ISO_TIME = re.compile(r"(?<=\d{4}-\d\d-\d\d)[Tt](?=\d\d:\d\d)")

BOTH_EMPTY = 1.0
"""Overlap of two texts without a single token: they are the same."""

_LEFT_OUT = frozenset({"a", "an", "the", "and"})
_ALWAYS_LEFT_OUT = frozenset({"an", "the", "and"})
_BEFORE_ARTICLE = frozenset(
    {"after", "and", "as", "at", "because", "before", "by", "during", "for", "from", "given", "had"}
    | {"has", "have", "in", "into", "is", "of", "on", "or", "showed", "than", "to", "was", "were"}
    | {"with", "without"}
)
# What "a" names rather than introduces: blood groups, streptococci, atrial rhythms.
_NAMED_BY_A = frozenset(
    ("fib", "flutter", "line", "neg", "negative", "pos", "positive", "strep", "streptococcus")
)


def overlap(recipe: Recipe, gold: str, candidate: str) -> OverlapScore:
    """Precision, recall and F1 of the candidate's tokens against the gold answer's.

    ``medlocomo`` is the published recipe. ``clinical`` tells numbers, signs, units and single
    letters apart and reads unspaced scripts.
    """
    score = _token_overlap(tokens(recipe, gold), tokens(recipe, candidate))
    if recipe == "medlocomo" and ("," in gold or "," in candidate):
        by_parts = _part_overlap(_parts(gold), _parts(candidate))
        return by_parts if by_parts.f1 > score.f1 else score
    return score


def tokens(recipe: Recipe, text: str) -> tuple[str, ...]:
    """The tokens a recipe compares."""
    return _READERS[recipe](text)


def published_normal_form(text: str) -> str:
    """Text as the published recipe sees it: lower case, no punctuation, no a, an, the, and."""
    return " ".join(tokens("medlocomo", text))


def clinical_words(text: str) -> list[str]:
    """Words of a text as the clinical recipe compares them, those included that it leaves out."""
    return spelled_alike(_split(text))


def _split(text: str) -> list[str]:
    return split_words(_ISO_TIME.sub(" ", text))


@lru_cache(maxsize=4096)
def _published_tokens(text: str) -> tuple[str, ...]:
    lower = text.lower()
    plain = "".join(" " if unicodedata.category(one)[0] in "PS" else one for one in lower)
    return tuple(word for word in plain.split() if word not in _LEFT_OUT)


@lru_cache(maxsize=4096)
def _clinical_tokens(text: str) -> tuple[str, ...]:
    words = _split(text)
    # "A two-week course": before "two" is a number, which "a" would name.
    kept = spelled_alike(_without_fillers(words))
    # An answer such as "?" or "the" is still an answer.
    return tuple(kept or words or "".join(text.split()).split())


_READERS: dict[Recipe, Callable[[str], tuple[str, ...]]] = {
    "medlocomo": _published_tokens,
    "clinical": _clinical_tokens,
}


def _without_fillers(words: list[str]) -> list[str]:
    """The words without articles and "and", until no more of them can go."""
    kept: list[str] = []
    for at, word in enumerate(words):
        if word == "a":
            before = "and" if at and words[at - 1] == "and" else next(iter(kept[-1:]), "")
            after = next((one for one in words[at + 1 :] if one not in _ALWAYS_LEFT_OUT), "")
            left_out = _introduces(before, after)
        else:
            left_out = word in _ALWAYS_LEFT_OUT
        if not left_out:
            kept.append(word)
    return kept if len(kept) == len(words) else _without_fillers(kept)


def _introduces(before: str, after: str) -> bool:
    """Whether "a" between two words is an article, as in ``had a cough``, not ``hepatitis A``."""
    if len(after) < 2 or is_number(after) or after in _NAMED_BY_A:
        return False
    return not before or before in _BEFORE_ARTICLE


def _token_overlap(gold: Sequence[str], candidate: Sequence[str]) -> OverlapScore:
    if not gold and not candidate:
        return OverlapScore(precision=BOTH_EMPTY, recall=BOTH_EMPTY, f1=BOTH_EMPTY)
    shared = sum((Counter(gold) & Counter(candidate)).values())
    if not shared:
        return OverlapScore(precision=0, recall=0, f1=0)
    return _score(shared / len(candidate), shared / len(gold))


def _parts(text: str) -> list[tuple[str, ...]]:
    parts = (tokens("medlocomo", part) for part in text.split(","))
    return [part for part in parts if part]


def _part_overlap(gold: list[tuple[str, ...]], candidate: list[tuple[str, ...]]) -> OverlapScore:
    """Mean over the parts of each side of the best F1 that a part of the other side has."""
    if not gold or not candidate:
        return OverlapScore(precision=0, recall=0, f1=0)
    table = [[_token_overlap(one, other).f1 for other in candidate] for one in gold]
    # fsum: a mean that doesn't depend on the order of the parts.
    recall = math.fsum(max(row) for row in table) / len(gold)
    precision = math.fsum(max(column) for column in zip(*table, strict=True)) / len(candidate)
    return _score(precision, recall)


def _score(precision: float, recall: float) -> OverlapScore:
    precision, recall = min(precision, 1.0), min(recall, 1.0)
    both = precision + recall
    f1 = min(2 * precision * recall / both, 1.0) if both else 0.0
    return OverlapScore(precision=precision, recall=recall, f1=f1)
