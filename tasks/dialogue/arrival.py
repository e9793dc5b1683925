"""The first scene: greeting, complaint, history, and what was known before the stay."""

from __future__ import annotations

from collections.abc import Sequence

from tasks.contracts.clock import format_date
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
from tasks.dialogue.wording import Phrasebook, lay_words, statement

_DAYTIME_BY_HOUR = (("morning", 5, 12), ("afternoon", 12, 18))


def daytime(hour: int) -> str:
    """What a greeting calls an hour of the day."""
    return next((name for name, start, end in _DAYTIME_BY_HOUR if start <= hour < end), "evening")


def arrival_exchanges(story: Story, book: Phrasebook, sizes: int) -> list[Exchange]:
    """Exchanges of the first scene; ``sizes`` is how many facts a turn may state."""
    return [
        _opening(story, book),
        *_complaint(story, book),
        *_previous(story, book),
        *_symptoms(story, book),
        *_past(story, book, sizes),
        *_allergies(story, book, sizes),
        *_home_medications(story, book, sizes),
        *_examination(story, book, sizes),
    ]


def _opening(story: Story, book: Phrasebook) -> Exchange:
    start = story.bundle.admission_start
    admission = story.stay("admission date")
    said = book.say("opening", daytime=daytime(start.hour), date=format_date(start))
    reported = [fact.label for fact in story.facts(FactKind.HISTORY) if fact.value == "reported"]
    if reported:
        symptoms = joined([_lay(label) for label in reported[:2]])
        reply = book.say("complaint_lay", accept=statement, symptoms=symptoms)
    else:
        reply = book.say("complaint_vague", accept=statement)
    doctor = Turn("Doctor", said, sources([admission] if admission else []))
    return Exchange(Phase.ARRIVAL, REQUIRED, (doctor, Turn("Patient", reply)))


def _complaint(story: Story, book: Phrasebook) -> list[Exchange]:
    complaints = story.facts(FactKind.CHIEF_COMPLAINT)[:1]
    if not complaints:
        doctor = Turn("Doctor", book.say("complaint_open"))
        patient = Turn("Patient", book.say("complaint_open_reply"))
        return [Exchange(Phase.ARRIVAL, REQUIRED, (doctor, patient))]
    return [
        exchange(
            book,
            Phase.ARRIVAL,
            95,
            book.say("complaint", value=fact.value),
            [fact],
            "complaint_reply",
            "complaint_answer",
        )
        for fact in complaints
    ]


def _previous(story: Story, book: Phrasebook) -> list[Exchange]:
    """From the second admission on: a problem of the previous summary, word for word."""
    previous = story.bundle.previous_admission_summary
    if previous is None or not previous.problems:
        return []
    said = book.say(
        "previous",
        start=format_date(previous.admission_start),
        end=format_date(previous.admission_end),
        problem=spoken(previous.problems[0]),
    )
    first = exchange(book, Phase.ARRIVAL, REQUIRED, said, (), "previous_reply", "previous_answer")
    more = [
        exchange(
            book,
            Phase.ARRIVAL,
            66 - FALL * number,
            book.say("previous_more", problem=spoken(problem)),
            (),
            "past_reply",
            "previous_answer",
        )
        for number, problem in enumerate(previous.problems[1:3])
    ]
    return [first, *more]


def _symptoms(story: Story, book: Phrasebook) -> list[Exchange]:
    facts = story.facts(FactKind.HISTORY)
    reported = batches([fact for fact in facts if fact.value == "reported"], 3)
    denied = batches([fact for fact in facts if fact.value == "denied"], 3)
    count = max(len(reported), len(denied))
    return [
        _symptom_exchange(
            reported[number] if number < len(reported) else (),
            denied[number] if number < len(denied) else (),
            book,
            78 - FALL * number,
        )
        for number in range(count)
    ]


def _symptom_exchange(
    reported: Sequence[Fact], denied: Sequence[Fact], book: Phrasebook, importance: int
) -> Exchange:
    facts = [*reported, *denied]
    asked = book.say("history_ask", symptoms=_or([fact.label for fact in facts]))
    pool = "history_both" if reported and denied else "history_yes" if reported else "history_no"
    answered = book.say(
        pool,
        reported=joined([_lay(fact.label) for fact in reported]) if reported else "",
        denied=_or([_lay(fact.label) for fact in denied]) if denied else "",
    )
    clauses: list[str] = []
    if reported:
        clauses.append(f"you reported {joined([fact.label for fact in reported])}")
    if denied:
        clauses.append(f"you denied {_or([fact.label for fact in denied])}")
    recap = book.say("history_recap", recap=", and ".join(clauses))
    turns = (
        Turn("Doctor", asked),
        Turn("Patient", answered),
        Turn("Doctor", recap, sources(facts)),
        Turn("Patient", book.say("history_reply", accept=statement)),
    )
    return Exchange(Phase.ARRIVAL, importance, turns)


def _past(story: Story, book: Phrasebook, sizes: int) -> list[Exchange]:
    groups = batches(story.facts(FactKind.PAST_CONDITION), sizes)
    return [
        exchange(
            book,
            Phase.ARRIVAL,
            74 - FALL * number,
            book.say("past", items=joined([spoken(fact.label) for fact in group])),
            group,
            "past_reply",
            "past_answer",
        )
        for number, group in enumerate(groups)
    ]


def _allergies(story: Story, book: Phrasebook, sizes: int) -> list[Exchange]:
    facts = story.facts(FactKind.ALLERGY)
    if any(fact.label == "drug allergies" for fact in facts):
        groups, pool = [facts[:1]], "no_allergy"
    else:
        groups, pool = batches(facts, sizes), "allergy"
    return [
        exchange(
            book,
            Phase.ARRIVAL,
            72 - FALL * number,
            book.say(pool, items=joined([_allergy(fact) for fact in group])),
            group,
            "allergy_reply",
            "allergy_answer",
        )
        for number, group in enumerate(groups)
    ]


def _allergy(fact: Fact) -> str:
    if fact.value == "allergy":
        return f"an allergy to {fact.label}"
    return f"{fact.label} with {fact.value} as the reaction"


def _home_medications(story: Story, book: Phrasebook, sizes: int) -> list[Exchange]:
    groups = batches(story.facts(FactKind.HOME_MEDICATION), sizes)
    return [
        exchange(
            book,
            Phase.ARRIVAL,
            80 - FALL * number,
            book.say(
                "home_medication", items=joined([f"{fact.label} {fact.value}" for fact in group])
            ),
            group,
            "home_medication_reply",
            "home_medication_answer",
        )
        for number, group in enumerate(groups)
    ]


def _examination(story: Story, book: Phrasebook, sizes: int) -> list[Exchange]:
    facts = [fact for fact in story.facts(FactKind.EXAM) if fact.detail.get("point") != "discharge"]
    return [
        exchange(
            book,
            Phase.ARRIVAL,
            70 - FALL * number,
            book.say("admission_exam", items=measured(group, book)),
            group,
            "admission_exam_reply",
            "admission_exam_answer",
        )
        for number, group in enumerate(batches(facts, sizes + 1))
    ]


def measured(facts: Sequence[Fact], book: Phrasebook) -> str:
    """Measurements as an enumeration: each label with its value."""
    verb = ("was", "came to", "stood at")[book.number(3)]
    return joined(
        [f"your {fact.label} {verb} {fact.value}" for fact in facts[:1]]
        + [f"your {fact.label} {fact.value}" for fact in facts[1:]]
    )


def _lay(label: str) -> str:
    return lay_words().get(label, label)


def _or(parts: Sequence[str]) -> str:
    return joined(parts).replace(" and ", " or ") if len(parts) > 1 else parts[0]
