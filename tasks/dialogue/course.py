"""What was done and why, and how each problem went."""

from __future__ import annotations

from tasks.contracts.records import Fact, FactKind
from tasks.dialogue.complaints import felt, lay
from tasks.dialogue.exchanges import (
    SLOW_FALL,
    Exchange,
    Phase,
    Said,
    Story,
    exchange,
    saying,
    told_from,
)
from tasks.dialogue.naming import is_plural, spoken, with_article
from tasks.dialogue.reasons import reason_known_from
from tasks.dialogue.turns import Turn, sources, speaking_of, stating, taken_up
from tasks.dialogue.wording import Phrasebook

_BY_ITSELF = ("resolved", "improved", "stabilized")
_MORE = frozenset({"increased", "uptitrated", "broadened"})
_LESS = frozenset({"decreased", "reduced", "downtitrated", "tapered", "narrowed"})
_OTHER = frozenset({"changed", "switched", "transitioned"})
_STOPPED = frozenset({"held", "stopped", "discontinued"})
_BEGUN = frozenset({"started", "added", "initiated", "resumed", "restarted", "placed", "begun"})
_GIVEN = frozenset({"given", "administered", "received"})
_ACTIVE = frozenset({
    "started", "added", "initiated", "resumed", "restarted", "placed", "held", "stopped",
    "discontinued", "continued", "increased", "decreased", "reduced", "changed", "switched",
    "broadened", "narrowed", "tapered",
})  # fmt: skip
"""Participles that are past tenses as well: ``we started``."""


def course_exchanges(story: Story) -> list[Exchange]:
    """Exchanges that tell treatments with their reasons, and the course of problems."""
    return [*_treatments(story), *_courses(story)]


def _treatments(story: Story) -> list[Exchange]:
    """Treatments; one whose reason is a result is told when that is known."""
    results = [
        fact
        for kind in (FactKind.IMAGING, FactKind.CULTURE, FactKind.SUSCEPTIBILITY)
        for fact in story.facts(kind)
    ]
    return [
        told_from(
            _treatment(fact, 88 - SLOW_FALL * number, tellers), reason_known_from(fact, results)
        )
        for tellers in [_reported(story)]
        for number, fact in enumerate(story.facts(FactKind.TREATMENT))
    ]


def _reported(story: Story) -> frozenset[str]:
    return frozenset(
        fact.label.casefold() for fact in story.facts(FactKind.HISTORY) if fact.value == "reported"
    )


def _treatment(fact: Fact, importance: int, reported: frozenset[str]) -> Exchange:
    """One treatment; what the patient feels is said by the patient before it is a reason."""
    slots = {"reason": spoken(fact.value)}
    pool = "treatment_clause" if is_clause(fact) else f"treatment_{action_group(fact)}"
    if is_clause(fact) or not felt(fact.value, reported):
        return exchange(Phase.STAY, importance, saying_of(fact), [fact], pool, **slots)

    def write(book: Phrasebook) -> tuple[Turn, ...]:
        named = {**taken_up(book, [fact]), **slots}
        first = Turn(
            "Patient", book.say("trouble_told", reason=lay(spoken(fact.value))), (), sources([fact])
        )
        return (
            Turn("Doctor", book.say("trouble_ask")),
            first,
            stating("Doctor", book.say("trouble_taken_up", statement=_stated(fact, book)), [fact]),
            speaking_of("Patient", book.say(f"{pool}_reply", **named), [fact]),
        )

    return Exchange(Phase.STAY, importance, 4, write)


def saying_of(fact: Fact) -> Said:
    """A treatment with its action, dose and reason as the doctor tells it."""

    problem = spoken(fact.detail.get("problem", ""))
    apart = problem and problem.casefold() not in fact.value.casefold()

    def said(book: Phrasebook) -> str:
        statement = _stated(fact, book)
        if apart and book.number(2):
            return book.say("treatment_problem", problem=problem, statement=statement)
        return book.say("treatment", statement=statement)

    return said


def _stated(fact: Fact, book: Phrasebook) -> str:
    action = fact.detail.get("action", "given")
    pool = "reason_clause" if is_clause(fact) else "reason"
    label = with_article(spoken(fact.label))
    if action in _ACTIVE and book.number(3):
        done = f"we {action} {label}{_dose(fact)}"
    else:
        done = f"{label} {'were' if is_plural(fact.label) else 'was'} {action}{_dose(fact)}"
    return book.clause(pool, done=done, value=spoken(fact.value))


def is_clause(fact: Fact) -> bool:
    """Whether a treatment's reason is a clause: ``creatinine rose``."""
    return fact.detail.get("link") == "because"


def action_group(fact: Fact) -> str:
    """What was done with a treatment, in a word that groups actions."""
    action = fact.detail.get("action", "given")
    groups = (
        ("more", _MORE),
        ("less", _LESS),
        ("other", _OTHER),
        ("stopped", _STOPPED),
        ("begun", _BEGUN | _GIVEN),
    )
    return next((name for name, actions in groups if action in actions), "kept")


def _dose(fact: Fact) -> str:
    if "to" in fact.detail:
        return f" to {fact.detail['to']}"
    dose = fact.detail.get("dose")
    if not dose:
        return ""
    action = fact.detail.get("action")
    if action in _STOPPED:
        return f" ({dose})"
    return f" to {dose}" if action in _MORE | _LESS | _OTHER else f" at {dose}"


def _courses(story: Story) -> list[Exchange]:
    return [
        exchange(Phase.STAY, 76 - SLOW_FALL * number, _course(fact), [fact], "course")
        for number, fact in enumerate(story.facts(FactKind.COURSE))
    ]


def _course(fact: Fact) -> Said:
    return saying("course", label=spoken(fact.label), done=_done(fact.value))


def _done(value: str) -> str:
    """What was done as a clause: `it was treated with …`, `it resolved with …`."""
    first = value.split(" ", 1)[0].casefold()
    if first == "given":
        return f"you were {value}"
    return f"it {value}" if first in _BY_ITSELF else f"it was {value}"
