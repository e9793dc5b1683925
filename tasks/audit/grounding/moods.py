"""What a sentence only speaks of: asked for, feared, warned of, or a relative's."""

from __future__ import annotations

import re
from itertools import pairwise

from tasks.audit.grounding.text import Sentence, word_set

_RELATIVES = word_set(
    "mother father brother sister aunt uncle cousin grandmother grandfather parent relative "
    "neighbor neighbour friend wife husband son daughter"
)
_RELATIVES_DO = word_set("with had has have died also was were is are")
_SUPPOSES = word_set(
    "if unless should might watch avoid prevent preventing prevention prophylaxis risk evaluate "
    "eval assess rule r/o return monitor screen screening prn question worry worried worrying "
    "afraid fear wonder until concerned exclude whether against possibly looking look reduce "
    "reducing protect protecting fight would cause lead effect happen people"
)
_SUPPOSING_PAIRS = frozenset((("in", "case"), ("make", "sure"), ("making", "sure")))
_STATES_IN_QUESTION = re.compile(
    r"\b(?:you|i|we|they)\s+(?:also\s+|still\s+|already\s+|do\s+)?(?:have|had|reported|denied|said|"
    r"told|mentioned|noticed|came|found|take|were|was|are|know|see|call)\b|"
    r"\b(?:it's|that's|there's|you're|you've|i've|this is|it is|that is)\b",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"\b(?:did|do|does|have|has|had|are|were|is|was|can|could|would|will|am|may)\s+(?:you|your|"
    r"there|it|that|the|any|he|she|i|we|this|these|those|my|anything|anyone|a|an)\b|"
    r"\bany\b|\bever\b|\b(?:what|how) about\b",
    re.IGNORECASE,
)
_ASKS_FIRST = re.compile(
    r"^\W*(?:(?:and|so|but|well|then|now|okay|ok),?\s+)?(?:did|do|does|have|has|had|are|were|is|was|"
    r"can|could|would|will|may|should|what|when|how|which|why|where|who)\b",
    re.IGNORECASE,
)


def is_no_statement(sentence: Sentence, start: int, end: int) -> bool:
    """Whether the tokens from ``start`` to ``end`` are spoken of without being stated.

    That is what is asked, supposed, warned of, part of a specimen's name, or a relative's.
    """
    return (
        sentence.of_family
        or _is_of_relative(sentence.keys)
        or sentence.keys[max(0, start - 2) : start] == ("culture", "of")
        or (sentence.asks and not _states(sentence, start))
        or _supposed(sentence, start, end)
    )


def _is_of_relative(keys: tuple[str, ...]) -> bool:
    """``Mother with breast cancer``, ``my father had``, ``family history of``."""
    if not _RELATIVES.isdisjoint(keys):
        return any(key in _RELATIVES and behind in _RELATIVES_DO for key, behind in pairwise(keys))
    return "family" in keys and "history" in keys


def _states(sentence: Sentence, start: int) -> bool:
    """Whether a question states what stands at a token: ``So you had no fever, is that right?``"""
    before = " ".join(sentence.tokens[:start])
    return (
        _STATES_IN_QUESTION.search(before) is not None
        and not _ASKS.search(before)
        and not _ASKS_FIRST.match(before)
    )


def _supposed(sentence: Sentence, start: int, end: int) -> bool:
    keys = sentence.keys
    before = keys[:start]
    if not _SUPPOSES.isdisjoint(before):
        return "but" not in before and "however" not in before
    if keys[max(0, start - 2) : start] in (("when", "i"), ("when", "you")):
        return True
    if "have" in keys and any(
        _would_have(sentence, place) for place in (*range(start), end, end + 1)
    ):
        return True
    return (
        "needed" in before[-5:]
        or "call" in before
        or ("keep" in before and "from" in before)
        or not _SUPPOSING_PAIRS.isdisjoint(pairwise(before))
    )


def _would_have(sentence: Sentence, place: int) -> bool:
    """``I'd have noticed chest pain``, ``fever I would have mentioned``."""
    told = sentence.keys[place : place + 1]
    return bool(told) and (
        (told[0].endswith("'d") or told == ("would",))
        and sentence.keys[place + 1 : place + 2] == ("have",)
    )
