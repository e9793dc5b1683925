"""The last scene: diagnoses, medicines, plan, follow-up, and goodbye."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from tasks.contracts.records import Fact, FactKind
from tasks.dialogue.arrival import at_discharge, measured
from tasks.dialogue.changes import change_exchanges
from tasks.dialogue.complaints import some
from tasks.dialogue.exchanges import (
    FALL,
    REQUIRED,
    Exchange,
    Phase,
    Said,
    Story,
    Written,
    asked,
    batches,
    exchange,
    saying,
    told_in_groups,
)
from tasks.dialogue.farewell import closing, parting, teach_back
from tasks.dialogue.findings import laboratory_exchange, most_followed
from tasks.dialogue.gravity import is_grave, manner
from tasks.dialogue.naming import joined, spoken, topic_of
from tasks.dialogue.turns import Turn, echoing, sources, speaking_of, stating
from tasks.dialogue.visits import visit_clause
from tasks.dialogue.wording import Phrasebook
from tasks.terminology.normalization import says
from tasks.terminology.statements import test_of

_SECOND_PERSON = re.compile(r"\b(?:you|yours|we|us|our|do not|don't)\b", re.IGNORECASE)
_MIND = frozenset({"mental status", "level of consciousness"})
"""Headings of a patient's condition whose values say how the patient is: “you're alert”."""


def departure_exchanges(story: Story, sizes: int) -> list[Exchange]:
    """Exchanges of the last scene; for a patient who died in the stay only a neutral parting."""
    if not story.left_alive:
        return [*_diagnoses(story, sizes), Exchange(Phase.DEPARTURE, REQUIRED, 2, parting)]
    leaving = batches(story.facts(FactKind.DISCHARGE_MEDICATION), sizes)
    visits = batches(story.facts(FactKind.FOLLOW_UP), 2)
    return [
        *_diagnoses(story, sizes),
        *_closing_measurements(story, sizes),
        *change_exchanges(story),
        *told_in_groups(Phase.DEPARTURE, 82, leaving, _medications, "discharge_medication"),
        *_condition(story),
        *_disposition(story),
        *_instructions(story),
        *told_in_groups(Phase.DEPARTURE, 80, visits, _visits, "follow_up"),
        teach_back(story),
        closing(story),
    ]


def _diagnoses(story: Story, sizes: int) -> list[Exchange]:
    facts = story.facts(FactKind.DIAGNOSIS)
    secondary = batches([fact for fact in facts if fact.value != "primary"], sizes)
    named = [_primary(fact, story) for fact in facts if fact.value == "primary"]
    sober = not story.left_alive or any(map(is_grave, facts))
    pool = "sober" if sober else "secondary_diagnosis"
    others = told_in_groups(Phase.DEPARTURE, 78, secondary, _secondary, pool)
    return [*named, *others]


def _primary(fact: Fact, story: Story) -> Exchange:
    """The primary diagnosis, beside what the patient came in with where that is known."""
    label = spoken(fact.label)
    complaints = story.facts(FactKind.CHIEF_COMPLAINT)[:1]
    pool = "grave_primary_diagnosis" if is_grave(fact) else "primary_diagnosis"
    said = saying(pool, label=label)
    if complaints and complaints[0].value.casefold() not in label.casefold():
        said = saying(f"{pool}_of", label=label, complaint=some(spoken(complaints[0].value)))
    reply = manner([fact], "diagnosis", sober=not story.left_alive)
    made = exchange(Phase.DEPARTURE, 92, said, [fact], reply)
    if made.longer is None:
        return made
    return replace(
        made,
        write=_touching(made.write, complaints),
        longer=_touching(made.longer, complaints),
    )


def _touching(write: Written, facts: Sequence[Fact]) -> Written:
    """The exchange, whose first turn speaks of further facts where it says their values."""

    def written(book: Phrasebook) -> tuple[Turn, ...]:
        first, *others = write(book)
        heard = [fact for fact in facts if says(first.text, fact.value)]
        return replace(first, touches=sources(heard)), *others

    return written


def _secondary(facts: Sequence[Fact]) -> Said:
    pool = "grave_secondary_diagnosis" if any(map(is_grave, facts)) else "secondary_diagnosis"
    return saying(pool, items=joined([spoken(fact.label) for fact in facts]))


def _closing_measurements(story: Story, sizes: int) -> list[Exchange]:
    tests = most_followed([fact for fact in story.facts(FactKind.LAB) if at_discharge(fact)])
    signs = [fact for fact in story.facts(FactKind.EXAM) if at_discharge(fact)]
    before = {test_of(fact): fact for fact in story.facts(FactKind.LAB) if _at_admission(fact)}
    laboratory = [
        _compared(
            laboratory_exchange(Phase.DEPARTURE, 76 - FALL * number, group, "discharge_laboratory"),
            [(before[test_of(fact)], fact) for fact in group if test_of(fact) in before],
        )
        for number, group in enumerate(batches(tests, sizes + 1))
    ]
    groups = batches(signs, sizes + 1)
    return [
        *laboratory,
        *told_in_groups(Phase.DEPARTURE, 54, groups, _last_signs, "discharge_exam"),
    ]


def _at_admission(fact: Fact) -> bool:
    return fact.detail.get("point") == "admission"


def _compared(made: Exchange, pairs: Sequence[tuple[Fact, Fact]]) -> Exchange:
    """The exchange with a patient who may ask how a result was before, if that was told."""
    short, longer = made.write, made.longer
    if longer is None:
        return made

    def written(book: Phrasebook) -> tuple[Turn, ...]:
        heard = [pair for pair in pairs if book.has_told(pair[0].fact_id)]
        if not heard or not book.number(2):
            return longer(book)
        first, now = heard[book.number(len(heard))]
        slots = {"topic": topic_of(now), "before": first.value, "after": now.value}
        pool = "results_same" if first.value == now.value else "results_compared"
        return (
            short(book)[0],
            speaking_of("Patient", book.say("results_compared_ask", **slots), [now]),
            stating("Doctor", book.say(pool, **slots), [first, now]),
            speaking_of("Patient", book.say("results_compared_reply", **slots), [now]),
        )

    return replace(made, longer=written)


def _last_signs(facts: Sequence[Fact]) -> Said:
    return measured("discharge_exam", facts)


def _medications(facts: Sequence[Fact]) -> Said:
    return saying(
        "discharge_medication", items=joined([f"{fact.label} {fact.value}" for fact in facts])
    )


def _condition(story: Story) -> list[Exchange]:
    facts = story.facts(FactKind.CONDITION)
    if not facts:
        return []
    said = saying("condition", items=described([(fact.label, fact.value) for fact in facts]))
    return [exchange(Phase.DEPARTURE, 74, said, facts, "condition")]


def described(headings: Sequence[tuple[str, str]]) -> str:
    """How the patient leaves, as clauses: ``you're alert; under activity status I've put: …``.

    Values are entries of a form and needn't fit a sentence, so they are quoted as put down.
    """
    mind = [spoken(value) for label, value in headings if label in _MIND]
    clauses = [f"you're {', and '.join(mind)}"] if mind else []
    clauses += [
        f"under {label} I've put: {spoken(value)}"
        for label, value in headings
        if label not in _MIND
    ]
    return "; ".join(clauses)


def _disposition(story: Story) -> list[Exchange]:
    return [
        exchange(
            Phase.DEPARTURE,
            84,
            saying(_destination_pool(fact), value=spoken(fact.value)),
            [fact],
            "disposition",
            place=spoken(fact.value),
        )
        for fact in story.facts(FactKind.DISPOSITION)[:1]
    ]


def _destination_pool(fact: Fact) -> str:
    return "disposition_home" if fact.value.casefold().startswith("home") else "disposition"


def _instructions(story: Story) -> list[Exchange]:
    advice = sorted(story.facts(FactKind.INSTRUCTION), key=_forbids)
    groups = batches(advice, 2)
    return [_instructed(group, 78 - FALL * number) for number, group in enumerate(groups)]


def _forbids(fact: Fact) -> bool:
    """What must not be done is said last, so that nothing else is taken for forbidden."""
    return fact.label.casefold().startswith(("do not", "don't", "avoid", "no "))


def _instructed(facts: Sequence[Fact], importance: int) -> Exchange:
    """Advice, which the patient repeats where that takes no more than a word or two."""
    items = ", and ".join(fact.label for fact in facts)
    own = [mine for fact in facts if (mine := _first_person(fact.label))]

    def reply(book: Phrasebook) -> Turn:
        if not own:
            return Turn("Patient", book.say("instruction_reply"), (), sources(facts))
        text = book.say("instruction_echo", items=own[book.number(len(own))])
        return echoing(text, facts)

    def short(book: Phrasebook) -> tuple[Turn, ...]:
        return stating("Doctor", book.say("instruction", items=items), facts), reply(book)

    def longer(book: Phrasebook) -> tuple[Turn, ...]:
        told = stating("Doctor", book.say("instruction", items=items), facts)
        return told, *asked(book, "instruction", facts, {"items": own[0] if own else "do that"})

    return Exchange(Phase.DEPARTURE, importance, 2, short, longer)


def _first_person(clause: str) -> str:
    """An instruction as the patient repeats it; empty where that takes more than a word or two."""
    own = re.sub(r"\byourself\b", "myself", clause)
    own = re.sub(r"\byour\b", "my", own)
    return "" if _SECOND_PERSON.search(own) else own


def _visits(facts: Sequence[Fact]) -> Said:
    return saying("follow_up", items=joined([visit_clause(fact) for fact in facts]))
