"""Answers chosen among stays or things that the question offers, and trends of values."""

from __future__ import annotations

import re
from itertools import pairwise

from tasks.audit.support.belonging import sentence
from tasks.audit.support.case import Case, quantities, values_of
from tasks.audit.support.counting import differs
from tasks.audit.support.cues import ACTIONS, Cue, cues_of
from tasks.audit.support.ordering import LEAST, MOST, asks_first
from tasks.audit.support.reading_words import keys_of, read_text
from tasks.audit.support.values import dates_in, read_answer, spans_in

_ORDINALS = {
    "first": 0, "second": 1, "third": 2, "fourth": 3, "fifth": 4, "sixth": 5, "seventh": 6,
    "eighth": 7, "former": 0, "earlier": 0, "earliest": 0, "last": -1, "later": -1, "latter": -1,
    "latest": -1, "final": -1,
}  # fmt: skip
_STAY_WORDS = frozenset(
    keys_of(
        "the hospitalization stay admission one visit of that which began beginning on from to "
        "at two in"
    )
) | {"1", "2"}
_UP = frozenset(keys_of("rose risen increased up higher rise rising grew"))
_DOWN = frozenset(keys_of("fell fallen decreased down lower fall falling dropped declined"))
_SAME = frozenset(keys_of("unchanged same stable constant equal"))


def chosen_stay(case: Case, answer: str) -> int | None:
    """The stay that an answer names by its date, or by its rank among those asked about."""
    offered = case.asked.reading.stays if len(case.asked.reading.stays) > 1 else case.cited
    text = read_text(answer)
    dates = dates_in(text)
    if dates:
        keys = {token.key for token in text.tokens if token.kind == "word"}
        if keys - _STAY_WORDS:
            return None
        known = dict.fromkeys((*offered, *case.cited))
        return next((stay for stay in known if case.start(stay) == dates[0].key[0]), None)
    words = re.findall(r"[a-z]+", answer.casefold())
    ranks = [word for word in words if word in _ORDINALS]
    if len(ranks) != 1 or set(keys_of(answer)) - _STAY_WORDS - set(keys_of(ranks[0])):
        return None
    ordered = sorted(offered)
    rank = _ORDINALS[ranks[0]]
    return ordered[rank] if -len(ordered) <= rank < len(ordered) else None


def chooses(case: Case, answer: str) -> bool:
    """The answer is the right one of the stays or things that the question offers."""
    if _acted_on(case, answer):
        return True
    stay = chosen_stay(case, answer)
    return stay is not None and stay in case.cited and _right_stay(case, stay)


def _right_stay(case: Case, stay: int) -> bool:
    body = case.asked.reading.body
    most, least = MOST.search(body), LEAST.search(body)
    if bool(most) != bool(least):
        sizes = {one: size for one in case.cited if (size := _size(case, one)) is not None}
        if len(sizes) < 2 or stay not in sizes:
            return False
        best = max(sizes.values()) if most else min(sizes.values())
        return [one for one in sizes if sizes[one] == best] == [stay]
    having = [one for one in case.cited if len(case.named_in(case.within(one))) == len(case.terms)]
    for word in case.asked.reading.states:
        having = [one for one in having if _is_so(case, one, word)]
    wanted = case.asked.reading.cues & ACTIONS
    if wanted:
        having = [one for one in having if _does(case, one, wanted)]
    first = asks_first(body)
    if first is not None and len(having) > 1:
        return stay == (having[0] if first else having[-1])
    return bool(case.terms) and having == [stay]


def _does(case: Case, stay: int, wanted: frozenset[Cue]) -> bool:
    """A stay's turns tell of the action asked about, beside the thing."""
    return any(
        wanted & cues_of(sentence(turn.text, span))
        for turn in case.within(stay)
        for term in case.terms
        for span in case.asked.spans(turn, term)
    )


def _is_so(case: Case, stay: int, word: str) -> bool:
    """A stay's turns say of the thing what the question sets as a condition."""
    wanted = read_answer(word)
    return any(
        value.key == wanted.keys
        for turn in case.within(stay)
        for value in values_of(case, turn, wanted)
    )


def _size(case: Case, stay: int) -> float | None:
    """What is compared in a stay: the value asked about, else how long the stay took."""
    turns = case.within(stay)
    if case.terms:
        found = quantities(case, turns)
        return found[0][0] if found else None
    lengths = [value for turn in turns for value, unit in spans_in(turn.text) if unit == "day"]
    if lengths:
        return lengths[0]
    if any("less than one day" in turn.spoken.casefold() for turn in turns):
        return 0.0
    session = case.sessions[stay]
    return (session.admission_end - session.admission_start).total_seconds() / 86400


def _acted_on(case: Case, answer: str) -> bool:
    """Of the things offered, the one of which the action asked about is told."""
    wanted = case.asked.reading.cues & ACTIONS
    chosen = [term for term in case.terms if term.keys == keys_of(answer)]
    if not wanted or len(chosen) != 1 or len(case.terms) < 2:
        return False
    told = {
        term
        for term in case.terms
        for turn in case.turns
        if case.asked.spans(turn, term) and wanted & cues_of(turn.spoken)
    }
    return chosen[0] in told


def trends(case: Case, answer: str) -> bool:
    """The answer says how a value moved from the first to the last cited turn."""
    keys = set(keys_of(answer))
    if re.search(r";|\b(?:versus|vs|compared)\b", answer):
        return False
    path = [sign for key in keys_of(answer) if (sign := _direction({key})) is not None]
    if len(path) > 1:
        return path == _path(case)
    moved = _moved(case)
    if moved is None:
        return False
    if keys & {"yes", "no"} and len(keys) < 4:
        asked = set(keys_of(case.asked.reading.body))
        wanted = _direction(asked)
        return wanted is not None and (moved == wanted) == ("yes" in keys)
    if _direction(keys) != moved:
        return False
    numbers = re.findall(r"\d+(?:\.\d+)?", answer)
    spoken = [turn.text.places for turn in case.turns]
    return all(
        differs(case, number) or any(read_answer(number).keys[0] in places for places in spoken)
        for number in numbers
    )


def asks_movement(case: Case) -> int | None:
    """The direction that a question asks for, where turns give values to compare."""
    wanted = _direction(set(keys_of(case.asked.reading.body)))
    return wanted if wanted is not None and _moved(case) is not None else None


def _direction(keys: set[str]) -> int | None:
    found = [sign for sign, words in ((1, _UP), (-1, _DOWN), (0, _SAME)) if keys & words]
    return found[0] if len(found) == 1 else None


def _path(case: Case) -> list[int]:
    """How a value moved from each stay, or turn, to the next."""
    values = _values(case)
    return [(after > before) - (after < before) for before, after in pairwise(values)]


def _moved(case: Case) -> int | None:
    values = _values(case)
    if len(values) < 2:
        return None
    return (values[-1] > values[0]) - (values[-1] < values[0])


def _values(case: Case) -> list[float]:
    groups = (
        [quantities(case, case.within(stay)) for stay in case.cited]
        if len(case.cited) > 1
        else [quantities(case, (turn,)) for turn in case.turns]
    )
    return [group[0][0] for group in groups if group]
