"""The baseline that sees nothing but the question: what its wording alone gives away.

It knows no release: for each form of question it has one fixed guess, chosen for what clinical
questions of that form are most often answered. It abstains where wording is said to give away that
a question has no answer: yes/no questions, as every such question of the published release is
adversarial, and hedges such as "if it is mentioned".
"""

from __future__ import annotations

import re

from tasks.answering.question_forms import Wanted, counts_stays, days_named, wanted_of
from tasks.contracts.questions import ABSTENTION

_HEDGE = re.compile(
    r"\bif (?:it|that|this|any|one)?\s*(?:is|was|were|are)?\s*(?:mentioned|known|"
    r"documented|recorded|stated|at all)\b|\bif any\b",
    re.IGNORECASE,
)
_GUESSES: dict[Wanted, str] = {
    "days": "1 day",
    "amount": "40 mg",
    "interval": "daily",
    "reason": "shortness of breath",
    "change": "shortness of breath",
    "name": "shortness of breath",
}


def guess(question: str) -> str:
    """An answer from the wording of a question alone."""
    wanted = wanted_of(question)
    if wanted == "yes_no" or _HEDGE.search(question):
        return ABSTENTION
    if wanted == "count":
        return "2 hospitalizations" if counts_stays(question) else "2"
    if wanted == "date":
        named = days_named(question)
        return named[-1] if named else ABSTENTION
    return _GUESSES[wanted]
