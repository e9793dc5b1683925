"""Whether a question says of its answer what the record says of it.

A value on admission is no answer to a question about discharge, nor a medicine that was increased
to one about what was stopped. Turns and lines of a record hold such pairs close together, so that
finding the words of an answer beside those of the question proves nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tasks.contracts.records import Fact, FactKind

_Suits = Callable[["_Behind"], bool]

_MEDICINES = frozenset((
    FactKind.HOME_MEDICATION, FactKind.DISCHARGE_MEDICATION, FactKind.MEDICATION_CHANGE,
    FactKind.TREATMENT,
))  # fmt: skip
_ILLNESS = r"(?:diagnos[ei]s|condition|problem|illness|one)"
_NOT_SO = re.compile(
    r"\b(?:not(?! (?:counting|only|just))|never|without|except|neither)\b|n't\b", re.IGNORECASE
)
_WHY = re.compile(
    r"\bwhy\b|\bfor what reason\b|\bwhat (?:was|were|is) the reasons?\b", re.IGNORECASE
)


@dataclass(frozen=True)
class _Behind:
    """A fact behind an answer, and the changes that the record states of its medicine."""

    fact: Fact
    answer: str
    changes: str

    @property
    def kind(self) -> FactKind:
        return self.fact.kind

    def has(self, name: str, value: str) -> bool:
        """Whether a detail has a value, where the fact has the detail at all."""
        return self.fact.detail.get(name, value).casefold() == value.casefold()


def _changed(*changes: str) -> _Suits:
    return lambda one: one.kind not in _MEDICINES or any(each in one.changes for each in changes)


def _valued(kind: FactKind, value: str) -> _Suits:
    return lambda one: one.kind is kind and one.fact.value.casefold() == value


def _before(one: _Behind) -> bool:
    if one.kind is FactKind.MEDICATION_CHANGE:
        return one.has("from", one.answer)
    return one.kind not in _MEDICINES or one.kind is FactKind.HOME_MEDICATION


def _on_admission(one: _Behind) -> bool:
    return one.has("point", "admission") and _before(one)


def _at_discharge(one: _Behind) -> bool:
    if one.kind is FactKind.MEDICATION_CHANGE:
        return one.has("to", one.answer)
    return one.has("point", "discharge") and one.kind is not FactKind.HOME_MEDICATION


def _is_denied(one: _Behind) -> bool:
    return one.kind is FactKind.HISTORY and one.fact.detail.get("polarity") == "denied"


def _is_reported(one: _Behind) -> bool:
    return one.has("polarity", "present")


def _is_reason(one: _Behind) -> bool:
    """``lisinopril`` is no reason where the record holds it because of an injury."""
    stated = one.fact.value.casefold()
    return one.kind is not FactKind.TREATMENT or one.answer.casefold() in stated


# Of each line one applies: a question that says two of them is about both.
_QUALIFIERS: tuple[dict[str, _Suits], ...] = (
    {
        r"(?:before|prior to) (?:the |this )?(?:admission|stay|hospital\w*)|(?<!once )at home"
        r"|come in on": _before,
        r"(?:on|at|upon) (?:admission|arrival|presentation)": _on_admission,
        r"(?:on|at|upon|after) (?:discharge|leaving|(?:the |this )?stay)|discharged (?:on|with)"
        r"|once at home": _at_discharge,
    },
    {
        r"stopped|held|discontinued|withheld": _changed("stop", "held", "discontinu"),
        r"started|initiated|added|begun|new(?:ly)?": _changed("start", "new", "add", "begun"),
        r"increased|raised": _changed("increas", "rais"),
        r"decreased|reduced|lowered": _changed("decreas", "reduc", "lower"),
    },
    {
        r"den(?:y|ied|ies)": _is_denied,
        r"report(?:ed|s)?|complain(?:ed|s)?": _is_reported,
    },
    {
        rf"(?:primary|principal|main|most important) {_ILLNESS}": _valued(
            FactKind.DIAGNOSIS, "primary"
        ),
        rf"secondary {_ILLNESS}": _valued(FactKind.DIAGNOSIS, "secondary"),
    },
    {
        r"sensitive|susceptible": _valued(FactKind.SUSCEPTIBILITY, "susceptible"),
        r"resistant|resistance": _valued(FactKind.SUSCEPTIBILITY, "resistant"),
        r"intermediate": _valued(FactKind.SUSCEPTIBILITY, "intermediate"),
    },
)
_FORMS = tuple(
    tuple((re.compile(rf"\b(?:{said})\b", re.IGNORECASE), suits) for said, suits in each.items())
    for each in _QUALIFIERS
)


def asks_for_what_is_not_so(body: str, facts: Sequence[Fact]) -> bool:
    """Whether a question asks for what is not so: nothing in the record could prove its answer.

    Names such as ``epilepsy, not intractable`` say nothing of the kind.
    """
    said = body.casefold()
    for label in sorted((fact.label.casefold() for fact in facts), key=len, reverse=True):
        said = said.replace(label, " ")
    return _NOT_SO.search(said) is not None


def suits_one(body: str, answer: str, behind: Sequence[Fact], facts: Sequence[Fact]) -> bool:
    """Whether of one of the facts behind an answer all is true that the question says of it."""
    wanted = tuple(_wanted(body))
    return any(
        all(suits(_Behind(fact, answer, _changes_of(fact, facts))) for suits in wanted)
        for fact in behind
    )


def _wanted(body: str) -> Iterator[_Suits]:
    for alternatives in _FORMS:
        said = [suits for form, suits in alternatives if form.search(body)]
        if len(said) == 1:
            yield said[0]
    if _WHY.search(body):
        yield _is_reason


def _changes_of(fact: Fact, facts: Sequence[Fact]) -> str:
    """The changes that are stated of a fact's medicine, in small letters."""
    stated = (
        one.detail.get("change") or one.detail.get("action") or ""
        for one in facts
        if one.label.casefold() == fact.label.casefold()
    )
    return " ".join(stated).casefold()
