"""Answers that are counted or subtracted from what turns say."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import timedelta
from itertools import combinations, pairwise

from tasks.audit.support.case import Case, days_between, event_days, quantities, values_of
from tasks.audit.support.reading_words import SENTENCE, keys_of, stem
from tasks.audit.support.values import DAYS_IN, UNITS, read_answer, spans_in

_STAYS = frozenset(
    key
    for word in [
        "hospitalization",
        "stay",
        "admission",
        "visit",
        "encounter",
        "session",
        "hospitalisation",
    ]
    for key in keys_of(word)
)
_TIMES = {
    stem(word): number
    for word, number in {
        "once": 1.0,
        "twice": 2.0,
        "thrice": 3.0,
        "never": 0.0,
        "none": 0.0,
    }.items()
}
_FILLING = frozenset(keys_of("of in about by a different distinct exactly only just in all total"))
_DIFFERENT = re.compile(r"\b(?:different|distinct)\b", re.IGNORECASE)
_ROSE = re.compile(r"\b(?:rise|rose|risen|increas\w+|higher|went up|rais\w+)\b", re.IGNORECASE)
_FELL = re.compile(r"\b(?:fall|fell|fallen|decreas\w+|lower\w*|went down|reduc\w+|drop\w*)\b", re.I)
ASKS_COUNT = re.compile(
    r"\bhow often\b|\bhow many (?:\w+ ){0,3}?(?:hospitali\w+|stays|admissions|times|visits)\b|"
    r"\b(?:in|after|before|for|at) how many\b|\bnumber of (?:hospitali\w+|stays|admissions)\b",
    re.IGNORECASE,
)
_ASKS_SIZE = re.compile(
    r"\b(?:how (?:many|long|much|far|soon|large|big|great|late|early)|intervals?|gap|differ\w*|"
    r"apart|"
    r"between|length|duration|number|days?|weeks?|hours?|delay|separat\w+|span)\b",
    re.IGNORECASE,
)
_CLASSES = tuple(read_answer(one) for one in ("1 mg", "1", "once daily", "2000-01-01"))


def read_count(answer: str) -> tuple[float, tuple[str, ...]] | None:
    """The number of an answer and what it counts: ``2 different doses`` is 2 and dose."""
    keys = [key for key in keys_of(answer) if key not in _FILLING or key.isdigit()]
    if not keys or len(keys) > 4:
        return None
    if keys[0] in _TIMES:
        return _TIMES[keys[0]], ("time",)
    if not re.fullmatch(r"\d+(?:\.\d+)?", keys[0]):
        return None
    if any(key[0].isdigit() for key in keys[1:]):
        return None
    return float(keys[0]), tuple(keys[1:])


def counts(case: Case, answer: str) -> bool:
    """The answer is the number of cited stays, events or different values."""
    read = read_count(answer)
    if read is None or not read[0].is_integer() or set(read[1]) & (set(DAYS_IN) | UNITS):
        return False
    number, noun = int(read[0]), read[1]
    body = case.asked.reading.body
    if not noun and not re.search(r"\bhow (?:many|often)\b|\bnumber of\b|\bcount", body, re.I):
        return False
    asked = set(keys_of(body))
    if noun and not (set(noun) & asked or (set(noun) & _STAYS and asked & _STAYS)):
        return "time" in noun and number == _events(case)
    if _DIFFERENT.search(answer) or (not noun and _DIFFERENT.search(body)):
        return number == _distinct(case)
    if set(noun) & _STAYS:
        return number == _stays(case)
    if not noun and set(keys_of(body)) & _STAYS and re.search(r"\bstays|admissions|ations\b", body):
        return number in (_stays(case), _events(case))
    return number in {_stays(case), _events(case), *_listed(case, noun)}


def _stays(case: Case) -> int:
    """Cited stays that name the things asked about, within the threshold where one is given."""
    body, threshold = case.asked.reading.body, case.asked.reading.threshold
    having = [
        stay for stay in case.cited if len(case.named_in(case.within(stay))) == len(case.terms)
    ]
    if threshold:
        return sum(_beyond(case, stay, *threshold) for stay in having)
    if _ROSE.search(body) or _FELL.search(body):
        first = [found[0][0] for stay in having if (found := quantities(case, case.within(stay)))]
        if len(first) > 1:
            rose = bool(_ROSE.search(body))
            moved = sum(b > a if rose else b < a for a, b in pairwise(first))
            return moved if re.search(r"\b(?:how often|times)\b", body) else max(moved, 0)
    return len(having)


def _beyond(case: Case, stay: int, wording: str, limit: float) -> bool:
    found = quantities(case, case.within(stay))
    if re.search(r"above|over|exceed|more|higher|greater", wording):
        return any(value > limit for value, _ in found)
    if "least" in wording:
        return any(value >= limit for value, _ in found)
    if "most" in wording:
        return any(value <= limit for value, _ in found)
    return any(value < limit for value, _ in found)


def _events(case: Case) -> int:
    """Different days on which the things took place, in different turns."""
    naming = [turn for turn in case.turns if not case.terms or case.named_in((turn,))]
    return len({(turn.place, tuple(event_days(case, turn))) for turn in naming})


def _distinct(case: Case) -> int:
    """Different values of the things: amounts, else numbers, frequencies, dates or words."""
    for kind in _CLASSES:
        found = {value.key for turn in case.turns for value in values_of(case, turn, kind)}
        if found:
            return len(found)
    return len({turn.spoken for turn in case.turns})


def _listed(case: Case, noun: Sequence[str]) -> Iterator[int]:
    """Members of the lists that turns give, and how often they name what is counted."""
    totals = 0
    for turn in case.turns:
        text = turn.text
        marked = [place for key in noun for place in text.places.get(key, ())]
        marked += [span[0] for term in case.terms for span in case.asked.spans(turn, term)]
        members = 0
        for place in marked:
            sentence = [
                n
                for n in range(len(text.tokens))
                if text.distance((n, n + 1), (place, place + 1)) < SENTENCE
            ]
            breaks = [text.tokens[n].breaks for n in sentence]
            members = max(
                members,
                len(set(breaks))
                - sum(
                    text.tokens[n].key == "and"
                    and n > 0
                    and text.tokens[n].breaks - text.tokens[n - 1].breaks > 1
                    for n in sentence
                ),
            )
        totals += members
        yield sum(key in noun for key in (token.key for token in text.tokens))
    yield totals


def differs(case: Case, answer: str) -> bool:
    """The answer is the difference of two dates, two lengths of time, or two values."""
    read = read_count(answer)
    if read is None:
        return False
    number, noun = read
    unit = next((key for key in noun if key in DAYS_IN), "")
    body = case.asked.reading.body
    if not unit and re.search(r"\bdays\b", body, re.I) and not noun:
        unit = "day"
    if not _ASKS_SIZE.search(body):
        return False
    if unit:
        return any(_spans(days, unit, number) for days in _gaps(case)) or _lengths(
            case, number, unit
        )
    return _values_differ(case, number, set(noun) & UNITS)


def _spans(days: timedelta, unit: str, number: float) -> bool:
    exact = days.total_seconds() / 86400 / DAYS_IN[unit]
    if unit in ("day", "night"):
        return exact == number
    return abs(exact - number) < 1 and (number in (int(exact), round(exact)))


def _gaps(case: Case) -> Iterator[timedelta]:
    """Times between two events that turns tell of.

    Of two stays both events have to be the things asked about; within one stay the other can be a
    day that a turn gives without naming a thing, or where the question gives it, the stay's start.
    """
    found = [
        (turn.session, bool(case.named_in((turn,))) or not case.terms, day)
        for turn in case.turns
        for day in event_days(case, turn)
    ]
    several = len(case.cited) > 1
    for one, other in combinations(found, 2):
        apart = one[0] != other[0] or not several
        if apart and (one[1] and other[1] if several else one[1] or other[1]):
            yield timedelta(days=days_between(one[2], other[2]))
    if case.own_dates and not several and len(case.terms) < 2:
        for _, naming, day in found:
            if naming:
                yield timedelta(days=days_between(case.start(case.cited[0]), day))
    for one, other in combinations(case.turns, 2):
        if one.time.date() == other.time.date():
            yield abs(other.time - one.time)


def _lengths(case: Case, number: float, unit: str) -> bool:
    """The difference of two lengths of time that two stays' turns give."""
    per_stay = [
        [value for turn in case.within(stay) for value, what in spans_in(turn.text) if what == unit]
        for stay in case.cited
    ]
    return any(
        abs(a - b) == number for one, other in combinations(per_stay, 2) for a in one for b in other
    )


def _values_differ(case: Case, number: float, units: set[str]) -> bool:
    if len(case.cited) > 1:
        groups = [quantities(case, case.within(stay)) for stay in case.cited]
    else:
        groups = [quantities(case, (turn,)) for turn in case.turns]
        if len(groups) == 1:
            groups = [[one] for one in groups[0]]
    return any(
        abs(abs(a - b) - number) < 1e-6 and (not units or {unit, other_unit} <= units)
        for one, other in combinations(groups, 2)
        for a, unit in one
        for b, other_unit in other
        if unit == other_unit
    )
