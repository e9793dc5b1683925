"""The stay between arrival and departure: tests, procedures and cultures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from tasks.contracts.records import Fact, FactKind
from tasks.dialogue.arrival import at_discharge, measured
from tasks.dialogue.exchanges import (
    FALL,
    SLOW_FALL,
    Exchange,
    Phase,
    Said,
    Story,
    batches,
    event_date,
    exchange,
    saying,
    told_in_groups,
)
from tasks.dialogue.naming import joined, picture, short_name, spoken, with_comma

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


def finding_exchanges(story: Story, sizes: int) -> list[Exchange]:
    """Exchanges that tell the results of the scenes between arrival and departure."""
    return [
        *_laboratory(story, sizes),
        *_events(story, FactKind.IMAGING, 84, _imaging),
        *_events(story, FactKind.PROCEDURE, 86, _procedure),
        *_events(story, FactKind.CULTURE, 84, _culture),
        *_susceptibilities(story),
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


def flagged(facts: Sequence[Fact]) -> str:
    """Names of the values that the record marks as abnormal; empty where it marks none."""
    marked = [fact for fact in facts if fact.detail.get("flag") == "abnormal"]
    return joined([f"the {short_name(fact)}" for fact in marked]) if marked else ""


def laboratory_exchange(
    phase: Phase, importance: int, facts: Sequence[Fact], pool: str
) -> Exchange:
    """Results told together; whoever asks hears which of them the record marks."""
    talk = f"{pool}_marked" if flagged(facts) else pool
    return exchange(phase, importance, measured(pool, facts), facts, talk, marked=flagged(facts))


def _laboratory(story: Story, sizes: int) -> list[Exchange]:
    facts = [fact for fact in story.facts(FactKind.LAB) if not at_discharge(fact)]
    groups = batches(most_followed(facts), sizes + 1)
    made = [
        laboratory_exchange(Phase.STAY, 72 - FALL * number, group, "admission_laboratory")
        for number, group in enumerate(groups)
    ]
    return [replace(item, expected=story.bundle.admission_start) for item in made]


def _events(
    story: Story, kind: FactKind, importance: int, said: Callable[[Fact], Said]
) -> list[Exchange]:
    """One exchange a fact; each further one of its kind matters a little less."""
    return [
        exchange(Phase.STAY, importance - SLOW_FALL * number, said(fact), [fact], _pool(fact))
        for number, fact in enumerate(story.facts(kind))
    ]


def _pool(fact: Fact) -> str:
    return "culture_organism" if _grew(fact) else fact.kind.value


def _grew(fact: Fact) -> bool:
    return fact.kind is FactKind.CULTURE and fact.detail.get("result") == "organism"


def _imaging(fact: Fact) -> Said:
    return saying(
        "imaging", label=picture(fact.label), date=event_date(fact), value=spoken(fact.value)
    )


def _procedure(fact: Fact) -> Said:
    return saying("procedure", label=spoken(fact.label), date=event_date(fact))


def _culture(fact: Fact) -> Said:
    pool = "culture_organism" if _grew(fact) else "culture_comment"
    if pool == "culture_comment" and _names_itself(fact):
        pool = "culture_repeated"
    return saying(pool, label=with_comma(fact.label), date=event_date(fact), value=fact.value)


def _names_itself(fact: Fact) -> bool:
    """Whether a result names its test again: “cryptococcal antigen not detected”."""
    return fact.label.casefold().split(" ")[0] in fact.value.casefold().split(" ")


def _susceptibilities(story: Story) -> list[Exchange]:
    by_day: dict[str, list[Fact]] = {}
    for fact in story.facts(FactKind.SUSCEPTIBILITY):
        by_day.setdefault(event_date(fact), []).append(fact)
    groups = [group for facts in by_day.values() for group in batches(facts, 3)]
    return told_in_groups(Phase.STAY, 80, groups, _susceptibility, "susceptibility")


def _susceptibility(facts: Sequence[Fact]) -> Said:
    items = joined([f"{fact.label} tested {fact.value}" for fact in facts])
    return saying("susceptibility", date=event_date(facts[0]), items=items)
