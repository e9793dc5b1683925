"""Uncited turns that give another answer to a question than the one it has."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tasks.audit.support.belonging import acts
from tasks.audit.support.case import Case, quantities, values_of
from tasks.audit.support.choices import chosen_stay
from tasks.audit.support.counting import ASKS_COUNT, read_count
from tasks.audit.support.cues import ACTIONS, PHASES, Cue, cues_of
from tasks.audit.support.ordering import asks_first
from tasks.audit.support.reading_words import SENTENCE, keys_of
from tasks.audit.support.spoken import Turn, is_common, negated
from tasks.audit.support.values import DAYS_IN, Answer, Value, alternatives, read_answer

_REASON = re.compile(
    r"\b(?:because|reason|on account of|due to|owing to|caused by|in response to|in view of)\b",
    re.IGNORECASE,
)
_ASKS_REASON = re.compile(
    r"\b(?:why|reasons?|because|cause|indication|account\w*|justif\w+|grounds?|led to|prompted|"
    r"concern|behind|in response)\b",
    re.IGNORECASE,
)
_A_DATE = read_answer("2000-01-01")
_AN_AMOUNT = read_answer("1 mg")
_A_NUMBER = read_answer("1")
_FREQUENCY = read_answer("once daily")
_MOVING = frozenset(keys_of("held started continued"))
"""A drug can be held during a stay and stopped at its end: neither contradicts the other."""
_STAYS = frozenset(keys_of("hospitalization stay admission visit encounter hospitalisation time"))
Turns = Sequence[Sequence[Turn]]


def contradictions(case: Case, answer: str, turns: Turns) -> tuple[str, ...]:
    """Uncited turns of the stays asked about that answer the question differently.

    A turn counts only if it names the things asked about under the question's own conditions, and
    gives a value of the answer's kind that no cited turn of its stay gives; for counts and for
    firsts and lasts, if it tells the same of a stay that isn't cited.
    """
    if not case.terms:
        return ()
    cited = {turn.place for turn in case.turns}
    found = [
        turn.place
        for session in _scope(case, turns)
        for turn in turns[session]
        if turn.place not in cited
        and not turn.of_another_stay
        and _same_question(case, turn)
        and _differs(case, turn, answer)
    ]
    return tuple(found)


def _scope(case: Case, turns: Turns) -> Iterator[int]:
    """The stays asked about: those named, all between them for a range, all where none is."""
    named = case.asked.reading.stays
    for session in range(len(turns)):
        if (
            not named
            or session in named
            or (case.asked.reading.is_range and min(named) < session < max(named))
        ):
            yield session


def _same_question(case: Case, turn: Turn) -> bool:
    """A turn names the things asked about under every condition that the question sets."""
    reading = case.asked.reading
    if len(case.named_in((turn,))) < len(case.terms):
        return False
    if any(day not in turn.text.places for day in reading.days):
        return False
    wanted = reading.cues & (PHASES | {Cue.DIAGNOSIS, Cue.HISTORY, Cue.FOLLOW_UP, Cue.COMPLAINT})
    if not wanted <= turn.cues or (not wanted & PHASES and _other_phase(case, turn)):
        return False
    action = reading.cues & ACTIONS
    spans = [span for term in case.terms for span in case.asked.spans(turn, term)]
    if action and not action & cues_of(turn.spoken):
        return False
    return any(acts(case.asked, turn, span) for span in spans)


def _other_phase(case: Case, turn: Turn) -> bool:
    """The turn tells of home, arrival or discharge, and no cited turn of its stay does."""
    beside = case.within(turn.session) or case.turns
    known = frozenset(cue for one in beside for cue in one.cues & PHASES)
    return bool(turn.cues & PHASES) and not turn.cues & known


def _differs(case: Case, turn: Turn, answer: str) -> bool:
    """Whether a turn that is about the question answers it otherwise."""
    beside = case.within(turn.session)
    if not beside:
        return _affirms(case, turn) and _overlooked(case, turn, answer)
    kind = _kind(case, answer)
    if kind is None:
        return _other_reason(case, turn, answer)
    own = {value.key for value in values_of(case, turn, kind) if _close(case, turn, value)}
    told = {value.key for one in beside for value in values_of(case, one, kind)}
    return bool(own) and bool(told) and not own & told


def _close(case: Case, turn: Turn, value: Value) -> bool:
    """In the same clause as the thing: a value further off may be another thing's."""
    return any(
        turn.text.distance(span, value.span) == 0
        or (value.kind == "word" and turn.text.distance(span, value.span) < SENTENCE)
        for term in case.terms
        for span in case.asked.spans(turn, term)
    )


def _affirms(case: Case, turn: Turn) -> bool:
    """A turn that states the things asked about, and neither denies them nor asks for them."""
    asks = turn.spoken.rstrip().endswith("?") and turn.spoken.count("?") >= turn.spoken.count(".")
    reported = "report" not in keys_of(case.asked.reading.body) or "report" in turn.text.places
    spans = [span for term in case.terms for span in case.asked.spans(turn, term)]
    return not asks and reported and not all(negated(turn.text, span) for span in spans)


def _kind(case: Case, answer: str) -> Answer | None:
    """What sort of value the answer rests on; null where it is told in words."""
    count = read_count(answer)
    if count is not None:
        noun = set(count[1])
        if noun & _STAYS:
            return None
        if noun & set(DAYS_IN):
            return _A_DATE
    read = read_answer(re.split(r"\s+(?:to|versus|and)\s+|[;,]", answer)[0].removeprefix("from "))
    if read.kind == "date" and chosen_stay(case, answer) is not None:
        for kind in (_AN_AMOUNT, _A_NUMBER):
            if any(values_of(case, turn, kind) for turn in case.turns):
                return kind
        return None
    known = {"amount": _AN_AMOUNT, "number": _A_NUMBER, "date": _A_DATE, "frequency": _FREQUENCY}
    if read.kind == "number" and any(values_of(case, one, _AN_AMOUNT) for one in case.turns):
        return _AN_AMOUNT
    if read.kind == "word" and not alternatives(read.keys) & _MOVING:
        return read
    return known.get(read.kind)


def _overlooked(case: Case, turn: Turn, answer: str) -> bool:
    """A stay in scope that isn't cited, though a count or a first or last had to regard it."""
    reading = case.asked.reading
    count = read_count(answer)
    counted = ASKS_COUNT.search(reading.body) or "different" in f"{answer} {reading.body}"
    if count is not None and counted and not set(count[1]) & set(DAYS_IN):
        amounts = {value.key for one in case.turns for value in values_of(case, one, _AN_AMOUNT)}
        if set(count[1]) & _STAYS or not amounts:
            return not reading.threshold
        own = {value.key for value in values_of(case, turn, _AN_AMOUNT)}
        return bool(own) and not own <= amounts
    first = asks_first(reading.body)
    if first is not None and (reading.is_range or not reading.stays) and case.cited:
        return turn.session < case.cited[0] if first else turn.session > case.cited[-1]
    if not reading.stays:
        return _overtaken(case, turn)
    return False


def _overtaken(case: Case, turn: Turn) -> bool:
    """A later stay gives another value, and the question doesn't say which stay it means."""
    own = quantities(case, (turn,))
    told = quantities(case, case.turns)
    return bool(own) and bool(told) and turn.session > case.cited[-1] and not set(own) & set(told)


def _other_reason(case: Case, turn: Turn, answer: str) -> bool:
    """Another reason for the same action, where the question asks for the reason."""
    if not _ASKS_REASON.search(case.asked.reading.body) or not _REASON.search(turn.spoken):
        return False
    if not case.asked.reading.cues & ACTIONS:
        return False
    content = {key for key in keys_of(answer) if len(key) > 2 and not is_common(key)}
    return not content & set(turn.text.places)
