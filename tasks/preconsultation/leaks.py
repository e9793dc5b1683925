"""Whether a text names the disease that the doctor is to find out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from tasks.contracts.preconsultation import Interview, PatientProfile
from tasks.preconsultation.diseases import disease_named
from tasks.preconsultation.naming import parts
from tasks.terminology.splitting import split_words

_CLAUSE = re.compile(r"(?<=[.;,])\s+|\s*[;\n]\s*")


def leaked_turns(interview: Interview, profile: PatientProfile) -> tuple[int, ...]:
    """Numbers of the turns whose answer names the disease."""
    return tuple(
        turn.number
        for turn in interview.turns
        if names_disease(turn.answer, profile.disease, profile.spelling)
    )


def names_disease(text: str, disease: str, spelling: str) -> bool:
    """Whether a text holds a name of the disease, word for word in either language."""
    words = split_words(text)
    return any(_holds(words, name) for name in _names(disease, spelling))


def without_disease(text: str, disease: str, spelling: str) -> str:
    """A text without the clauses that name the disease."""
    if not names_disease(text, disease, spelling):
        return text
    clauses = [one for one in _CLAUSE.split(text) if one.strip()]
    kept = [one for one in clauses if not names_disease(one, disease, spelling)]
    return " ".join(kept).strip(" ,;")


@cache
def _names(disease: str, spelling: str) -> tuple[tuple[str, ...], ...]:
    row = disease_named(disease)
    known = [disease, spelling] + ([] if row is None else [*row.names, *row.narrower])
    names = {tuple(split_words(part)) for name in known for part in parts(name)}
    return tuple(sorted(name for name in names if name))


def _holds(words: Sequence[str], name: Sequence[str]) -> bool:
    size = len(name)
    return any(tuple(words[at : at + size]) == tuple(name) for at in range(len(words) - size + 1))
