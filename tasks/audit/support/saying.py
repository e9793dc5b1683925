"""Where turns say an answer, or part of one: of the thing asked about, or of one told beside it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tasks.audit.support.belonging import fits, owned, states
from tasks.audit.support.case import Case, values_of
from tasks.audit.support.ordering import stay_beside
from tasks.audit.support.question_terms import Term, form_words
from tasks.audit.support.reading_words import keys_of, read_text
from tasks.audit.support.spoken import Turn, is_common, mentions
from tasks.audit.support.values import Answer, numbers_in, read_answer

_LEAD = re.compile(
    r"^(?:(?:from|first|in|within|after|about|for|on|at|by|because of|due to|owing to|with|it "
    r"(?:was|is|went)|"
    r"the|an?|his|her|their)\s+)+",
    re.IGNORECASE,
)
_ENOUGH = 0.75
"""Share of an answer's words that has to be said where it is told in other words."""


def says(case: Case, turns: Sequence[Turn], part: str) -> bool:
    """One of the turns gives this answer, or part of an answer, of the thing asked about."""
    return bool(places(case, turns, part))


def places(case: Case, turns: Sequence[Turn], part: str) -> list[tuple[int, int]]:
    """Where turns give an answer: the turn's position among them, and the word's in the turn."""
    answer = read_answer(_LEAD.sub("", part))
    if not answer.keys:
        return []
    found: list[tuple[int, int]] = []
    wanted = case.asked.reading.terms
    for number, turn in enumerate(turns):
        if not fits(case.asked, turn):
            continue
        here = case.named_in((turn,))
        if wanted and not here and not _beside(case, turns, turn, answer):
            continue
        found += [(number, span[0]) for span in _stated(case, turns, turn, answer)]
        if not found and answer.kind == "date" and _timed(case, turn, answer):
            found.append((number, 0))
    return found


def _beside(case: Case, turns: Sequence[Turn], turn: Turn, answer: Answer) -> bool:
    """The thing is named in another of the turns, which has no such value of its own.

    That turn is one of the same stay, or of the stay that the question counts from.
    """
    if stay_beside(case, turn):
        return True
    return any(
        other is not turn
        and other.session == turn.session
        and case.named_in((other,))
        and (answer.kind == "text" or not values_of(case, other, answer))
        for other in turns
    ) or any(states(case.asked, turn, answer, (term,)) for term in _shared(case, turns, turn))


def _stated(case: Case, turns: Sequence[Turn], turn: Turn, answer: Answer) -> list[tuple[int, int]]:
    """Where a turn gives an answer: of the thing asked about, else of one told beside it.

    “The medicine given for stroke” is the aspirin where another turn says so: then the answer has
    to be the aspirin's, if the turn has such values of it at all.
    """
    here = case.named_in((turn,))
    if here or not case.terms:
        return states(case.asked, turn, answer, here)
    shared = _shared(case, turns, turn)
    if answer.kind != "text" and any(owned(case.asked, turn, answer, (term,)) for term in shared):
        return [place for term in shared for place in states(case.asked, turn, answer, (term,))]
    return states(case.asked, turn, answer, ())


def _shared(case: Case, turns: Sequence[Turn], turn: Turn) -> list[Term]:
    """Words of names that a turn has in common with the turns that name the thing asked about."""
    if case.named_in((turn,)):
        return []
    naming = [one for one in turns if one is not turn and case.named_in((one,))]
    shared = {
        key
        for one in naming
        for key in set(one.text.places) & set(turn.text.places)
        if len(key) > 3 and key.isalpha() and not is_common(key)
    }
    return [Term(key, (key,)) for key in sorted(shared)]


def _timed(case: Case, turn: Turn, answer: Answer) -> bool:
    """A turn's own day is the date of what it tells, unless it gives another."""
    if answer.keys[0] in turn.relative_days:
        return True
    return turn.time.date().isoformat() == answer.keys[0] and not values_of(case, turn, answer)


def told(case: Case, part: str) -> bool:
    """A part of an answer stands in some turn word for word."""
    keys = keys_of(_LEAD.sub("", part))
    return any(turn.text.find(keys) for turn in case.turns)


def in_other_words(case: Case, turns: Sequence[Turn], part: str) -> bool:
    """The numbers and most other words of an answer are said, though not as it stands."""
    read = read_answer(part)
    content = [key for key in read.keys if key not in form_words() and len(key) > 1]
    if read.kind != "text" or not any(key.isalpha() for key in content) or told(case, part):
        return False
    numbers = numbers_in(read_text(part))
    if any(not says(case, turns, " ".join(value.key)) for value in numbers):
        return False
    said = [
        key
        for key in content
        if any(
            key in turn.text.places if len(content) < 2 else mentions(turn.text, Term(key, (key,)))
            for turn in turns
        )
    ]
    return len(said) == len(content) or (len(content) > 3 and len(said) >= _ENOUGH * len(content))
