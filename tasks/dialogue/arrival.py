"""The first scene: greeting, complaint, history, and what was known before the stay."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tasks.contracts.clock import format_date
from tasks.contracts.records import Fact, FactKind
from tasks.dialogue.exchanges import (
    FALL,
    REQUIRED,
    Exchange,
    Phase,
    Said,
    Story,
    Turn,
    batches,
    exchange,
    joined,
    saying,
    sources,
    spoken,
    told_in_groups,
)
from tasks.dialogue.wording import Phrasebook, lay_words, statement

_DAYTIME_BY_HOUR = (("morning", 5, 12), ("afternoon", 12, 18), ("evening", 18, 23))
_SYMPTOMS_A_TURN = 3
_PREVIOUS_PROBLEMS = 3


def greeting_at(hour: int) -> str:
    """A greeting that suits an hour of the day; at night none that names it."""
    named = next((name for name, start, end in _DAYTIME_BY_HOUR if start <= hour < end), "")
    return f"good {named}" if named else "hello"


def arrival_exchanges(story: Story, sizes: int) -> list[Exchange]:
    """Exchanges of the first scene; ``sizes`` is how many facts a turn may state."""
    past = batches(story.facts(FactKind.PAST_CONDITION), sizes)
    home = batches(story.facts(FactKind.HOME_MEDICATION), sizes)
    signs = [fact for fact in story.facts(FactKind.EXAM) if not at_discharge(fact)]
    return [
        _opening(story),
        _complaint(story),
        *_previous(story),
        *_symptoms(story),
        *told_in_groups(Phase.ARRIVAL, 74, past, _past, "past"),
        *_allergies(story, sizes),
        *told_in_groups(Phase.ARRIVAL, 80, home, _home_medications, "home_medication"),
        *told_in_groups(
            Phase.ARRIVAL, 76, batches(signs, sizes + 1), _examination, "admission_exam"
        ),
    ]


def at_discharge(fact: Fact) -> bool:
    """Whether a measurement belongs to the end of the stay."""
    return fact.detail.get("point") == "discharge"


def measured(pool: str, facts: Sequence[Fact]) -> Said:
    """Measurements as an enumeration: each label with its value."""

    def said(book: Phrasebook) -> str:
        verb = ("was", "came to", "stood at")[book.number(3)]
        first, *others = facts
        items = [f"your {first.label} {verb} {first.value}"]
        items += [f"your {fact.label} {fact.value}" for fact in others]
        return book.say(pool, items=joined(items))

    return said


def _opening(story: Story) -> Exchange:
    """The greeting, and why the patient came: the chief complaint, else what was reported."""
    start = story.bundle.admission_start
    admission = story.stay("admission date")
    pool, symptoms = _reason_for_coming(story)

    def write(book: Phrasebook) -> tuple[Turn, ...]:
        said = book.say("opening", greeting=greeting_at(start.hour), date=format_date(start))
        reply = book.say(pool, accept=statement, symptoms=symptoms)
        stated = sources([admission] if admission else [])
        return Turn("Doctor", said, stated), Turn("Patient", reply)

    return Exchange(Phase.ARRIVAL, REQUIRED, 2, write)


def _reason_for_coming(story: Story) -> tuple[str, str]:
    """The pool of the patient's first words and what they name."""
    reported = [fact.label for fact in story.facts(FactKind.HISTORY) if fact.value == "reported"]
    for fact in story.facts(FactKind.CHIEF_COMPLAINT)[:1]:
        felt = fact.value.casefold() in {*lay_words(), *reported}
        return "complaint_lay" if felt else "complaint_named", _lay(spoken(fact.value))
    if reported:
        return "complaint_lay", joined([_lay(label) for label in reported[:2]])
    return "complaint_vague", ""


def _complaint(story: Story) -> Exchange:
    """The chief complaint, or where none is known an encouragement to talk."""
    complaints = story.facts(FactKind.CHIEF_COMPLAINT)[:1]
    if complaints:
        said = saying("complaint", value=complaints[0].value)
        return exchange(Phase.ARRIVAL, 95, said, complaints, "complaint")
    return Exchange(Phase.ARRIVAL, REQUIRED, 2, _encouraged)


def _encouraged(book: Phrasebook) -> tuple[Turn, ...]:
    return (
        Turn("Doctor", book.say("complaint_open")),
        Turn("Patient", book.say("complaint_open_reply")),
    )


def _previous(story: Story) -> list[Exchange]:
    """From the second admission on: a problem of the previous summary, word for word."""
    previous = story.bundle.previous_admission_summary
    if previous is None or not previous.problems:
        return []
    first, *others = [spoken(problem) for problem in previous.problems[:_PREVIOUS_PROBLEMS]]
    said = saying(
        "previous",
        start=format_date(previous.admission_start),
        end=format_date(previous.admission_end),
        problem=first,
    )
    more = [
        exchange(
            Phase.ARRIVAL,
            66 - FALL * number,
            saying("previous_more", problem=problem),
            (),
            "previous_more",
        )
        for number, problem in enumerate(others)
    ]
    return [exchange(Phase.ARRIVAL, REQUIRED, said, (), "previous"), *more]


def _symptoms(story: Story) -> list[Exchange]:
    facts = story.facts(FactKind.HISTORY)
    reported = batches([fact for fact in facts if fact.value == "reported"], _SYMPTOMS_A_TURN)
    denied = batches([fact for fact in facts if fact.value == "denied"], _SYMPTOMS_A_TURN)
    return [
        _symptom_exchange(
            reported[number] if number < len(reported) else (),
            denied[number] if number < len(denied) else (),
            78 - FALL * number,
        )
        for number in range(max(len(reported), len(denied)))
    ]


def _symptom_exchange(
    reported: Sequence[Fact], denied: Sequence[Fact], importance: int
) -> Exchange:
    """The doctor asks, the patient says yes or no, and the doctor says it back."""
    facts = [*reported, *denied]
    pool = "history_both" if reported and denied else "history_yes" if reported else "history_no"
    clauses: list[str] = []
    if reported:
        clauses.append(f"you reported {joined([fact.label for fact in reported])}")
    if denied:
        clauses.append(f"you denied {joined([fact.label for fact in denied], 'or')}")

    def write(book: Phrasebook) -> tuple[Turn, ...]:
        asked = book.say("history_ask", symptoms=joined([_asked(f.label) for f in facts], "or"))
        answered = book.say(
            pool,
            reported=joined([_lay(fact.label) for fact in reported]) if reported else "",
            denied=joined([_lay(fact.label) for fact in denied], "or") if denied else "",
        )
        recap = book.say("history_recap", recap=", and ".join(clauses))
        reply = book.say("history_reply", accept=statement)
        return (
            Turn("Doctor", asked),
            Turn("Patient", answered),
            Turn("Doctor", recap, sources(facts)),
            Turn("Patient", reply),
        )

    return Exchange(Phase.ARRIVAL, importance, 4, write)


def _past(facts: Sequence[Fact]) -> Said:
    return saying("past", items=joined([spoken(fact.label) for fact in facts]))


def _allergies(story: Story, sizes: int) -> list[Exchange]:
    facts = story.facts(FactKind.ALLERGY)
    none = [fact for fact in facts if fact.label == "drug allergies"]
    if none:
        return [exchange(Phase.ARRIVAL, 72, saying("no_allergy"), none[:1], "allergy")]
    return told_in_groups(Phase.ARRIVAL, 72, batches(facts, sizes), _allergens, "allergy")


def _allergens(facts: Sequence[Fact]) -> Said:
    return saying("allergy", items=joined([_allergen(fact) for fact in facts]))


def _allergen(fact: Fact) -> str:
    if fact.value == "allergy":
        return f"an allergy to {fact.label}"
    return f"{fact.label} with {fact.value} as the reaction"


def _home_medications(facts: Sequence[Fact]) -> Said:
    return saying("home_medication", items=joined([f"{fact.label} {fact.value}" for fact in facts]))


def _examination(facts: Sequence[Fact]) -> Said:
    return measured("admission_exam", facts)


def _lay(label: str) -> str:
    return lay_words().get(label, label)


def _asked(label: str) -> str:
    """A symptom as the doctor asks for it: in plain words, with the term beside them."""
    plain = lay_words().get(label, label)
    if plain == label:
        return label
    plain = re.sub(r"\bI\b", "you", re.sub(r"\bmy\b", "your", plain))
    return plain if label in plain else f"{plain} ({label})"
