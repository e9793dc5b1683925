"""Whether a text names the disease that the doctor is to find out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from tasks.contracts.preconsultation import Interview, PatientProfile
from tasks.preconsultation.diseases import disease_named
from tasks.preconsultation.naming import keys, plain_words

_HANGUL = re.compile("[\uac00-\ud7a3]")
_CLAUSE = re.compile(r"(?<=[.;,])\s+|\s*[;\n]\s*")


def leaked_turns(interview: Interview, profile: PatientProfile) -> tuple[int, ...]:
    """Numbers of the turns whose answer names the disease."""
    return tuple(
        turn.number
        for turn in interview.turns
        if names_disease(turn.answer, profile.disease, profile.spelling)
    )


def names_disease(text: str, disease: str, spelling: str) -> bool:
    """Whether a text holds a name of the disease in either language, whatever its spelling.

    So do names of its kinds, and the wider terms that are accepted as a right diagnosis. Korean
    words run into each other and into endings: a name counts anywhere in a word, or where words
    written together begin with it.
    """
    names = _names(disease, spelling)
    korean = tuple(name for name in names if _HANGUL.search(name))
    words = plain_words(text)
    if any(name in word for word in words if _HANGUL.search(word) for name in korean):
        return True
    return any(
        joined in names or (_HANGUL.match(joined) is not None and joined.startswith(korean))
        for joined in _joined(words, max(map(len, names), default=0))
    )


def without_disease(text: str, disease: str, spelling: str) -> str:
    """A text without the clauses that name the disease."""
    if not names_disease(text, disease, spelling):
        return text
    clauses = [one for one in _CLAUSE.split(text) if one.strip()]
    kept = [one for one in clauses if not names_disease(one, disease, spelling)]
    return " ".join(kept).strip(" ,;")


@cache
def _names(disease: str, spelling: str) -> frozenset[str]:
    """The letters of every name."""
    row = disease_named(disease)
    known = [disease, spelling]
    if row is not None:
        known += [*row.names, *row.narrower, *row.wider]
    return frozenset[str]().union(*map(keys, known))


def _joined(words: Sequence[str], longest: int) -> Iterator[str]:
    """Neighbouring words written together, up to somewhat more than this many letters."""
    for start in range(len(words)):
        joined = ""
        for word in words[start:]:
            joined += word
            yield joined
            if len(joined) >= longest:
                break
