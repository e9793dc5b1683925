"""What was known before the stay: earlier stays, conditions, allergies, medicines; examination."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tasks.contracts.clock import format_date
from tasks.contracts.evidence import PREVIOUS
from tasks.contracts.records import AdmissionSummary, Fact, FactKind
from tasks.dialogue.complaints import complaint_exchanges
from tasks.dialogue.exchanges import (
    FALL,
    REQUIRED,
    Exchange,
    Phase,
    Said,
    Story,
    batches,
    saying,
    told_in_groups,
)
from tasks.dialogue.naming import joined, spoken
from tasks.dialogue.pools import pools
from tasks.dialogue.turns import Turn, speaking_of, stating, taken_up
from tasks.dialogue.wording import Phrasebook
from tasks.terminology.statements import test_of

_PREVIOUS_PROBLEMS = 3


def arrival_exchanges(story: Story, sizes: int) -> list[Exchange]:
    """Exchanges of the first scene; ``sizes`` is how many facts a turn may state."""
    opening, complaint, *symptoms = complaint_exchanges(story)
    past = batches(story.facts(FactKind.PAST_CONDITION), sizes)
    home = batches(story.facts(FactKind.HOME_MEDICATION), sizes)
    signs = [fact for fact in story.facts(FactKind.EXAM) if not at_discharge(fact)]
    return [
        opening,
        complaint,
        *symptoms,
        *_previous(story),
        *told_in_groups(Phase.ARRIVAL, 74, past, _past, "past"),
        *_allergies(story, sizes),
        *_told_by_patient(80, home, "home_medication", _medicine),
        *told_in_groups(
            Phase.ARRIVAL, 76, batches(signs, sizes + 1), _examination, "admission_exam"
        ),
    ]


def at_discharge(fact: Fact) -> bool:
    """Whether a measurement belongs to the end of the stay."""
    return fact.detail.get("point") == "discharge"


def measured(pool: str, facts: Sequence[Fact]) -> Said:
    """Measurements as an enumeration: each test with its value; the pool names the point."""
    items = joined([f"{test_of(fact)} {fact.value}" for fact in facts])
    return saying(pool, items=items)


def _previous(story: Story) -> list[Exchange]:
    """From the second admission on: problems of the previous summary, word for word."""
    previous = story.bundle.previous_admission_summary
    if previous is None or not previous.problems:
        return []
    more = [
        _recalled(previous, number, "previous_more", 66 - FALL * (number - 1))
        for number in range(1, len(previous.problems[:_PREVIOUS_PROBLEMS]))
    ]
    return [_recalled(previous, 0, "previous", REQUIRED), *more]


def _recalled(previous: AdmissionSummary, number: int, pool: str, importance: int) -> Exchange:
    problem = spoken(previous.problems[number])
    source = f"{PREVIOUS}{number}"
    slots = {
        "start": format_date(previous.admission_start),
        "end": format_date(previous.admission_end),
        "problem": problem,
    }

    def write(book: Phrasebook) -> tuple[Turn, ...]:
        reply = book.say(f"{pool}_reply", **slots)
        again = (source,) if problem.casefold() in reply.casefold() else ()
        return (
            Turn("Doctor", book.say(pool, **slots), (source,)),
            Turn("Patient", reply, again, () if again else (source,)),
        )

    return Exchange(Phase.ARRIVAL, importance, 2, write)


def _past(facts: Sequence[Fact]) -> Said:
    return saying("past", items=joined([spoken(fact.label) for fact in facts]))


def _allergies(story: Story, sizes: int) -> list[Exchange]:
    facts = story.facts(FactKind.ALLERGY)
    none = [fact for fact in facts if fact.label == "drug allergies"]
    if none:
        return _told_by_patient(72, [none[:1]], "no_allergy", _allergen)
    return _told_by_patient(72, batches(facts, sizes), "allergy", _allergen)


def _allergen(fact: Fact) -> str:
    if fact.value == "allergy":
        return f"an allergy to {fact.label}"
    return f"a reaction to {fact.label}, which was {fact.value}"


def _medicine(fact: Fact) -> str:
    return f"{fact.label} {fact.value}"


def _told_by_patient(
    importance: int,
    groups: Sequence[Sequence[Fact]],
    pool: str,
    item: Callable[[Fact], str],
) -> list[Exchange]:
    """What the patient knows best: the doctor asks, the patient tells it; one exchange a group."""
    return [
        _answered(
            importance - FALL * number,
            group,
            pool,
            joined([item(one) for one in group]),
            further=number > 0,
        )
        for number, group in enumerate(groups)
    ]


def _answered(
    importance: int, facts: Sequence[Fact], pool: str, items: str, *, further: bool
) -> Exchange:
    first = f"{pool}_ask_more" if further and f"{pool}_ask_more" in pools() else f"{pool}_ask"

    def short(book: Phrasebook) -> tuple[Turn, ...]:
        return (
            Turn("Doctor", book.say(first)),
            stating("Patient", book.say(pool, items=items), facts),
        )

    def longer(book: Phrasebook) -> tuple[Turn, ...]:
        named = taken_up(book, facts)
        return (
            *short(book),
            speaking_of("Doctor", book.say(f"{pool}_noted", **named), facts),
            speaking_of("Patient", book.say(f"{pool}_reply", **named), facts),
        )

    return Exchange(Phase.ARRIVAL, importance, 2, short, longer)


def _examination(facts: Sequence[Fact]) -> Said:
    return measured("admission_exam", facts)
