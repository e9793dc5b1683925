"""Answers of several parts: “A versus B”, “A to B”, first and last, lists."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tasks.audit.support.case import Case, event_days
from tasks.audit.support.saying import in_other_words, places, says
from tasks.audit.support.values import read_answer

PAIR = re.compile(
    r"\s+(?:versus|vs\.?|compared (?:with|to)|as against)\s+|\s*(?:→|->)\s*", re.IGNORECASE
)
PASSAGE = re.compile(r"\s*;\s*|,?\s+(?:and )?(?:then|later|followed by)\s+|\s+to\s+", re.IGNORECASE)
LIST = re.compile(r"\s*[,;]\s*(?:and\s+)?|\s+(?:and|plus)\s+", re.IGNORECASE)


def paired(case: Case, answer: str) -> bool:
    """“A versus B” in the question's order, “A to B” in time order, a stay each."""
    stays = case.asked.reading.stays
    for pattern, order in ((PAIR, stays), (PASSAGE, tuple(sorted(stays))), (LIST, stays)):
        for parts in splits(pattern, answer):
            if _aligned(case, parts, order):
                return True
    return False


def splits(pattern: re.Pattern[str], answer: str) -> list[list[str]]:
    """An answer cut at every mark, and at each single one."""
    found = list(pattern.finditer(answer))
    if not found:
        return []
    every = [part for part in pattern.split(answer) if part.strip()]
    single = (
        [[answer[: one.start()], answer[one.end() :]] for one in found] if len(found) > 1 else []
    )
    return [parts for parts in (every, *single) if len(parts) > 1]


def _aligned(case: Case, parts: Sequence[str], order: Sequence[int]) -> bool:
    for stays in (order, case.cited):
        if case.asked.reading.is_range and not set(stays) <= set(case.cited):
            continue
        if len(stays) == len(parts) and len(stays) > 1:
            return all(
                says(case, case.within(stay), part) or in_other_words(case, case.within(stay), part)
                for stay, part in zip(stays, parts, strict=True)
            ) and _ends(case, parts)
    if len(order) > 2 and not case.asked.reading.is_range:
        return False
    if len(case.cited) > 1 and len(order) > 1 and len(parts) != 2:
        return False
    return _successive(case, parts)


def _successive(case: Case, parts: Sequence[str]) -> bool:
    """Each part is said after the one before it."""
    last = (-1, -1)
    for part in parts:
        later = [place for place in places(case, case.turns, part) if place > last]
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


def listed(case: Case, answer: str) -> bool:
    """A list whose members are all said, in whatever order."""
    if PAIR.search(answer) or re.search(r"\sto\s", answer):
        return False
    parts = [part for part in LIST.split(answer) if part.strip()]
    kinds = {read_answer(part).kind for part in parts}
    if len(parts) == len(case.cited) > 1 and "text" not in kinds:
        return False
    days = [read_answer(part).keys for part in parts if read_answer(part).kind == "date"]
    if days != sorted(days) or not _ends(case, parts):
        return False
    several = len(case.asked.reading.stays) > 1
    groups = [case.within(stay) for stay in case.cited] if several else [case.turns]
    told = [[says(case, turns, part) for part in parts] for turns in groups]
    return len(parts) > 1 and any(map(all, told)) and all(all(one) or not any(one) for one in told)
