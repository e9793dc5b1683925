"""First and last, before and after, in one stay and not the other."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tasks.audit.support.case import Case, event_days, quantities, values_of
from tasks.audit.support.question_terms import Term
from tasks.audit.support.spoken import Turn
from tasks.audit.support.values import Answer, read_answer

_AFTER = re.compile(r"\b(?:after|following|next|subsequent\w*|followed)\b", re.IGNORECASE)
_BEFORE = re.compile(r"\b(?:before|preced\w+|prior to)\b", re.IGNORECASE)
_FIRST = re.compile(r"\b(?:first|earliest|earlier)\b", re.IGNORECASE)
_LAST = re.compile(r"\b(?:last|latest|most recent\w*|later)\b", re.IGNORECASE)
_ONLY_ONE = re.compile(
    r"\b(?:but not|and not|no longer|not any ?more|newly|was missing|only (?:in|after|at|during)|"
    r"absent from|new (?:in|at|compared))\b",
    re.IGNORECASE,
)

_NEIGHBOUR = re.compile(
    r"\b(?P<near>right|immediately|directly|just|next|previous)?\b ?(?:before|after|preceding|"
    r"following|"
    r"prior to|next|previous)\b",
    re.IGNORECASE,
)
MOST = re.compile(
    r"\b(?:higher|highest|larger|largest|longer|longest|greater|greatest|more|most|peak\w*|bigger|"
    r"biggest|maximum|stronger)\b(?! recent)(?! than \d)",
    re.IGNORECASE,
)
LEAST = re.compile(
    r"\b(?:lower|lowest|smaller|smallest|shorter|shortest|less|least|fewer|fewest|minimum|weaker)\b"
    r"(?! than \d)",
    re.IGNORECASE,
)
Moment = tuple[str, int, int]


def asks_first(body: str) -> bool | None:
    """True for a question for the first, False for the last, None for neither or both."""
    first, last = bool(_FIRST.search(body)), bool(_LAST.search(body))
    return None if first == last else first


def stay_beside(case: Case, turn: Turn) -> bool:
    """Whether a turn's stay lies before, or after, the stay that names the thing as asked.

    “The stay right before the one for sepsis” asks for the neighbour of a stay that isn't named by
    its date.
    """
    found = _NEIGHBOUR.search(case.asked.reading.body)
    if found is None or case.named_in((turn,)):
        return False
    step = 1 if _AFTER.search(found[0]) else -1
    naming = [one.session for one in case.turns if case.named_in((one,))]
    if found["near"]:
        return any(turn.session == session + step for session in naming)
    return any((turn.session - session) * step > 0 for session in naming)


def asks_extreme(case: Case) -> bool:
    """Whether a question asks for the highest, lowest, first or last of several values."""
    body = case.asked.reading.body
    extreme = bool(MOST.search(body)) != bool(LEAST.search(body))
    return extreme or (asks_first(body) is not None and "admission" not in body)


def is_extreme(case: Case, answer: Answer) -> bool:
    """A value is the highest, lowest, first or last of those cited, as the question asks."""
    body = case.asked.reading.body
    most, least = MOST.search(body), LEAST.search(body)
    if bool(most) != bool(least) and answer.kind in ("amount", "number"):
        found = [value for value, _ in quantities(case, case.turns)]
        return bool(found) and float(answer.keys[0]) == (max(found) if most else min(found))
    first = asks_first(body)
    if first is None:
        return False
    having = [stay for stay in case.cited if case.named_in(case.within(stay))] or list(case.cited)
    turns = case.within(having[0] if first else having[-1])
    if answer.kind == "date":
        days = [day for turn in case.turns for day in event_days(case, turn)]
        return answer.keys[0] == (min(days) if first else max(days))
    return any(
        value.key == answer.keys for turn in turns for value in values_of(case, turn, answer)
    )


def in_order(case: Case, answer: Answer) -> bool:
    """An answer in words lies where the question wants it among the things that are cited."""
    if answer.kind != "text" or len(case.turns) < 2:
        return True
    saying = [turn for turn in case.turns if turn.text.find(answer.keys)]
    return _beside_reference(case, saying) and _extreme(case, saying) and _in_one(case, saying)


def _beside_reference(case: Case, saying: Sequence[Turn]) -> bool:
    """What came after (or before) a thing isn't cited from before (or after) it."""
    body = case.asked.reading.body
    after, before = bool(_AFTER.search(body)), bool(_BEFORE.search(body))
    naming = [turn for turn in case.turns if case.named_in((turn,)) and turn not in saying]
    if after == before or not naming or not saying:
        return True
    reference = [moment(case, turn) for turn in naming]
    answers = [moment(case, turn, ()) for turn in saying]
    return max(answers) >= min(reference) if after else min(answers) <= max(reference)


def _extreme(case: Case, saying: Sequence[Turn]) -> bool:
    first = asks_first(case.asked.reading.body)
    if first is None or case.terms or not saying:
        return True
    moments = [moment(case, turn) for turn in case.turns]
    answers = [moment(case, turn) for turn in saying]
    return min(answers) == min(moments) if first else max(answers) == max(moments)


def _in_one(case: Case, saying: Sequence[Turn]) -> bool:
    """What is asked for in one stay and not in the other is said of one only."""
    if len(case.cited) < 2 or not _ONLY_ONE.search(case.asked.reading.body):
        return True
    return len({turn.session for turn in saying}) == 1


def moment(case: Case, turn: Turn, terms: Sequence[Term] | None = None) -> Moment:
    """When what a turn tells took place, then where it is told."""
    return min(event_days(case, turn, terms)), turn.session, turn.number


def chosen_event(case: Case, answer: str) -> bool | None:
    """Whether an event that the question offers is the earlier, or later, one of those offered.

    None where the answer isn't one of at least two things that the question names.
    """
    offered = _offered(case, read_answer(answer))
    if offered is None:
        return None
    first = asks_first(case.asked.reading.body)
    if first is None:
        first = bool(_BEFORE.search(case.asked.reading.body))
        if not first and not _AFTER.search(case.asked.reading.body):
            return None
    moments: dict[Term, str] = {}
    for term in case.terms:
        days = [
            (day, turn)
            for turn in case.turns
            if case.asked.spans(turn, term)
            for day in event_days(case, turn, (term,))
        ]
        if not days:
            return False
        moments[term] = min(day for day, _ in days)
    best = min(moments.values()) if first else max(moments.values())
    return [term for term in moments if moments[term] == best] == [offered]


def _offered(case: Case, answer: Answer) -> Term | None:
    if len(case.terms) < 2:
        return None
    same = [
        term
        for term in case.terms
        if term.keys == answer.keys
        or (len(answer.keys) > 1 and set(answer.keys) <= set(term.keys))
        or set(term.keys) <= set(answer.keys)
    ]
    return same[0] if len(same) == 1 else None
