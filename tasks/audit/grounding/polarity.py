"""Whether a sentence affirms a finding, denies it, or only speaks of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import IntFlag
from types import MappingProxyType

from tasks.audit.grounding.moods import is_no_statement
from tasks.audit.grounding.text import Sentence, word_set


class Polarity(IntFlag):
    """How a finding is spoken of; a record's mentions add up."""

    NONE = 0
    AFFIRMED = 1
    DENIED = 2
    OTHER = 4
    """Asked for, feared, warned of, a relative's, or not to be told."""


_EITHER = Polarity.AFFIRMED | Polarity.DENIED

_DENIES = word_set(
    "no denied denie deny denying without absent nor neither w/o negative never free ruled nothing"
)
_NOT = word_set("not none cannot")
_NOT_FOLLOWED = word_set(
    "have had having has show shown see seen find found feel felt notice noticed report experience "
    "experienced any reveal detect detected develop developed suffer evidence"
)
_AFFIRMS = word_set(
    "but however although though except report reported reporting notice noticed endorse endorsed "
    "complain complained complaining presented presenting present positive show showed revealed "
    "admitted admit had yes developed notable significant now instead because due given"
)
_THINKS = word_set(
    "think thought know known expect expected believe believed realize realized realise sure want "
    "like mind understand guess guessed imagine worry mention say call called matter"
)
"""Behind ``not``: what is thought or said is denied, not the finding."""
_NO_DENIAL = word_set(
    "longer more doubt need wonder problem question matter idea rush hurry change changes reason "
    "thank harm further other surprise sense trouble worry contrast"
)
"""Words behind ``no`` and ``without`` with which they deny no finding."""
_BEHIND = re.compile(
    r"^(?:(?:was|were|is|are|has been|have been|came back|come back)\s+)?"
    r"(?:(?:all\s+)?(?:negative|absent|denied|ruled out|excluded|not (?:seen|present|found|there))"
    r"|(?:[,:-]\s*)?(?:no|none|denied|negative)(?=$|[,.]))",
    re.IGNORECASE,
)
_ANSWERED = re.compile(r"(?:^|,|:) (no|not|yes|none)\b(?=\s*(?:[,.]|$|that\b|I\b))", re.IGNORECASE)
_NOT_WORD = re.compile(r"(?:n't|n\u2019t)$")
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
    if is_no_statement(sentence, start, end):
        return Polarity.OTHER
    cue = _last_cue(sentence, start, names)
    if cue is Polarity.OTHER:
        return Polarity.NONE if exact else _EITHER
    if cue is Polarity.NONE and (_denied_behind(sentence, end) or _signed(sentence, start)):
        return Polarity.DENIED
    return cue or Polarity.AFFIRMED


def _last_cue(sentence: Sentence, start: int, names: Mapping[int, int]) -> Polarity:
    """The polarity set by the last cue before a token; OTHER where a ``not`` is too far away."""
    keys = sentence.keys
    for place in range(start - 1, -1, -1):
        key = keys[place]
        if place in names and names[place] <= start:
            continue
        if key == "nothing" and keys[place + 1] == "to":
            return Polarity.OTHER
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
    if keys[place] == "won't" or "so" in keys[max(0, place - 3) : place]:
        return Polarity.OTHER
    if keys[place + 1 : place + 4] == ("say", "the", "same"):
        return Polarity.DENIED
    if not _THINKS.isdisjoint(keys[place + 1 : place + 4]):
        return Polarity.OTHER
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
    return keys[place] not in (
        "but",
        "however",
        "except",
        "because",
        "due",
        "given",
        "yes",
    ) and any(key in _DENIES or key in _NOT or key.endswith("n't") for key in nearby)


def _denied_behind(sentence: Sentence, end: int) -> bool:
    """``Fever, headache or chest pain, no``; ``seizures: none``; ``fever was denied``."""
    rest = " ".join(sentence.tokens[end:])
    if _BEHIND.match(rest):
        return True
    answered = _ANSWERED.search(rest)
    return (
        answered is not None
        and answered[1].lower() in ("no", "none")
        and _is_list(rest[: answered.start()])
    )


def _is_list(text: str) -> bool:
    """Whether a text only goes on with a list: commas, ``or``, and short names."""
    return re.search(r"\b(?:is|was|are|were|have|had|has|that)\b", text) is None


def _signed(sentence: Sentence, start: int) -> bool:
    """``-fever``: denied by a sign in a list of signs."""
    tokens = sentence.tokens
    return start > 1 and tokens[start - 1] == "-" and tokens[start - 2] in (",", "+", "-", ":")
