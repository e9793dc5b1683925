"""Appointments and repeated tests after the stay, as clauses."""

from __future__ import annotations

import re

from tasks.contracts.records import Fact
from tasks.dialogue.naming import spoken

_TEST = re.compile(
    r"^repeat\b|\b(?:x-ray|echocardiogram|panel|count|scan|evaluation|check|test|study|"
    r"colonoscopy|endoscopy|ultrasound|mri|ct|labs?|draw)\b",
    re.IGNORECASE,
)
_PLACE = re.compile(r"\b(?:clinic|program|center|office)$", re.IGNORECASE)
_PLURAL = re.compile(r"s$")


def visit_clause(fact: Fact) -> str:
    """What the patient does: ``go to the cardiology clinic within two weeks``."""
    name = spoken(fact.label)
    if fact.value == "follow-up":
        return f"have follow-up with {name}"
    if _TEST.search(name) and not _PLACE.search(name):
        article = "" if _PLURAL.search(name) else "an " if name[0] in "aeiou" else "a "
        return f"have {article}{name} {fact.value}"
    if _PLACE.search(name):
        return f"go to the {name} {fact.value}"
    return f"see {name} {fact.value}"
