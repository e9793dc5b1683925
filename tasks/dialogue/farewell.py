"""The end of the last scene: what was agreed said back, and goodbye."""

from __future__ import annotations

from datetime import timedelta

from tasks.contracts.records import FactKind
from tasks.dialogue.changes import change_clause
from tasks.dialogue.exchanges import REQUIRED, Exchange, Phase, Story
from tasks.dialogue.naming import joined, short_name
from tasks.dialogue.turns import Turn, speaking_of, stating
from tasks.dialogue.visits import visit_clause
from tasks.dialogue.wording import Phrasebook

_LAST_FORMALITIES = ("discharge date", "length of stay")
_PLANS = ("keep to the list", "follow the plan", "look after myself", "go by the papers")


def teach_back(story: Story) -> Exchange:
    """The patient says back what was agreed, in the words that were used."""

    def write(book: Phrasebook) -> tuple[Turn, ...]:
        changes, visits = (
            [fact for fact in story.facts(kind) if book.has_told(fact.fact_id)][:1]
            for kind in (FactKind.MEDICATION_CHANGE, FactKind.FOLLOW_UP)
        )
        told = [change_clause(changes)] if changes else []
        told += [f"I {visit_clause(fact)}" for fact in visits]
        pool = "teach_back_reply" if told else "teach_back_vague"
        reply = book.say(pool, items=joined(told) if told else "")
        topic = short_name(visits[0]) if visits else short_name(changes[0]) if changes else ""
        praise = "teach_back_praise" if topic else "teach_back_praise_vague"
        return (
            Turn("Doctor", book.say("teach_back")),
            stating("Patient", reply, [*changes, *visits]),
            speaking_of("Doctor", book.say(praise, topic=topic), [*changes, *visits]),
            Turn("Patient", book.say("teach_back_thanks")),
        )

    return Exchange(Phase.DEPARTURE, 62, 4, write)


def closing(story: Story) -> Exchange:
    """Discharge date and length of stay, and goodbye."""
    stated = [fact for fact in story.facts(FactKind.STAY) if fact.label in _LAST_FORMALITIES]
    values = {fact.label: fact.value for fact in stated}
    bundle = story.bundle
    within_a_day = bundle.admission_end - bundle.admission_start < timedelta(days=1)

    def write(book: Phrasebook) -> tuple[Turn, ...]:
        if len(values) == len(_LAST_FORMALITIES):
            date, days = (values[label] for label in _LAST_FORMALITIES)
            pool = "closing_counted" if within_a_day else "closing"
            doctor = stating("Doctor", book.say(pool, date=date, days=days), stated)
        else:
            doctor = Turn("Doctor", book.say("last_words"))
        visits = [fact for fact in story.facts(FactKind.FOLLOW_UP) if book.has_told(fact.fact_id)]
        plans = [visit_clause(fact) for fact in visits] or _PLANS
        text = book.say("closing_reply", plan=plans[book.number(len(plans))])
        return doctor, speaking_of("Patient", text, visits)

    return Exchange(Phase.DEPARTURE, REQUIRED, 2, write)


def parting(book: Phrasebook) -> tuple[Turn, ...]:
    """The last words to a patient who died in the stay: those of any visit."""
    return (
        Turn("Doctor", book.say("last_words")),
        Turn("Patient", book.say("last_words_reply")),
    )
