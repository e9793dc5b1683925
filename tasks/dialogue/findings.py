"""The stay between arrival and departure: tests, procedures, cultures, treatment and course."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from tasks.contracts.records import Fact, FactKind
from tasks.dialogue.arrival import at_discharge, measured
from tasks.dialogue.exchanges import (
    SLOW_FALL,
    Exchange,
    Phase,
    Said,
    Story,
    batches,
    event_date,
    exchange,
    joined,
    saying,
    spoken,
    told_from,
    told_in_groups,
)
from tasks.dialogue.reasons import reason_known_from
from tasks.dialogue.wording import Phrasebook

_BY_ITSELF = ("resolved", "improved", "stabilized")
_FOLLOWED = (
    "hemoglobin",
    "creatinine",
    "white blood cell count",
    "potassium",
    "sodium",
    "platelet count",
    "glucose",
    "lactate",
    "troponin t",
    "probnp",
    "inr",
    "total bilirubin",
)
_SINGULAR_ENDINGS = ("ss", "is", "us", "saline")
_COUNTED = re.compile(
    r"^(?:\d+|two|three|four|five|six|seven|eight|several|multiple) (?!gram\b)\w+s\b|^doses\b",
    re.IGNORECASE,
)
_COUNTABLE = re.compile(
    r"\b(?:diet|infusion|drip|taper|transfusion|regimen|trial|course|bolus|tube|catheter|line|"
    r"drain|patch|restriction|scale|stent|pacemaker|protocol|paracentesis|thoracentesis)$",
    re.IGNORECASE,
)
_DIRECTED = (
    "increased",
    "uptitrated",
    "decreased",
    "reduced",
    "downtitrated",
    "tapered",
    "changed",
    "switched",
    "transitioned",
    "broadened",
    "narrowed",
)


def stay_exchanges(story: Story, sizes: int) -> list[Exchange]:
    """Exchanges of the scenes between arrival and departure."""
    return [
        *_laboratory(story, sizes),
        *_events(story, FactKind.IMAGING, 84, _imaging),
        *_events(story, FactKind.PROCEDURE, 86, _procedure),
        *_events(story, FactKind.CULTURE, 84, _culture),
        *_susceptibilities(story),
        *_treatments(story),
        *_events(story, FactKind.COURSE, 76, _course),
    ]


def most_followed(facts: Sequence[Fact]) -> list[Fact]:
    """Laboratory facts in the order in which they are worth telling.

    The tests that every stay follows come first, so that stays can be compared; then abnormal
    values.
    """

    def rank(fact: Fact) -> tuple[int, bool]:
        test = fact.detail.get("test", "")
        place = _FOLLOWED.index(test) if test in _FOLLOWED else len(_FOLLOWED)
        return place, fact.detail.get("flag") != "abnormal"

    return sorted(facts, key=rank)


def _laboratory(story: Story, sizes: int) -> list[Exchange]:
    """The first blood tests, told at the first visit."""
    facts = [fact for fact in story.facts(FactKind.LAB) if not at_discharge(fact)]
    groups = batches(most_followed(facts), sizes + 1)
    made = told_in_groups(Phase.STAY, 72, groups, _first_tests, "laboratory")
    return [replace(item, expected=story.bundle.admission_start) for item in made]


def _first_tests(facts: Sequence[Fact]) -> Said:
    return measured("admission_laboratory", facts)


def _events(
    story: Story, kind: FactKind, importance: int, said: Callable[[Fact], Said]
) -> list[Exchange]:
    """One exchange a fact; each further one of its kind matters a little less."""
    return [
        exchange(Phase.STAY, importance - SLOW_FALL * number, said(fact), [fact], _pool(fact))
        for number, fact in enumerate(story.facts(kind))
    ]


def _treatments(story: Story) -> list[Exchange]:
    """Treatments; one whose reason is a result is told when that is known."""
    results = [
        fact
        for kind in (FactKind.IMAGING, FactKind.CULTURE, FactKind.SUSCEPTIBILITY)
        for fact in story.facts(kind)
    ]
    made = _events(story, FactKind.TREATMENT, 88, _treatment)
    return [
        told_from(item, reason_known_from(fact, results))
        for item, fact in zip(made, story.facts(FactKind.TREATMENT), strict=True)
    ]


def _pool(fact: Fact) -> str:
    return "culture_organism" if _grew(fact) else fact.kind.value


def _grew(fact: Fact) -> bool:
    return fact.kind is FactKind.CULTURE and fact.detail.get("result") == "organism"


def _imaging(fact: Fact) -> Said:
    return saying("imaging", label=fact.label, date=event_date(fact), value=spoken(fact.value))


def _procedure(fact: Fact) -> Said:
    return saying("procedure", label=spoken(fact.label), date=event_date(fact))


def _culture(fact: Fact) -> Said:
    pool = "culture_organism" if _grew(fact) else "culture_comment"
    return saying(pool, label=fact.label, date=event_date(fact), value=fact.value)


def _susceptibilities(story: Story) -> list[Exchange]:
    by_day: dict[str, list[Fact]] = {}
    for fact in story.facts(FactKind.SUSCEPTIBILITY):
        by_day.setdefault(event_date(fact), []).append(fact)
    groups = [group for facts in by_day.values() for group in batches(facts, 3)]
    return told_in_groups(Phase.STAY, 80, groups, _susceptibility, "susceptibility")


def _susceptibility(facts: Sequence[Fact]) -> Said:
    items = joined([f"{fact.label} tested {fact.value}" for fact in facts])
    return saying("susceptibility", date=event_date(facts[0]), items=items)


def _treatment(fact: Fact) -> Said:
    clause = fact.detail.get("link") == "because"

    def said(book: Phrasebook) -> str:
        stated = book.say(
            "treatment_because" if clause else "treatment_because_of",
            label=_with_article(spoken(fact.label)),
            was=_was(fact.label),
            action=fact.detail.get("action", "given"),
            dose=_dose(fact),
            value=spoken(fact.value),
        )
        said_inside = re.sub(r"^An? ", lambda found: found[0].lower(), spoken(stated))
        return book.say("treatment", statement=said_inside)

    return said


def _with_article(label: str) -> str:
    """A label with the article that a countable thing takes."""
    if not _COUNTABLE.search(label) or _COUNTED.match(label) or " and " in label:
        return label
    return f"{'an' if label[0].lower() in 'aeiou' else 'a'} {label}"


def _was(label: str) -> str:
    plural = _COUNTED.match(label) or (
        label.endswith("s") and not label.endswith(_SINGULAR_ENDINGS)
    )
    return "were" if plural or " and " in label else "was"


def _dose(fact: Fact) -> str:
    if "to" in fact.detail:
        return f" to {fact.detail['to']}"
    dose = fact.detail.get("dose")
    if not dose:
        return ""
    return f" to {dose}" if fact.detail.get("action") in _DIRECTED else f" at a dose of {dose}"


def _course(fact: Fact) -> Said:
    return saying("course", label=spoken(fact.label), done=_done(fact.value))


def _done(value: str) -> str:
    """What was done as a clause: `it was treated with …`, `it resolved with …`."""
    first = value.split(" ", 1)[0].casefold()
    if first == "given":
        return f"you were {value}"
    return f"it {value}" if first in _BY_ITSELF else f"it was {value}"
