"""Whether an answer follows from turns alone: said there, counted, subtracted, compared or chosen."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from tasks.audit.belonging import fits, owned, states, under
from tasks.audit.case import WEEKDAYS, Case, event_days, values_of, weekday_of
from tasks.audit.choices import asks_movement, chooses, trends
from tasks.audit.counting import ASKS_COUNT, counts, differs, read_count
from tasks.audit.cues import PHASES
from tasks.audit.ordering import asks_extreme, chosen_event, in_order, is_extreme, stay_beside
from tasks.audit.question_reading import Term, form_words
from tasks.audit.reading_words import keys_of, read_text
from tasks.audit.spoken import Turn, is_common, is_known, mentions, negated
from tasks.audit.values import Answer, numbers_in, read_answer

_PAIR = re.compile(
    r"\s+(?:versus|vs\.?|compared (?:with|to)|as against)\s+|\s*(?:→|->)\s*", re.IGNORECASE
)
_PASSAGE = re.compile(r"\s*;\s*|,?\s+(?:and )?(?:then|later|followed by)\s+|\s+to\s+", re.IGNORECASE)
_LIST = re.compile(r"\s*[,;]\s*(?:and\s+)?|\s+(?:and|plus)\s+", re.IGNORECASE)
_LEAD = re.compile(
    r"^(?:(?:from|first|in|within|after|about|for|on|at|by|because of|due to|owing to|with|it (?:was|is|went)|"
    r"the|an?|his|her|their)\s+)+",
    re.IGNORECASE,
)
_ASKS_DIFFERENCE = re.compile(
    r"\b(?:by how (?:many|much)|how (?:many|much) (?:\w+ )?(?:more|less|fewer|longer|shorter|higher|lower|"
    r"larger|smaller|greater)|differ(?:ence|ed?)?|apart)\b(?! result)",
    re.IGNORECASE,
)
_ENOUGH = 0.75
"""Share of an answer's words that has to be said where it is told in other words."""


def follows(case: Case, answer: str) -> bool:
    """Whether an answer follows from the turns of a case."""
    stays = case.asked.reading.stays
    if not case.asked.reading.is_range and not set(stays) <= set(case.cited):
        return False
    if not case.turns or not _names_things(case, answer):
        return False
    event = chosen_event(case, answer)
    if event is not None:
        return event
    derivations: tuple[Callable[[Case, str], bool], ...] = (
        _paired, _said, counts, differs, chooses, trends, _listed, _weekday, _yes_or_no, _reworded,
    )  # fmt: skip
    return any(derivation(case, answer) for derivation in derivations)


def _names_things(case: Case, answer: str) -> bool:
    """Every thing and date that the question names is said in the turns."""
    reading = case.asked.reading
    offered = keys_of(answer)
    for term in reading.terms:
        if term.keys == offered:
            continue
        if not any(case.asked.spans(turn, term) for turn in case.turns) and not _wording(
            case, term
        ):
            return False
    if len(case.terms) == 1 and case.terms[0].keys == offered:
        return False
    return all(
        any(day in turn.text.places or turn.time.date().isoformat() == day for turn in case.turns)
        for day in reading.days
    )


def _wording(case: Case, term: Term) -> bool:
    """A word that nobody ever says and no list knows is wording, beside a thing that is said."""
    return (
        not set(term.keys) & case.asked.said
        and not is_known(term.keys)
        and any(set(other.keys) & case.asked.said for other in case.terms)
    )


def says(case: Case, turns: Sequence[Turn], part: str) -> bool:
    """One of the turns gives this answer, or part of an answer, of the thing asked about."""
    return bool(_places(case, turns, part))


def _places(case: Case, turns: Sequence[Turn], part: str) -> list[tuple[int, int]]:
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


def _stated(
    case: Case, turns: Sequence[Turn], turn: Turn, answer: Answer
) -> list[tuple[int, int]]:
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
    return turn.time.date().isoformat() == answer.keys[0] and not values_of(
        case, turn, answer
    )


def _said(case: Case, answer: str) -> bool:
    """The answer stands in a turn word for word, and isn't the difference of two values."""
    body = case.asked.reading.body
    counted = read_count(answer) and read_answer(answer).kind != "frequency"
    if counted and (_ASKS_DIFFERENCE.search(body) or ASKS_COUNT.search(body)):
        return False
    stays = case.asked.reading.stays
    if len(stays) > 1 and read_answer(answer).kind == "date":
        starts = {case.sessions[stay].admission_start.date().isoformat() for stay in stays}
        if keys_of(answer)[0] in starts and not _asks_when(case):
            return False
    read = read_answer(answer)
    if not _one_of_several(case, read):
        return False
    return (
        says(case, case.turns, answer)
        and in_order(case, read)
        and _under_states(case, read)
    )


def _under_states(case: Case, answer: Answer) -> bool:
    """What is asked for as primary, denied or resistant is told to be so, where turns tell it."""
    for word in case.asked.reading.states:
        wanted = read_answer(word)
        told = [
            (under(case.asked, turn, place, wanted), bool(case.named_in((turn,))))
            for turn in case.turns
            for place in turn.text.find(answer.keys)
        ]
        beside = [so for so, naming in told if naming or not case.terms]
        apart = [
            under(case.asked, turn, span, wanted)
            for turn in case.turns
            if turn.text.find(answer.keys)
            for term in case.terms
            for span in case.asked.spans(turn, term)
        ]
        if apart and all(so is False for so in apart) and all(naming for _, naming in told):
            return False
        if beside and all(so is False for so in beside) and (True not in {so for so, _ in told}):
            return False
    return True


def _one_of_several(case: Case, answer: Answer) -> bool:
    """A single value for several stays is theirs in common, or their first, last or extreme one.

    Only turns under the conditions of the question count where there are any: after an increase in
    one stay the home dose of the next is one value.
    """
    if answer.kind == "text":
        return True
    if len(case.cited) > 1 and asks_extreme(case):
        return is_extreme(case, answer)
    if len(case.asked.reading.stays) < 2:
        return True
    if is_extreme(case, answer):
        return True
    wanted = case.asked.reading.cues & PHASES
    under = [turn for turn in case.turns if wanted & turn.cues] or list(case.turns)
    values = {turn.session: values_of(case, turn, answer) for turn in under}
    having = [{value.key for value in found} for found in values.values() if found]
    alone = len(having) == 1 and (bool(wanted) or len(case.terms) == 0)
    return bool(having) and all(answer.keys in keys for keys in having) and (
        alone or len(having) > 1 or bool(case.asked.reading.cues)
    )


def _asks_when(case: Case) -> bool:
    return bool(re.search(r"\b(?:when|dates?|days?)\b", case.asked.reading.body, re.IGNORECASE))


def _paired(case: Case, answer: str) -> bool:
    """“A versus B” in the question's order, “A to B” in time order, a stay each."""
    stays = case.asked.reading.stays
    for pattern, order in ((_PAIR, stays), (_PASSAGE, tuple(sorted(stays))), (_LIST, stays)):
        for parts in _splits(pattern, answer):
            if _aligned(case, parts, order):
                return True
    return False


def _splits(pattern: re.Pattern[str], answer: str) -> list[list[str]]:
    """An answer cut at every mark, and at each single one."""
    found = list(pattern.finditer(answer))
    if not found:
        return []
    every = [part for part in pattern.split(answer) if part.strip()]
    single = [[answer[: one.start()], answer[one.end() :]] for one in found] if len(found) > 1 else []
    return [parts for parts in (every, *single) if len(parts) > 1]


def _aligned(case: Case, parts: Sequence[str], order: Sequence[int]) -> bool:
    for stays in (order, case.cited):
        if case.asked.reading.is_range and not set(stays) <= set(case.cited):
            continue
        if len(stays) == len(parts) and len(stays) > 1:
            return all(
                says(case, case.within(stay), part)
                or _in_other_words(case, case.within(stay), part)
                for stay, part in zip(stays, parts, strict=True)
            ) and _ends(case, parts)
    if len(case.cited) > 1 and len(order) > 1 and len(parts) != 2:
        return False
    return _successive(case, parts)


def _successive(case: Case, parts: Sequence[str]) -> bool:
    """Each part is said after the one before it."""
    last = (-1, -1)
    for part in parts:
        later = [place for place in _places(case, case.turns, part) if place > last]
        if not later:
            return False
        last = min(later)
    return _ends(case, parts)


def _ends(case: Case, parts: Sequence[str]) -> bool:
    """Dates of a first and a last time have to be the ends of what is cited."""
    if not re.search(r"\bfirst\b.*\blast\b", case.asked.reading.body, re.IGNORECASE):
        return True
    days = [read_answer(part) for part in parts]
    if any(day.kind != "date" for day in days):
        return True
    known = sorted(day for turn in case.turns for day in event_days(case, turn))
    return not known or (days[0].keys[0] == known[0] and days[-1].keys[0] == known[-1])


def _listed(case: Case, answer: str) -> bool:
    """A list whose members are all said, in whatever order."""
    if _PAIR.search(answer) or re.search(r"\sto\s", answer):
        return False
    parts = [part for part in _LIST.split(answer) if part.strip()]
    days = [read_answer(part).keys for part in parts if read_answer(part).kind == "date"]
    if days != sorted(days) or not _ends(case, parts):
        return False
    several = len(case.asked.reading.stays) > 1
    groups = [case.within(stay) for stay in case.cited] if several else [case.turns]
    told = [[says(case, turns, part) for part in parts] for turns in groups]
    return len(parts) > 1 and any(map(all, told)) and all(all(one) or not any(one) for one in told)


def _weekday(case: Case, answer: str) -> bool:
    """The weekday of a date that is said, or of a turn."""
    named = [one for one in re.findall(r"[a-z]+", answer.casefold()) if one in WEEKDAYS]
    if not named or set(keys_of(answer)) - set(keys_of(" ".join((*WEEKDAYS, "and", "then")))):
        return False
    if len(named) == 1:
        return any(
            weekday_of(day) == named[0]
            for turn in case.turns
            for day in event_days(case, turn)
        )
    stays = case.asked.reading.stays if len(case.asked.reading.stays) == len(named) else case.cited
    return len(stays) == len(named) and all(
        any(
            weekday_of(day) == name
            for turn in case.within(stay)
            for day in event_days(case, turn)
        )
        for stay, name in zip(stays, named, strict=True)
    )


def _yes_or_no(case: Case, answer: str) -> bool:
    """“Yes” where the thing is said, “no” where it is denied."""
    first = keys_of(answer)[:1]
    if asks_movement(case) is not None:
        return False
    if first not in (("yes",), ("no",)) or set(keys_of(answer)[1:]) - form_words():
        return False
    spans = [
        negated(turn.text, span)
        for turn in case.turns
        for term in case.asked.reading.terms
        for span in case.asked.spans(turn, term)
    ]
    return bool(spans) and (any(spans) if first == ("no",) else not all(spans))


def _told(case: Case, part: str) -> bool:
    """A part of an answer stands in some turn word for word."""
    keys = keys_of(_LEAD.sub("", part))
    return any(turn.text.find(keys) for turn in case.turns)


def _reworded(case: Case, answer: str) -> bool:
    """A free answer told in other words; not one that has parts for several stays."""
    if len(case.asked.reading.stays) > 1 and any(
        _told(case, part)
        for pattern in (_PAIR, _PASSAGE)
        for parts in _splits(pattern, answer)
        for part in parts
    ):
        return False
    return not _PAIR.search(answer) and _in_other_words(case, case.turns, answer)


def _in_other_words(case: Case, turns: Sequence[Turn], part: str) -> bool:
    """The numbers and most other words of an answer are said, though not as it stands."""
    read = read_answer(part)
    content = [key for key in read.keys if key not in form_words() and len(key) > 1]
    if read.kind != "text" or not any(key.isalpha() for key in content) or _told(case, part):
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
    return len(said) == len(content) or (
        len(content) > 3 and len(said) >= _ENOUGH * len(content)
    )
