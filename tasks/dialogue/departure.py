"""The last scene: diagnoses, medicines, plan, follow-up, and goodbye."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tasks.contracts.records import Fact, FactKind
from tasks.dialogue.exchanges import (
    FALL,
    REQUIRED,
    Exchange,
    Phase,
    Story,
    Turn,
    batches,
    exchange,
    joined,
    sources,
    spoken,
)
from tasks.dialogue.findings import laboratory_at_discharge, most_followed
from tasks.dialogue.wording import Phrasebook, question, statement

_SECOND_PERSON = re.compile(r"\b(?:you|yours|we|us|our|do not|don't)\b", re.IGNORECASE)


def departure_exchanges(story: Story, book: Phrasebook, sizes: int) -> list[Exchange]:
    """Exchanges of the last scene; for a patient who died in the stay only a neutral parting."""
    if not story.left_alive:
        return [*_diagnoses(story, book, sizes), _parting(book)]
    return [
        *_diagnoses(story, book, sizes),
        *_closing_measurements(story, book, sizes),
        *_changes(story, book),
        *_medications(story, book, sizes),
        *_condition(story, book),
        *_disposition(story, book),
        *_instructions(story, book),
        *_follow_up(story, book),
        _teach_back(story, book),
        _closing(story, book),
    ]


def _diagnoses(story: Story, book: Phrasebook, sizes: int) -> list[Exchange]:
    facts = story.facts(FactKind.DIAGNOSIS)
    primary = [fact for fact in facts if fact.value == "primary"]
    secondary = [fact for fact in facts if fact.value != "primary"]
    exchanges = [
        _said(
            book, 92, book.say("primary_diagnosis", label=spoken(fact.label)), [fact], "diagnosis"
        )
        for fact in primary
    ]
    for number, group in enumerate(batches(secondary, sizes)):
        items = joined([spoken(fact.label) for fact in group])
        said = book.say("secondary_diagnosis", items=items)
        exchanges.append(_said(book, 78 - FALL * number, said, group, "secondary_diagnosis"))
    return exchanges


def _said(
    book: Phrasebook, importance: int, said: str, facts: Sequence[Fact], pool: str
) -> Exchange:
    return exchange(
        book, Phase.DEPARTURE, importance, said, facts, f"{pool}_reply", f"{pool}_answer"
    )


def _closing_measurements(story: Story, book: Phrasebook, sizes: int) -> list[Exchange]:
    def at_discharge(kind: FactKind) -> list[Fact]:
        return [fact for fact in story.facts(kind) if fact.detail.get("point") == "discharge"]

    return [
        *laboratory_at_discharge(
            most_followed(at_discharge(FactKind.LAB)), book, sizes, "discharge_laboratory", 76
        ),
        *laboratory_at_discharge(at_discharge(FactKind.EXAM), book, sizes, "discharge_exam", 54),
    ]


def _changes(story: Story, book: Phrasebook) -> list[Exchange]:
    exchanges: list[Exchange] = []
    for number, group in enumerate(batches(story.facts(FactKind.MEDICATION_CHANGE), 2)):
        items = joined([_change(fact) for fact in group])
        said = book.say("medication_change", items=items)
        doctor = Turn("Doctor", said, sources(group))
        short = book.say("medication_change_reply", accept=_no_question_no_echo)
        echo = book.say("medication_change_reply", accept=question, items=items)
        echoed = sources(group) if items.casefold() in echo.casefold() else ()
        exchanges.append(
            Exchange(
                Phase.DEPARTURE,
                88 - FALL * number,
                (doctor, Turn("Patient", short)),
                (
                    doctor,
                    Turn("Patient", echo, echoed),
                    Turn("Doctor", book.say("medication_change_answer")),
                    Turn("Patient", book.say("thanks")),
                ),
            )
        )
    return exchanges


def _change(fact: Fact) -> str:
    label = spoken(fact.label)
    if fact.detail.get("change") == "new":
        return f"{label} is a {fact.value}"
    return f"{label} has been {fact.value}"


def _no_question_no_echo(wording: str) -> bool:
    return statement(wording) and "{items}" not in wording


def _medications(story: Story, book: Phrasebook, sizes: int) -> list[Exchange]:
    groups = batches(story.facts(FactKind.DISCHARGE_MEDICATION), sizes)
    return [
        _said(
            book,
            82 - FALL * number,
            book.say(
                "discharge_medication",
                items=joined([f"{fact.label} {fact.value}" for fact in group]),
            ),
            group,
            "discharge_medication",
        )
        for number, group in enumerate(groups)
    ]


def _condition(story: Story, book: Phrasebook) -> list[Exchange]:
    facts = story.facts(FactKind.CONDITION)
    if not facts:
        return []
    said = book.say("condition", items=joined([f"your {f.label} is {f.value}" for f in facts]))
    return [_said(book, 74, said, facts, "condition")]


def _disposition(story: Story, book: Phrasebook) -> list[Exchange]:
    return [
        _said(book, 84, book.say("disposition", value=fact.value), [fact], "disposition")
        for fact in story.facts(FactKind.DISPOSITION)[:1]
    ]


def _instructions(story: Story, book: Phrasebook) -> list[Exchange]:
    exchanges: list[Exchange] = []
    for number, group in enumerate(batches(story.facts(FactKind.INSTRUCTION), 2)):
        said = book.say("instruction", items=joined([fact.label for fact in group]))
        made = _said(book, 78 - FALL * number, said, group, "instruction")
        own = _first_person(group[0].label)
        if own and book.number(2):
            echo = Turn("Patient", book.say("instruction_echo", items=own))
            made = Exchange(made.phase, made.importance, (made.turns[0], echo), made.longer)
        exchanges.append(made)
    return exchanges


def _first_person(clause: str) -> str:
    """An instruction as the patient repeats it; empty where that takes more than a word or two."""
    own = re.sub(r"\byourself\b", "myself", clause)
    own = re.sub(r"\byour\b", "my", own)
    return "" if _SECOND_PERSON.search(own) else own


def _follow_up(story: Story, book: Phrasebook) -> list[Exchange]:
    groups = batches(story.facts(FactKind.FOLLOW_UP), 2)
    return [
        _said(
            book,
            80 - FALL * number,
            book.say("follow_up", items=joined([_visit(fact) for fact in group])),
            group,
            "follow_up",
        )
        for number, group in enumerate(groups)
    ]


def _visit(fact: Fact) -> str:
    if fact.value == "follow-up":
        return f"follow-up with {fact.label}"
    return f"{fact.label} {fact.value}"


def _teach_back(story: Story, book: Phrasebook) -> Exchange:
    """The patient says back what was agreed, in the words that were used."""
    changes = story.facts(FactKind.MEDICATION_CHANGE)[:1]
    visits = story.facts(FactKind.FOLLOW_UP)[:1]
    told = [_change(fact) for fact in changes]
    told += [f"I have {_visit(fact)}" for fact in visits]
    facts = [*changes, *visits]
    reply = (
        book.say("teach_back_reply", items=joined(told)) if told else book.say("teach_back_vague")
    )
    turns = (
        Turn("Doctor", book.say("teach_back")),
        Turn("Patient", reply, sources(facts)),
        Turn("Doctor", book.say("teach_back_praise")),
        Turn("Patient", book.say("thanks")),
    )
    return Exchange(Phase.DEPARTURE, 62, turns)


def _closing(story: Story, book: Phrasebook) -> Exchange:
    ended, length = story.stay("discharge date"), story.stay("length of stay")
    reply = Turn("Patient", book.say("closing_reply", accept=statement))
    if ended is None or length is None:
        return Exchange(Phase.DEPARTURE, REQUIRED, (Turn("Doctor", book.say("last_words")), reply))
    said = book.say("closing", date=ended.value, days=length.value)
    doctor = Turn("Doctor", said, sources([ended, length]))
    return Exchange(Phase.DEPARTURE, REQUIRED, (doctor, reply))


def _parting(book: Phrasebook) -> Exchange:
    turns = (
        Turn("Doctor", book.say("last_words")),
        Turn("Patient", book.say("last_words_reply")),
    )
    return Exchange(Phase.DEPARTURE, REQUIRED, turns)
