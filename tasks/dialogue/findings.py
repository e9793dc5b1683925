"""The stay between arrival and departure: tests, procedures, cultures, treatment and course."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from tasks.contracts.records import Fact, FactKind
from tasks.dialogue.arrival import measured
from tasks.dialogue.exchanges import (
    FALL,
    SLOW_FALL,
    Exchange,
    Phase,
    Story,
    batches,
    event_date,
    exchange,
    joined,
    spoken,
)
from tasks.dialogue.wording import Phrasebook

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
_PLURAL = ("ss", "is", "us")
_DIRECTED = ("increased", "uptitrated", "decreased", "reduced", "downtitrated", "tapered")


def stay_exchanges(story: Story, book: Phrasebook, sizes: int) -> list[Exchange]:
    """Exchanges of the scenes between arrival and departure."""
    return [
        *_laboratory(story, book, sizes),
        *_events(story, book, FactKind.IMAGING, 84, _imaging),
        *_events(story, book, FactKind.PROCEDURE, 86, _procedure),
        *_events(story, book, FactKind.CULTURE, 84, _culture),
        *_susceptibilities(story, book),
        *_events(story, book, FactKind.TREATMENT, 88, _treatment),
        *_events(story, book, FactKind.COURSE, 76, _course),
    ]


def _laboratory(story: Story, book: Phrasebook, sizes: int) -> list[Exchange]:
    """The first blood tests, told at the first visit."""
    facts = [fact for fact in story.facts(FactKind.LAB) if fact.detail.get("point") != "discharge"]
    made = [
        exchange(
            book,
            Phase.STAY,
            72 - FALL * number,
            book.say("admission_laboratory", items=measured(group, book)),
            group,
            "laboratory_reply",
            "laboratory_answer",
        )
        for number, group in enumerate(batches(most_followed(facts), sizes + 1))
    ]
    return [replace(item, expected=story.bundle.admission_start) for item in made]


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


def _events(
    story: Story,
    book: Phrasebook,
    kind: FactKind,
    importance: int,
    said: Callable[[Fact, Phrasebook], str],
) -> list[Exchange]:
    """One exchange a fact; each further one of its kind matters a little less."""
    return [
        exchange(
            book,
            Phase.STAY,
            importance - SLOW_FALL * number,
            said(fact, book),
            [fact],
            f"{_pool(fact)}_reply",
            f"{_pool(fact)}_answer",
        )
        for number, fact in enumerate(story.facts(kind))
    ]


def _pool(fact: Fact) -> str:
    grown = fact.kind is FactKind.CULTURE and fact.detail.get("result") == "organism"
    return "culture_organism" if grown else fact.kind.value


def _imaging(fact: Fact, book: Phrasebook) -> str:
    return book.say("imaging", label=fact.label, date=event_date(fact), value=spoken(fact.value))


def _procedure(fact: Fact, book: Phrasebook) -> str:
    return book.say("procedure", label=spoken(fact.label), date=event_date(fact))


def _culture(fact: Fact, book: Phrasebook) -> str:
    pool = "culture_organism" if fact.detail.get("result") == "organism" else "culture_comment"
    return book.say(pool, label=fact.label, date=event_date(fact), value=fact.value)


def _susceptibilities(story: Story, book: Phrasebook) -> list[Exchange]:
    by_day: dict[str, list[Fact]] = {}
    for fact in story.facts(FactKind.SUSCEPTIBILITY):
        by_day.setdefault(event_date(fact), []).append(fact)
    groups = [group for facts in by_day.values() for group in batches(facts, 3)]
    return [
        exchange(
            book,
            Phase.STAY,
            70 - FALL * number,
            book.say(
                "susceptibility",
                date=event_date(group[0]),
                items=joined([f"{fact.label} tested {fact.value}" for fact in group]),
            ),
            group,
            "susceptibility_reply",
            "susceptibility_answer",
        )
        for number, group in enumerate(groups)
    ]


def _treatment(fact: Fact, book: Phrasebook) -> str:
    clause = fact.detail.get("link") == "because"
    stated = book.say(
        "treatment_because" if clause else "treatment_because_of",
        label=spoken(fact.label),
        was=_was(fact.label),
        action=fact.detail.get("action", "given"),
        dose=_dose(fact),
        value=spoken(fact.value),
    )
    return book.say("treatment", statement=spoken(stated))


def _was(label: str) -> str:
    return "were" if label.endswith("s") and not label.endswith(_PLURAL) else "was"


def _dose(fact: Fact) -> str:
    if "to" in fact.detail:
        return f" to {fact.detail['to']}"
    dose = fact.detail.get("dose")
    if not dose:
        return ""
    return f" to {dose}" if fact.detail.get("action") in _DIRECTED else f" at a dose of {dose}"


def _course(fact: Fact, book: Phrasebook) -> str:
    return book.say("course", label=spoken(fact.label), value=fact.value)


def laboratory_at_discharge(
    facts: Sequence[Fact], book: Phrasebook, sizes: int, pool: str, importance: int
) -> list[Exchange]:
    """Closing measurements, in the same words for laboratory and bedside."""
    return [
        exchange(
            book,
            Phase.DEPARTURE,
            importance - FALL * number,
            book.say(pool, items=measured(group, book)),
            group,
            "laboratory_reply",
            "laboratory_answer",
        )
        for number, group in enumerate(batches(facts, sizes))
    ]
