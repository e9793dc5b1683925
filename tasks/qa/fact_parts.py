"""Parts of a fact that questions ask for or name."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tasks.contracts.records import Fact

_POINTS = {
    "admission": "on admission",
    "discharge": "at discharge",
    "first": "at the first measurement",
}
_DOSE_OF = "dose of "
_MEASURES = ("treated", "managed", "addressed", "handled", "controlled", "given", "repaired")
_EMPTY_ANSWERS = frozenset({"follow-up", "none known", "allergy"})


def value(fact: Fact) -> str | None:
    """The fact's value, where it says more than that the fact exists."""
    text = fact.value.strip().rstrip(".")
    return None if text.casefold() in _EMPTY_ANSWERS else text


def part(name: str) -> Callable[[Fact], str | None]:
    """A named part of a fact, such as the dose; None where the record gives none."""
    return lambda fact: fact.detail.get(name)


def treated_with(fact: Fact) -> str:
    """The drug or therapy of a treatment, also where the record speaks of its dose."""
    return fact.label[len(_DOSE_OF) :] if fact.label.startswith(_DOSE_OF) else fact.label


def new_dose(fact: Fact) -> str | None:
    """The dose that a change ended at, where the record gives one."""
    dose = fact.detail.get("dose")
    return dose and dose.rpartition(" to ")[2]


def measures(fact: Fact) -> str | None:
    """What was done about a problem, where its course tells that."""
    text = value(fact)
    return text if text and text.casefold().startswith(_MEASURES) else None


def outcome(fact: Fact) -> str | None:
    """How a problem went on, where its course tells that in place of what was done."""
    return None if measures(fact) else value(fact)


def grown(fact: Fact) -> str | None:
    """The culture that an organism grew in; None where nothing grew."""
    return fact.label if fact.detail.get("result") == "organism" else None


def labelled(label: str) -> Callable[[Fact], str | None]:
    """The value of facts with one given label."""
    return lambda fact: fact.value if fact.label.casefold() == label else None


def point(fact: Fact) -> Mapping[str, str] | None:
    """When in the stay a measurement was made, in words."""
    words = _POINTS.get(fact.detail.get("point", ""))
    return None if words is None else {"point": words}


def measured(fact: Fact) -> str:
    """Name of a laboratory test or vital sign without the point of measurement."""
    return fact.detail.get("test", fact.label)


def action(allowed: Callable[[str], bool]) -> Callable[[Fact], Mapping[str, str] | None]:
    """The treatment's action as a slot, for the actions that are allowed."""

    def read(fact: Fact) -> Mapping[str, str] | None:
        verb = fact.detail.get("action", "")
        return {"action": verb} if verb and allowed(verb) else None

    return read


def day(fact: Fact) -> Mapping[str, str] | None:
    """The event's date as a slot, where the record gives one."""
    return {"date": fact.detail["date"]} if "date" in fact.detail else None
