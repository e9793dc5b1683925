"""Answers that choose among options the question names: stays by their dates, or two events."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from tasks.contracts.records import Fact
from tasks.qa.quantities import GREATER, LESSER, first_number, shared_facts
from tasks.qa.shown import ShownTurn
from tasks.terminology.normalization import says, words


def offers_options(answer: str, question: str, turns: Sequence[ShownTurn]) -> bool:
    """The question names the answer, and it is a stay's first day or a dated event."""
    stays = {turn.stay_name for turn in turns}
    events = {
        fact.label.casefold() for turn in turns for fact in turn.facts if "date" in fact.detail
    }
    is_option = answer in stays or answer.casefold() in events
    return is_option and says(question, answer)


def choice(answer: str, question: str, turns: Sequence[ShownTurn]) -> bool:
    """All options are named and cited, one a turn, and the answer is the right one of them."""
    stays = [turn.stay_name for turn in turns]
    if answer in stays:
        named = all(says(question, name) for name in stays)
        apart = len(set(stays)) == len(stays) > 1
        return named and apart and _right_stay(question, answer, turns)
    options = [any(says(question, fact.label) for fact in turn.facts) for turn in turns]
    named = all(options) and any(says(turn.line.text, answer) for turn in turns)
    return len(turns) == 2 and named and _first(answer, turns)


def _first(answer: str, turns: Sequence[ShownTurn]) -> bool:
    """The event that the answer names is dated before the other turn's one."""
    own, other = sorted(turns, key=lambda turn: not says(turn.line.text, answer))
    days = [
        [fact.detail["date"] for fact in own.facts if fact.label.casefold() == answer.casefold()],
        [fact.detail["date"] for fact in other.facts if "date" in fact.detail],
    ]
    return any(one < later for one, later in product(*days))


def _right_stay(question: str, answer: str, turns: Sequence[ShownTurn]) -> bool:
    """The answer's stay has the extreme value, or is the only one of which the question is true."""
    ordered = sorted(turns, key=lambda turn: turn.stay_name != answer)
    return any(
        _greatest(question, row[0], row[1:]) or _alone(question, row[0], row[1:])
        for row in shared_facts(ordered)
    )


def _greatest(question: str, chosen: Fact, others: Sequence[Fact]) -> bool:
    asked = set(words(question))
    one, rest = first_number(chosen.value), [first_number(fact.value) for fact in others]
    if one is None:
        return False
    known = [number for number in rest if number is not None]
    more = bool(asked & GREATER) and all(one > number for number in known)
    less = bool(asked & LESSER) and all(one < number for number in known)
    return len(known) == len(rest) and (more or less)


def _alone(question: str, chosen: Fact, others: Sequence[Fact]) -> bool:
    said = _state(chosen)
    return says(question, said) and all(_state(fact) != said for fact in others)


def _state(fact: Fact) -> str:
    """What a question can say of a thing in one stay: done to it, ranked or reported."""
    return fact.detail.get("action", fact.value).casefold()
