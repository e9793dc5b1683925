"""What changes at home: medicines that are new, stopped or taken in another dose, and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tasks.contracts.records import Fact, FactKind
from tasks.dialogue.course import action_group, is_clause
from tasks.dialogue.exchanges import FALL, Exchange, Phase, Said, Story, Written, batches, exchange
from tasks.dialogue.naming import joined, spoken
from tasks.dialogue.turns import Turn, sources
from tasks.dialogue.wording import Phrasebook
from tasks.terminology.normalization import says
from tasks.terminology.statements import states

_SAME_CHANGE = 2
_TREATED_BY = {
    "new": "begun",
    "increased": "more",
    "decreased": "less",
    "stopped": "stopped",
    "held": "stopped",
}
"""The group of actions of a treatment that explains a change."""


def change_exchanges(story: Story) -> list[Exchange]:
    """Changes of medicines: those with a known reason one by one, others of a sort together."""
    treatments = story.facts(FactKind.TREATMENT)
    by_sort: dict[str, list[Fact]] = {}
    for fact in story.facts(FactKind.MEDICATION_CHANGE):
        alone = fact.fact_id if _reason_of(fact, treatments) else ""
        sort = f"{fact.detail.get('change', fact.value)} {alone}"
        by_sort.setdefault(sort, []).append(fact)
    sorts = [batches(facts, _SAME_CHANGE) for facts in by_sort.values()]
    groups = [group for sort in sorts for group in sort]
    return [
        _told(group, _reason_of(group[0], treatments), 88 - FALL * number)
        for number, group in enumerate(groups)
    ]


def change_clause(facts: Sequence[Fact]) -> str:
    """A change as a clause; of two of a sort with the same value the value is said once."""
    change, values = facts[0].detail.get("change"), {fact.value for fact in facts}
    if len(facts) > 1 and len(values) > 1:
        return joined([change_clause([fact]) for fact in facts])
    first, *others = [spoken(fact.label) for fact in facts]
    value = facts[0].value
    if change == "new":
        return f"{first} is a {value}" + "".join(f", and so is {other}" for other in others)
    if change == "held":
        return f"{joined([first, *others])} {'are' if others else 'is'} {value} for now"
    return f"{joined([first, *others])} {'have both' if others else 'has'} been {value}"


def _reason_of(change: Fact, treatments: Sequence[Fact]) -> Fact | None:
    """The treatment that says why a medicine was changed, where its reason is a thing."""
    group = _TREATED_BY.get(change.detail.get("change", ""))
    fitting = (
        fact
        for fact in treatments
        if action_group(fact) == group and not is_clause(fact) and says(change.label, fact.label)
    )
    return next(fitting, None)


def _told(group: Sequence[Fact], reason: Fact | None, importance: int) -> Exchange:
    taken_away = group[0].detail.get("change") in ("held", "stopped", "discontinued")
    pool = "medication_stopped" if taken_away else "medication_change"
    made = exchange(Phase.DEPARTURE, importance, _said(group, reason), group, pool)
    if reason is None or made.longer is None:
        return made
    return replace(
        made, write=_with_reason(made.write, reason), longer=_with_reason(made.longer, reason)
    )


def _said(group: Sequence[Fact], reason: Fact | None) -> Said:
    """The change, with its reason where the patient has heard that before."""

    def said(book: Phrasebook) -> str:
        items = change_clause(group)
        if reason and book.has_told(reason.fact_id):
            items = book.clause("change_reason", items=items, value=spoken(reason.value))
        return book.say("medication_change", items=items)

    return said


def _with_reason(write: Written, reason: Fact) -> Written:
    def written(book: Phrasebook) -> tuple[Turn, ...]:
        first, *others = write(book)
        if states(first.text, reason):
            first = replace(first, sources=(*first.sources, *sources([reason])))
        return first, *others

    return written
