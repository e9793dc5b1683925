"""Which facts a turn states or speaks of, read from its words: a model isn't asked to claim any."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from tasks.contracts.dialogue import SourcedLine
from tasks.contracts.evidence import PREVIOUS
from tasks.contracts.records import AdmissionBundle, Fact, FactKind
from tasks.dialogue.exchanges import known_from
from tasks.dialogue.naming import short_name
from tasks.terminology.normalization import flattened, says
from tasks.terminology.statements import HEADINGS, states

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_TELLING_LETTERS = 8
"""A shorter value, such as ``12``, belongs to what its own sentence names."""
_ARRIVAL_SHARE = 0.25
_END_SHARE = 0.5
_LOOKS_BACK = re.compile(
    r"\b(?:last|previous|earlier|before|ago|again|back then|remember|recently|the stay from|"
    r"(?:were|was) here)\b",
    re.IGNORECASE,
)
_STAY_FORMS = {
    "admission date": re.compile(r"\b(?:admi(?:tted|ssion)|came|arrived?|today)\b", re.IGNORECASE),
    "discharge date": re.compile(r"\b(?:discharged?|home|go on|leav(?:e|ing))\b", re.IGNORECASE),
    "length of stay": re.compile(r"\b(?:stay(?:ed)?|hospital|here)\b", re.IGNORECASE),
}
_OF_THE_BEGINNING = frozenset({FactKind.HOME_MEDICATION, FactKind.PAST_CONDITION})
_OF_THE_END = frozenset({FactKind.DISCHARGE_MEDICATION})
"""What a list of the other end of the stay may hold in the same words."""
_LEAVING = re.compile(
    r"\b(?:discharged?|go(?:ing)?|leav(?:e|ing)|sen[dt]|transfer(?:red)?)\b", re.IGNORECASE
)


@dataclass(frozen=True)
class _Told:
    """A turn as it is read: its statements, apart and together, and its place among the turns."""

    line: SourcedLine
    share: float
    sentences: tuple[str, ...]
    stated: str


@dataclass(frozen=True, eq=False)
class _Known:
    """A fact, since when it is known, and the names that are its own."""

    fact: Fact
    since: datetime | None
    names: tuple[str, ...]


def attributed(
    lines: Sequence[SourcedLine], facts: Sequence[Fact], bundle: AdmissionBundle
) -> tuple[SourcedLine, ...]:
    """The turns with the facts that they state in full, and those that they surely speak of.

    A fact counts only from when it was known. A question states nothing, and a name that several
    facts share doesn't tell which one is spoken of.
    """
    named = [_names(fact) for fact in facts]
    shared = Counter(name for names in named for name in names)
    known = [
        _Known(fact, known_from(fact), tuple(name for name in names if shared[name] == 1))
        for fact, names in zip(facts, named, strict=True)
    ]
    sought = [(flattened(phrase), one) for one in known for phrase in (one.fact.value, *one.names)]
    return tuple(
        _attributed(_told(line, place / len(lines)), sought, frozenset(shared), bundle)
        for place, line in enumerate(lines)
    )


def _attributed(
    told: _Told,
    sought: Sequence[tuple[str, _Known]],
    all_names: frozenset[str],
    bundle: AdmissionBundle,
) -> SourcedLine:
    sources: list[str] = []
    touches: list[str] = []
    text, moment = told.line.text, told.line.time
    held = flattened(text)
    # Of most facts a turn holds neither the value nor a name: those cost a look each.
    for known in dict.fromkeys([one for phrase, one in sought if phrase in held]):
        fact = known.fact
        if known.since is not None and known.since > moment:
            continue
        has_value = says(text, fact.value)
        if has_value and _states(told, fact):
            sources.append(fact.fact_id)
        elif _speaks_of(text, fact, known.names, has_value=has_value):
            touches.append(fact.fact_id)
    sources += _problems(told, all_names, bundle)
    return told.line.model_copy(update={"sources": tuple(sources), "touches": tuple(touches)})


def _told(line: SourcedLine, share: float) -> _Told:
    sentences = tuple(
        one for one in _SENTENCE_END.split(line.text) if not one.rstrip("\"')").endswith("?")
    )
    # The bar keeps words on both sides of a question that was left out from being read as one.
    return _Told(line, share, sentences, " | ".join(sentences))


def _states(told: _Told, fact: Fact) -> bool:
    if fact.kind in HEADINGS:
        return any(says(one, fact.value) and _is_told(one, told, fact) for one in told.sentences)
    if fact.kind in (_OF_THE_END if told.share < _END_SHARE else _OF_THE_BEGINNING):
        return False
    if len(fact.value) >= _TELLING_LETTERS:
        return states(told.stated, fact)
    return any(states(one, fact) for one in told.sentences)


def _is_told(sentence: str, told: _Told, fact: Fact) -> bool:
    """Whether a sentence that holds a heading's value says it of that heading."""
    if fact.kind is FactKind.CHIEF_COMPLAINT:
        return told.share < _ARRIVAL_SHARE
    if fact.kind is FactKind.STAY:
        form = _STAY_FORMS.get(fact.label)
        return form is not None and form.search(sentence) is not None
    if told.share < _END_SHARE:
        return False
    return fact.kind is FactKind.CONDITION or _LEAVING.search(sentence) is not None


def _speaks_of(text: str, fact: Fact, names: Sequence[str], *, has_value: bool) -> bool:
    if fact.kind in HEADINGS:
        return False
    telling = has_value and len(fact.value) >= _TELLING_LETTERS
    return telling or any(says(text, name) for name in names)


def _names(fact: Fact) -> frozenset[str]:
    """What a fact's thing is called, in lower case; a heading has no name that is spoken."""
    if fact.kind in HEADINGS:
        return frozenset()
    names = (fact.label, short_name(fact))
    return frozenset(name.casefold() for name in names if name)


def _problems(
    told: _Told, names_of_this_stay: frozenset[str], bundle: AdmissionBundle
) -> Iterator[str]:
    """Problems of the previous stay; one that this stay has too needs a look back."""
    previous = bundle.previous_admission_summary
    for number, problem in enumerate(previous.problems if previous else ()):
        if not says(told.stated, problem) or problem.casefold() not in told.line.text.casefold():
            continue
        new_here = problem.casefold() in names_of_this_stay
        if not new_here or any(
            says(one, problem) and _LOOKS_BACK.search(one) for one in told.sentences
        ):
            yield f"{PREVIOUS}{number}"
