"""What a question asks for, read off its wording alone."""

from __future__ import annotations

import re
from typing import Literal

Wanted = Literal[
    "count", "days", "date", "reason", "change", "amount", "interval", "yes_no", "name"
]
"""``days``: a length of time · ``reason``: why something was done · ``change``: what became of
something · ``amount``: a value with a unit · ``name``: any phrase."""

DATE = re.compile(r"\b\d{4}-\d\d-\d\d\b")
_STAY = re.compile(
    r"\b(?:from (?P<start>\d{4}-\d\d-\d\d) to (?P<end>\d{4}-\d\d-\d\d)|on (?P<day>\d{4}-\d\d-\d\d))"
)
_OPENING = re.compile(r"^during the hospitali[sz]ation (?:from|on) [^,]*,\s*", re.IGNORECASE)
_STAYS_COUNTED = re.compile(r"\bhospitali[sz]ations|\bstays\b|\badmissions\b", re.IGNORECASE)

_WORDINGS: tuple[tuple[Wanted, str], ...] = (
    (
        "days",
        r"\bhow many (?:days|weeks|months|hours|years)\b|\bhow long\b|\bhow much (?:later|"
        r"longer|earlier)\b|\bdays apart\b",
    ),
    ("count", r"\bhow many\b|\bhow often\b|\bnumber of\b"),
    ("date", r"\bon (?:which|what) (?:date|day)|\b(?:which|what) (?:date|day)|\bwhen\b"),
    (
        "reason",
        r"\bwhy\b|\b(?:reason|rationale|justification|indication)\b|\bwhat (?:led|prompted|caused|"
        r"justified|called for)\b|\bfinding (?:\w+ ){0,2}(?:led|prompted|called|explains|behind)\b",
    ),
    (
        "change",
        r"\bwhat (?:was|had been|has been) (?:done|changed)\b|\bwhat (?:happened|had happened|"
        r"change was made)\b|\bhow (?:did|was|had|has) .*\bchanged?\b",
    ),
    (
        "interval",
        r"\bat what interval|\bhow frequently\b|\b(?:what|which) (?:interval|frequency)",
    ),
    (
        "amount",
        r"\b(?:dose|dosage|strength|how much|how high|how low|reading|what value|level)\b",
    ),
    ("yes_no", r"^(?:did|does|do|was|were|is|are|has|have|had|could|can|will|would|should)\b"),
)


def wanted_of(question: str) -> Wanted:
    """The kind of answer a question asks for; the first form that fits decides."""
    asked = asked_part(question)
    for wanted, wording in _WORDINGS:
        if re.search(wording, asked, re.IGNORECASE):
            return wanted
    return "name"


def asked_part(question: str) -> str:
    """A question without the stay that it opens with."""
    return _OPENING.sub("", question.strip())


def counts_stays(question: str) -> bool:
    """Whether what is counted are hospitalizations."""
    return bool(_STAYS_COUNTED.search(asked_part(question)))


def days_named(question: str) -> tuple[str, ...]:
    """All dates of a question, ``YYYY-MM-DD``, in their order."""
    return tuple(DATE.findall(question))


def stay_named(question: str) -> tuple[str, str] | None:
    """First and last day of the one stay a question opens with; None where it opens otherwise."""
    opening = _OPENING.match(question.strip())
    found = _STAY.search(opening.group()) if opening else None
    if found is None:
        return None
    day = found["day"]
    return (day, day) if day else (found["start"], found["end"])
