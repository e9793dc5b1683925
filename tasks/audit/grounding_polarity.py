"""Whether a sentence affirms a finding, denies it, or only speaks of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import IntFlag
from types import MappingProxyType

from tasks.audit.grounding_text import Sentence


class Polarity(IntFlag):
    """How a finding is spoken of; a record's mentions add up."""

    NONE = 0
    AFFIRMED = 1
    DENIED = 2
    OTHER = 4
    """Asked for, feared, warned of, a relative's, or not to be told."""


_DENIES = frozenset(
    "no denied denie deny denying without absent nor neither w/o negative never free ruled".split()
)
_NOT = frozenset("not none cannot".split())
_NOT_FOLLOWED = frozenset(
    "have had having has show shown see seen find found feel felt notice noticed report experience "
    "experienced any reveal detect detected develop developed suffer evidence".split()
)
_AFFIRMS = frozenset(
    "but however although though except report reported reporting notice noticed endorse endorsed "
    "complain complained complaining presented presenting present positive show showed revealed "
    "admitted admit had yes developed notable significant now instead".split()
)
_SUPPOSES = frozenset(
    "if unless should might watch avoid prevent prevention prophylaxis risk evaluate eval assess "
    "rule r/o return monitor screen screening prn question worry worried worrying afraid fear "
    "wonder until concerned exclude whether reduce reducing protect protecting preventing fight against possibly looking look".split()
)
_NO_DENIAL = frozenset(
    "longer more doubt need wonder problem question matter idea rush hurry change changes reason "
    "thank harm further other surprise sense trouble worry contrast".split()
)
"""Words behind ``no`` and ``without`` with which they deny no finding."""
_BEHIND = re.compile(
    r"^(?:(?:was|were|is|are|has been|have been|came back|come back)\s+)?"
    r"(?:(?:all\s+)?(?:negative|absent|denied|ruled out|excluded|not (?:seen|present|found|there))"
    r"|(?:[,:-]\s*)?(?:no|none|denied|negative)(?=$|[,.]))",
    re.IGNORECASE,
)
_OPENS_QUESTION = re.compile(
    r"\b(?:did|do|does|have|has|had|are|were|is|was|can|could|would|will|am|may)\s+(?:you|your|"
    r"there|it|that|the|any|he|she|i|we|this|these|those|my|anything|anyone|a|an)\b|\bany\b|"
    r"\bever\b|^\W*(?:and |so |but |well |then |now )?(?:what|when|how|which|why|where|who)\b|"
    r"\b(?:what|how) about\b",
    re.IGNORECASE,
)
_NOT_WORD = re.compile(r"(?:n't|n\u2019t)$")
_RELATIVES = frozenset(
    "mother father brother sister aunt uncle cousin grandmother grandfather parent relative".split()
)
_RELATIVES_DO = frozenset("with had has have died also was were is are".split())
_REACH = 5
"""Words over which ``not`` reaches where no verb of having or seeing follows it."""


def polarity(
    sentence: Sentence,
    start: int,
    end: int,
    *,
    exact: bool,
    names: Mapping[int, int] = MappingProxyType({}),
) -> Polarity:
    """How the tokens from ``start`` to ``end`` are spoken of.

    Words of longer names, given with the name's end, deny nothing behind it: ``cirrhosis without
    mention of alcohol``.
    ``exact`` leaves NONE where the wording is ambiguous, as for a turn; otherwise, as for a
    record, such a mention counts as both affirmed and denied.
    """
    if sentence.of_family or _is_of_relative(sentence.keys):
        return Polarity.OTHER
    before = sentence.keys[:start]
    if sentence.asks and _OPENS_QUESTION.search(" ".join(sentence.tokens[:start]) + " "):
        return Polarity.OTHER
    if _supposed(sentence, start, end):
        return Polarity.OTHER
    cue = _last_cue(sentence, start, names)
    unsure = Polarity.NONE if exact else Polarity.AFFIRMED | Polarity.DENIED
    if cue is Polarity.OTHER:
        return unsure
    if cue is Polarity.NONE and _denied_behind(sentence, end):
        return Polarity.DENIED
    if cue is Polarity.NONE and before[-1:] == ("",) and _signed(sentence, start):
        return Polarity.DENIED
    return cue or Polarity.AFFIRMED


def _is_of_relative(keys: tuple[str, ...]) -> bool:
    """``Mother with breast cancer``, ``my father had``, ``family history of``."""
    if not _RELATIVES.isdisjoint(keys):
        return any(
            key in _RELATIVES and behind in _RELATIVES_DO
            for key, behind in zip(keys, keys[1:], strict=False)
        )
    return "family" in keys and "history" in keys


def _supposed(sentence: Sentence, start: int, end: int) -> bool:
    keys = sentence.keys
    if any(key in _SUPPOSES for key in keys[:start]):
        return not any(key in ("but", "however") for key in keys[:start])
    needed = " ".join(keys[max(0, start - 5) : start])
    return "needed" in needed or "in case" in needed or "call" in keys[:start]


def _last_cue(sentence: Sentence, start: int, names: Mapping[int, int]) -> Polarity:
    """The polarity set by the last cue before a token; OTHER where a ``not`` is too far away."""
    keys = sentence.keys
    for place in range(start - 1, -1, -1):
        key = keys[place]
        if place in names and names[place] <= start:
            continue
        if key in _DENIES:
            if (
                _is_answer(sentence, place)
                or keys[place + 1] in _NO_DENIAL
                or (key == "without" and _is_past(sentence, place, start))
            ):
                continue
            return Polarity.DENIED
        if key in _NOT or _NOT_WORD.search(sentence.tokens[place]):
            return _after_not(sentence, place, start)
        if key in _AFFIRMS and not _continues_denial(keys, place):
            return Polarity.AFFIRMED
    return Polarity.NONE


def _after_not(sentence: Sentence, place: int, start: int) -> Polarity:
    keys = sentence.keys
    if ":" in sentence.tokens[place:start]:
        return Polarity.NONE
    if sentence.keys[place] == "won't" or "so" in keys[max(0, place - 3) : place]:
        return Polarity.OTHER
    if keys[place + 1 : place + 4] == ("say", "the", "same"):
        return Polarity.DENIED
    if not _NOT_FOLLOWED.isdisjoint(keys[place + 1 : place + 5]) or start - place <= 2:
        return Polarity.DENIED if start - place <= 3 * _REACH else Polarity.OTHER
    return Polarity.OTHER if start - place <= _REACH else Polarity.NONE


def _is_answer(sentence: Sentence, place: int) -> bool:
    """``No, …``: an answer, which denies nothing that follows."""
    return sentence.keys[place] == "no" and sentence.tokens[place + 1 : place + 2] in (
        (",",),
        (".",),
        ("-",),
    )


def _is_past(sentence: Sentence, place: int, start: int) -> bool:
    """Whether a list goes on without the word: ``ulcer without bleeding, gout and asthma``."""
    between = sentence.tokens[place:start]
    return ("," in between or "and" in between) and not {"or", "nor"} & set(sentence.tokens[place:])


def _continues_denial(keys: tuple[str, ...], place: int) -> bool:
    """``denies having had``, ``did not report``, ``no reported``: no new statement."""
    nearby = keys[max(0, place - 3) : place]
    return keys[place] not in ("but", "however", "except") and any(
        key in _DENIES or key in _NOT or key.endswith("n't") for key in nearby
    )


def _denied_behind(sentence: Sentence, end: int) -> bool:
    """``Fever, headache or chest pain, no``; ``seizures: none``; ``fever was denied``."""
    rest = " ".join(sentence.tokens[end:])
    if _BEHIND.match(rest):
        return True
    answered = re.search(r"(?:^|,|:) (no|not|yes|none)\b(?=\s*(?:[,.]|$|that\b|I\b))", rest, re.IGNORECASE)
    return answered is not None and answered[1].lower() in ("no", "none") and _is_list(
        rest[: answered.start()]
    )


def _is_list(text: str) -> bool:
    """Whether a text only goes on with a list: commas, ``or``, and short names."""
    return re.search(r"\b(?:is|was|are|were|have|had|has|that)\b", text) is None


def _signed(sentence: Sentence, start: int) -> bool:
    """``-fever``: denied by a sign in a list of signs."""
    tokens = sentence.tokens
    return (
        tokens[start - 1] == "-"
        and start > 1
        and tokens[start - 2] in (",", "+", "-", ":")
    )
