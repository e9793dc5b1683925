"""Whether an answer follows from turns alone: said, counted, subtracted, compared or chosen."""

from __future__ import annotations

import re
from collections.abc import Callable

from tasks.audit.support.belonging import under
from tasks.audit.support.case import WEEKDAYS, Case, event_days, values_of, weekday_of
from tasks.audit.support.choices import asks_movement, chooses, trends
from tasks.audit.support.counting import ASKS_COUNT, counts, differs, read_count
from tasks.audit.support.cues import PHASES
from tasks.audit.support.ordering import asks_extreme, chosen_event, in_order, is_extreme
from tasks.audit.support.pairing import LIST, PAIR, PASSAGE, listed, paired, splits
from tasks.audit.support.question_terms import Term, form_words
from tasks.audit.support.reading_words import keys_of, read_text
from tasks.audit.support.saying import in_other_words, says, told
from tasks.audit.support.spoken import is_known, negated
from tasks.audit.support.values import DAYS_IN, Answer, frequencies_in, read_answer

_HOW_MANY = re.compile(r"\bhow many\b", re.IGNORECASE)
_WHICH_DOSE = re.compile(r"\b(?:what|which) (?:\w+ )?(?:dose|amount)s?\b", re.IGNORECASE)
_HOW_OFTEN = re.compile(
    r"\b(?:how (?:often|frequently)|(?:at|on|with) (?:what|which) (?:\w+ )?"
    r"(?:interval|frequency|schedule)|what (?:interval|frequency|schedule))\b",
    re.IGNORECASE,
)
_WHY = re.compile(r"^\W*why\b|\bfor (?:what|which) reasons?\b", re.IGNORECASE)
_UNCOUNTED = frozenset(
    keys_of("once twice thrice none no never yes all unchanged same stopped held double half")
)
_ASKS_DIFFERENCE = re.compile(
    r"\b(?:by how (?:many|much)|how (?:many|much) (?:\w+ )?(?:more|less|fewer|longer|shorter|"
    r"higher|lower|"
    r"larger|smaller|greater)|differ(?:ence|ed?)?|apart)\b(?! result)",
    re.IGNORECASE,
)


def follows(case: Case, answer: str) -> bool:
    """Whether an answer follows from the turns of a case."""
    stays = case.asked.reading.stays
    if not case.asked.reading.is_range and not set(stays) <= set(case.cited):
        return False
    if not case.turns or not _names_things(case, answer):
        return False
    if not _suits(case.asked.reading.body, read_answer(answer)):
        return False
    event = chosen_event(case, answer)
    if event is not None:
        return event
    derivations: tuple[Callable[[Case, str], bool], ...] = (
        paired, _said, counts, differs, chooses, trends, listed, _weekday, _yes_or_no, _reworded,
    )  # fmt: skip
    return any(derivation(case, answer) for derivation in derivations)


def _suits(body: str, answer: Answer) -> bool:
    """A count answers how many, an amount which dose, a frequency how often, words answer why."""
    counted = any(key.isdigit() or (key[0].isdigit() and "-" not in key) for key in answer.keys)
    if _HOW_MANY.search(body) or _WHICH_DOSE.search(body):
        return counted or bool(set(answer.keys) & _UNCOUNTED)
    if _HOW_OFTEN.search(body) and not counted:
        often = bool(frequencies_in(read_text(answer.text)))
        return often or bool(set(answer.keys) & (_UNCOUNTED | DAYS_IN.keys()))
    if _WHY.search(body):
        return answer.kind not in ("amount", "number", "date", "frequency")
    return True


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
    members = [keys_of(part) for parts in splits(LIST, answer) for part in parts]
    if len(case.terms) == 1 and case.terms[0].keys in (offered, *members):
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
    return says(case, case.turns, answer) and in_order(case, read) and _under_states(case, read)


def _under_states(case: Case, answer: Answer) -> bool:
    """What is asked for as primary, denied or resistant is told to be so, where turns tell it."""
    for word in case.asked.reading.states:
        wanted = read_answer(word)
        said = [
            (under(case.asked, turn, place, wanted), bool(case.named_in((turn,))))
            for turn in case.turns
            for place in turn.text.find(answer.keys)
        ]
        beside = [so for so, naming in said if naming or not case.terms]
        apart = [
            under(case.asked, turn, span, wanted)
            for turn in case.turns
            if turn.text.find(answer.keys)
            for term in case.terms
            for span in case.asked.spans(turn, term)
        ]
        if apart and all(so is False for so in apart) and all(naming for _, naming in said):
            return False
        if beside and all(so is False for so in beside) and (True not in {so for so, _ in said}):
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
    return (
        bool(having)
        and all(answer.keys in keys for keys in having)
        and (alone or len(having) > 1 or bool(case.asked.reading.cues))
    )


def _asks_when(case: Case) -> bool:
    return bool(re.search(r"\b(?:when|dates?|days?)\b", case.asked.reading.body, re.IGNORECASE))


def _weekday(case: Case, answer: str) -> bool:
    """The weekday of a date that is said, or of a turn."""
    named = [one for one in re.findall(r"[a-z]+", answer.casefold()) if one in WEEKDAYS]
    if not named or set(keys_of(answer)) - set(keys_of(" ".join((*WEEKDAYS, "and", "then")))):
        return False
    if len(named) == 1:
        return any(
            weekday_of(day) == named[0] for turn in case.turns for day in event_days(case, turn)
        )
    stays = case.asked.reading.stays if len(case.asked.reading.stays) == len(named) else case.cited
    return len(stays) == len(named) and all(
        any(weekday_of(day) == name for turn in case.within(stay) for day in event_days(case, turn))
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


def _reworded(case: Case, answer: str) -> bool:
    """A free answer told in other words; not one that has parts for several stays."""
    if len(case.asked.reading.stays) > 1 and any(
        told(case, part)
        for pattern in (PAIR, PASSAGE)
        for parts in splits(pattern, answer)
        for part in parts
    ):
        return False
    return not PAIR.search(answer) and in_other_words(case, case.turns, answer)
