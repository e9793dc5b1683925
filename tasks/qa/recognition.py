"""Reads a question back: which family of forms it is worded in, and what fills its slots."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache

from tasks.qa.forms import wordings

_PREFIX = re.compile(r"During the hospitalization (?:on|from) [\d-]{10}(?: to [\d-]{10})?, ")
_CLOSED = {
    "a": r"\d{4}-\d{2}-\d{2}(?: at [\d:]{8})?",
    "b": r"\d{4}-\d{2}-\d{2}(?: at [\d:]{8})?",
    "date": r"\d{4}-\d{2}-\d{2}",
    "point": r"(?:on admission|at discharge|at the first measurement)",
    "direction": r"(?:higher|lower|longer|shorter|highest|lowest)",
    "ordinal": r"(?:next|second following|third following)",
    "c": r"\d{4}-\d{2}-\d{2}(?: at [\d:]{8})?",
    "action": r"\w+",
    "state": r"\w+",
    "verb": r"\w+",
    "unit": r"\w+",
    "was": r"(?:was|were)",
    "which": r"(?:right after|right before)",
    "side": r"(?:above|below)",
    "bound": r"[\d.]+",
}
_SLOT = re.compile(r"\\\{(\w+)\\\}")


def filled_slots(question: str) -> Iterator[Mapping[str, str]]:
    """Slots of every known wording that the question fits; nothing for other wordings."""
    text = _PREFIX.sub("", question, count=1)
    for pattern in _patterns():
        found = pattern.fullmatch(text)
        if found:
            yield found.groupdict()


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    known = dict.fromkeys(wording for family in wordings().values() for wording in family)
    return tuple(re.compile(_pattern(wording), re.IGNORECASE) for wording in known)


def _pattern(wording: str) -> str:
    seen: set[str] = set()

    def group(slot: re.Match[str]) -> str:
        name = slot[1]
        if name in seen:
            return f"(?P={name})"
        seen.add(name)
        return f"(?P<{name}>{_CLOSED.get(name, '.+?')})"

    return _SLOT.sub(group, re.escape(wording))
