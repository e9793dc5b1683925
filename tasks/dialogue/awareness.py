"""When a patient could not speak: the hours on a ventilator, and a coma that ended the stay."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from tasks.contracts.records import FactKind
from tasks.dialogue.exchanges import Story, known_from
from tasks.dialogue.timing import Hours

_VENTILATION = re.compile(r"\bventilation\b", re.IGNORECASE)
_WITHOUT_INTUBATION = re.compile(r"\bnon-?invasive\b", re.IGNORECASE)
_COMA = re.compile(
    r"\b(?:coma|persistent vegetative|anoxic brain|brain compression|compression of brain)\b", re.I
)
_NO_COMA = re.compile(r"\b(?:without|no)\b[^,;]*\bcoma\b", re.IGNORECASE)
_FIRST_TALK = timedelta(hours=1)
_FIRST_DAY = timedelta(days=1)


def ventilated_hours(story: Story) -> tuple[Hours, ...]:
    """The hours of each invasive ventilation.

    Only its day is recorded, so it runs from that noon, but not from before the first talk, for as
    long as its title says.
    """
    first_talk_over = story.bundle.admission_start + _FIRST_TALK
    found: list[Hours] = []
    for fact in story.facts(FactKind.PROCEDURE):
        title = fact.detail.get("title", fact.label)
        over = known_from(fact)
        if fact.time and over and _VENTILATION.search(title):
            begins = max(fact.time, first_talk_over)
            if begins < over and not _WITHOUT_INTUBATION.search(title):
                found.append((begins, over))
    return tuple(found)


def end_of_speech(story: Story) -> datetime:
    """When the patient can last be spoken to.

    It is the end of the conversation, or of the first day of a stay with a coma that the patient
    died in: when the coma began isn't recorded.
    """
    end = story.bundle.timing_rules.conversation_end
    if not story.left_alive and any(
        _COMA.search(title) and not _NO_COMA.search(title) for title in _diagnoses(story)
    ):
        return min(end, story.bundle.admission_start + _FIRST_DAY)
    return end


def _diagnoses(story: Story) -> list[str]:
    return [fact.detail.get("title", fact.label) for fact in story.facts(FactKind.DIAGNOSIS)]
