"""The last scene: diagnoses, medicines, plan, follow-up, and goodbye."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from tasks.contracts.records import Fact, FactKind
from tasks.dialogue.arrival import at_discharge, measured
from tasks.dialogue.exchanges import (
    FALL,
    REQUIRED,
    Exchange,
    Phase,
    Said,
    Story,
    Turn,
    Written,
    batches,
    exchange,
    joined,
    saying,
    sources,
    spoken,
    told_in_groups,
)
from tasks.dialogue.findings import most_followed
from tasks.dialogue.wording import Phrasebook, question, statement

_LAST_FORMALITIES = ("discharge date", "length of stay")
_SECOND_PERSON = re.compile(r"\b(?:you|yours|we|us|our|do not|don't)\b", re.IGNORECASE)


def departure_exchanges(story: Story, sizes: int) -> list[Exchange]:
    """Exchanges of the last scene; for a patient who died in the stay only a neutral parting."""
    if not story.left_alive:
        return [*_diagnoses(story, sizes), Exchange(Phase.DEPARTURE, REQUIRED, 2, _parting)]
    leaving = batches(story.facts(FactKind.DISCHARGE_MEDICATION), sizes)
    visits = batches(story.facts(FactKind.FOLLOW_UP), 2)
    return [
        *_diagnoses(story, sizes),
        *_closing_measurements(story, sizes),
        *_changes(story),
        *told_in_groups(Phase.DEPARTURE, 82, leaving, _medications, "discharge_medication"),
        *_condition(story),
        *_disposition(story),
        *_instructions(story),
        *told_in_groups(Phase.DEPARTURE, 80, visits, _visits, "follow_up"),
        _teach_back(story),
        _closing(story),
    ]


def _diagnoses(story: Story, sizes: int) -> list[Exchange]:
    facts = story.facts(FactKind.DIAGNOSIS)
    primary = [fact for fact in facts if fact.value == "primary"]
    secondary = batches([fact for fact in facts if fact.value != "primary"], sizes)
    named = [
        exchange(
            Phase.DEPARTURE,
            92,
            saying("primary_diagnosis", label=spoken(fact.label)),
            [fact],
            "diagnosis",
        )
        for fact in primary
    ]
    others = told_in_groups(Phase.DEPARTURE, 78, secondary, _secondary, "secondary_diagnosis")
    return [*named, *others]


def _secondary(facts: Sequence[Fact]) -> Said:
    return saying("secondary_diagnosis", items=joined([spoken(fact.label) for fact in facts]))


def _closing_measurements(story: Story, sizes: int) -> list[Exchange]:
    tests = most_followed([fact for fact in story.facts(FactKind.LAB) if at_discharge(fact)])
    signs = [fact for fact in story.facts(FactKind.EXAM) if at_discharge(fact)]
    return [
        *told_in_groups(Phase.DEPARTURE, 76, batches(tests, sizes + 1), _last_tests, "laboratory"),
        *told_in_groups(
            Phase.DEPARTURE, 54, batches(signs, sizes + 1), _last_signs, "admission_exam"
        ),
    ]


def _last_tests(facts: Sequence[Fact]) -> Said:
    return measured("discharge_laboratory", facts)


def _last_signs(facts: Sequence[Fact]) -> Said:
    return measured("discharge_exam", facts)


def _changes(story: Story) -> list[Exchange]:
    return [
        Exchange(
            Phase.DEPARTURE,
            88 - FALL * number,
            2,
            _changes_told(group, asked=False),
            _changes_told(group, asked=True),
        )
        for number, group in enumerate(batches(story.facts(FactKind.MEDICATION_CHANGE), 2))
    ]


def _changes_told(facts: Sequence[Fact], *, asked: bool) -> Written:
    """Changes of medicines; a patient who asks may say them back, which states them again."""
    items = joined([_change(fact) for fact in facts])

    def write(book: Phrasebook) -> tuple[Turn, ...]:
        doctor = Turn("Doctor", book.say("medication_change", items=items), sources(facts))
        if not asked:
            reply = book.say("medication_change_reply", accept=statement)
            return doctor, Turn("Patient", reply)
        reply = book.say("medication_change_reply", accept=question, items=items)
        echoed = sources(facts) if items.casefold() in reply.casefold() else ()
        return (
            doctor,
            Turn("Patient", reply, echoed),
            Turn("Doctor", book.say("medication_change_answer")),
            Turn("Patient", book.say("thanks")),
        )

    return write


def _change(fact: Fact) -> str:
    label = spoken(fact.label)
    if fact.detail.get("change") == "new":
        return f"{label} is a {fact.value}"
    if fact.detail.get("change") == "held":
        return f"{label} is {fact.value} for now"
    return f"{label} has been {fact.value}"


def _medications(facts: Sequence[Fact]) -> Said:
    items = joined([f"{fact.label} {fact.value}" for fact in facts])
    return saying("discharge_medication", items=items)


def _condition(story: Story) -> list[Exchange]:
    facts = story.facts(FactKind.CONDITION)
    if not facts:
        return []
    items = joined([f"your {fact.label} is {fact.value}" for fact in facts])
    return [exchange(Phase.DEPARTURE, 74, saying("condition", items=items), facts, "condition")]


def _disposition(story: Story) -> list[Exchange]:
    return [
        exchange(
            Phase.DEPARTURE, 84, saying("disposition", value=fact.value), [fact], "disposition"
        )
        for fact in story.facts(FactKind.DISPOSITION)[:1]
    ]


def _instructions(story: Story) -> list[Exchange]:
    groups = batches(story.facts(FactKind.INSTRUCTION), 2)
    told = told_in_groups(Phase.DEPARTURE, 78, groups, _instruction, "instruction")
    return [
        replace(item, write=_echoed(item.write, _first_person(group[0].label)))
        for item, group in zip(told, groups, strict=True)
    ]


def _instruction(facts: Sequence[Fact]) -> Said:
    return saying("instruction", items=joined([fact.label for fact in facts]))


def _echoed(write: Written, own: str) -> Written:
    """The exchange with a patient who, by lot, repeats an instruction that can be repeated."""

    def written(book: Phrasebook) -> tuple[Turn, ...]:
        doctor, patient = write(book)
        if own and book.number(2):
            return doctor, Turn("Patient", book.say("instruction_echo", items=own))
        return doctor, patient

    return written


def _first_person(clause: str) -> str:
    """An instruction as the patient repeats it; empty where that takes more than a word or two."""
    own = re.sub(r"\byourself\b", "myself", clause)
    own = re.sub(r"\byour\b", "my", own)
    return "" if _SECOND_PERSON.search(own) else own


def _visits(facts: Sequence[Fact]) -> Said:
    return saying("follow_up", items=joined([_visit(fact) for fact in facts]))


def _visit(fact: Fact) -> str:
    if fact.value == "follow-up":
        return f"follow-up with {fact.label}"
    return f"{fact.label} {fact.value}"


def _teach_back(story: Story) -> Exchange:
    """The patient says back what was agreed, in the words that were used."""
    changes = story.facts(FactKind.MEDICATION_CHANGE)[:1]
    visits = story.facts(FactKind.FOLLOW_UP)[:1]
    told = [_change(fact) for fact in changes]
    told += [f"I have {_visit(fact)}" for fact in visits]
    stated = sources([*changes, *visits])

    def write(book: Phrasebook) -> tuple[Turn, ...]:
        asked = Turn("Doctor", book.say("teach_back"))
        pool = "teach_back_reply" if told else "teach_back_vague"
        reply = book.say(pool, items=joined(told) if told else "")
        return (
            asked,
            Turn("Patient", reply, stated),
            Turn("Doctor", book.say("teach_back_praise")),
            Turn("Patient", book.say("thanks")),
        )

    return Exchange(Phase.DEPARTURE, 62, 4, write)


def _closing(story: Story) -> Exchange:
    """Discharge date and length of stay, and goodbye."""
    stated = [fact for fact in story.facts(FactKind.STAY) if fact.label in _LAST_FORMALITIES]
    values = {fact.label: fact.value for fact in stated}

    def write(book: Phrasebook) -> tuple[Turn, ...]:
        if len(values) == len(_LAST_FORMALITIES):
            date, days = (values[label] for label in _LAST_FORMALITIES)
            doctor = Turn("Doctor", book.say("closing", date=date, days=days), sources(stated))
        else:
            doctor = Turn("Doctor", book.say("last_words"))
        return doctor, Turn("Patient", book.say("closing_reply", accept=statement))

    return Exchange(Phase.DEPARTURE, REQUIRED, 2, write)


def _parting(book: Phrasebook) -> tuple[Turn, ...]:
    return (
        Turn("Doctor", book.say("last_words")),
        Turn("Patient", book.say("last_words_reply")),
    )
