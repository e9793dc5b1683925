"""Tells the words of a question that name a thing from those that ask."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pydantic import Field

from tasks.audit.support.known_names import longest_known
from tasks.audit.support.reading_words import LINKING, Text, keys_of, read_text
from tasks.contracts.base import Contract

_FILE = Path(__file__).with_name("form_words.json")
_YEAR = re.compile(r"(?:19|20|21|22)\d\d")
_BRIDGES = LINKING | {"into", "after", "before"}
_SPLITS = frozenset({"and", "or", "to", "after", "before"})
_COMPARING = frozenset({"left", "right", "low", "up", "back", "upper", "lower"})
_BEFORE = _COMPARING | {"end", "stage"}
"""Form words that belong to a name right behind them: ``left foot``, ``end stage disease``."""
_BEHIND = frozenset({"diseas", "disorder"})
_OPTION = frozenset(
    {"primary", "secondary", "reported", "denied", "sensitive", "resistant", "intermediate"}
)


class FormWords(Contract):
    """``form_words.json``."""

    form_words: tuple[str, ...] = Field(description="Words that ask rather than name a thing")


@dataclass(frozen=True)
class Term:
    """A thing that a question names: a drug, a test, a problem, a procedure."""

    text: str
    keys: tuple[str, ...]


@cache
def form_words() -> frozenset[str]:
    """Keys of the words that ask rather than name a thing."""
    given = FormWords.model_validate_json(_FILE.read_bytes()).form_words
    return frozenset(key for word in given for key in keys_of(word))


def terms_of(body: str, forms: frozenset[str]) -> Iterator[Term]:
    """The things that a question names, given the words that only ask."""
    text = read_text(body)
    names = _names(text, forms)
    start = None
    for place in range(len(names) + 1):
        inside = place < len(names) and (names[place] or _bridges(text, names, place, start))
        if inside and start is None:
            start = place
        elif not inside and start is not None:
            keys = tuple(token.key for token in text.tokens[start:place])
            if any(key.isalpha() and len(key) > 1 for key in keys):
                yield Term(" ".join(keys), keys)
            start = None


def _bridges(text: Text, names: Sequence[bool], place: int, start: int | None) -> bool:
    """Whether a form word belongs to a name: ``left foot``, ``culture of urine``."""
    key = text.tokens[place].key
    if key in _BEHIND and start is not None:
        return names[place - 1] and _break(text, place) == 0
    if key in _BEFORE:
        following = place + 1
        while following < len(names) and text.tokens[following].key in _BEFORE:
            following += 1
        return following < len(names) and names[following] and _break(text, following) == 0
    if start is None or key not in _BRIDGES:
        return False
    following = place + 1
    while following < len(names) and text.tokens[following].key in _BRIDGES:
        following += 1
    if following >= len(names) or following - place > 2:
        return False
    near = text.tokens[following].breaks - text.tokens[place - 1].breaks
    return names[following] and near < 4


def _word(text: Text, place: int) -> str:
    token = text.tokens[place]
    return text.plain[token.start : token.end].casefold()


def _break(text: Text, place: int) -> int:
    return text.tokens[place].breaks - text.tokens[place - 1].breaks


def _names(text: Text, forms: frozenset[str]) -> list[bool]:
    """Which words name a thing; a word that offers or sets a condition does only before a name."""
    names = [
        token.kind in ("word", "number")
        and token.key not in forms
        and token.key not in _BRIDGES
        and not _YEAR.fullmatch(token.key)
        for token in text.tokens
    ]
    keys = tuple(token.key for token in text.tokens)
    for place in range(len(names)):
        size, _ = longest_known(keys[place:])
        if size > 1:
            names[place : place + size] = [True] * size
    for place in reversed(range(len(names))):
        if _word(text, place) in _OPTION:
            before_name = place + 1 < len(names) and names[place + 1]
            names[place] = (
                text.tokens[place].key not in forms and before_name and _break(text, place + 1) == 0
            )
    return names


def divided(term: Term, exists: Callable[[tuple[str, ...]], bool]) -> tuple[Term, ...]:
    """A name with “and” or “or” in it as the things it names.

    It stays whole if it is said so anywhere. It is cut where both halves, or at least one, are said
    somewhere, and at an “or” in any case.
    """
    if exists(term.keys):
        return (term,)
    if term.keys[0] in _COMPARING and exists(term.keys[1:]):
        return (Term(" ".join(term.keys[1:]), term.keys[1:]),)
    if not set(term.keys) & _SPLITS:
        return (term,)
    cuts = [
        (term.keys[:place], term.keys[place + 1 :], key == "or")
        for place, key in enumerate(term.keys)
        if key in _SPLITS and 0 < place < len(term.keys) - 1
    ]
    best = max(cuts, key=lambda cut: (exists(cut[0]) + exists(cut[1]), cut[2]), default=None)
    if best is None or not (best[2] or exists(best[0]) or exists(best[1])):
        return (term,)
    halves = [Term(" ".join(keys), keys) for keys in best[:2]]
    return tuple(one for half in halves for one in divided(half, exists))


def states_of(body: str, forms: frozenset[str]) -> tuple[str, ...]:
    """Words that exclude others, unless the question offers the others too."""
    text = read_text(body)
    found = {
        token.key
        for place, (token, name) in enumerate(zip(text.tokens, _names(text, forms), strict=True))
        if _word(text, place) in _OPTION and not name
    }
    return tuple(found) if len(found) == 1 else ()


@cache
def option_keys() -> frozenset[str]:
    """Keys of the words that a question can offer or set as a condition."""
    return frozenset(key for word in _OPTION for key in keys_of(word))
