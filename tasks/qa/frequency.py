"""What can be counted over a range of stays: ``frequency_pattern``.

Every form takes for granted that the target recurs, so that zero is never the right answer to an
adversarial copy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from tasks.contracts.records import Fact, FactKind
from tasks.qa.candidates import Candidate
from tasks.qa.casing import spoken
from tasks.qa.fact_parts import treated_with
from tasks.qa.fallbacks import frequency_fallbacks
from tasks.qa.listed import dose_counts, off_the_list
from tasks.qa.ranges import range_slots, sure_ranges
from tasks.qa.stays import Cite, PatientStays
from tasks.qa.thresholds import threshold_candidates

_MOST_COUNTED = 5


def _label(fact: Fact) -> str:
    return fact.label


def _value(fact: Fact) -> str:
    return fact.value


def _any(_: Fact) -> bool:
    return True


def _plain(_: Fact) -> Mapping[str, str]:
    return {}


def _action(fact: Fact) -> Mapping[str, str]:
    return {"action": fact.detail.get("action", "")}


@dataclass(frozen=True)
class _Counted:
    """Facts of a kind whose stays can be counted by target; ``so`` tells those that count."""

    family: str
    kind: FactKind
    group: str
    target: Callable[[Fact], str] = _label
    so: Callable[[Fact], bool] = _any
    slots: Callable[[Fact], Mapping[str, str]] = _plain


_COUNTED = (
    _Counted("count_discharge_medication", FactKind.DISCHARGE_MEDICATION, "drug"),
    _Counted("count_home_medication", FactKind.HOME_MEDICATION, "drug"),
    _Counted("count_diagnosis", FactKind.DIAGNOSIS, "problem"),
    _Counted("count_past_condition", FactKind.PAST_CONDITION, "problem"),
    _Counted("count_procedure", FactKind.PROCEDURE, "procedure"),
    _Counted("count_culture", FactKind.CULTURE, "culture"),
    _Counted("count_imaging", FactKind.IMAGING, "imaging"),
    _Counted("count_complaint", FactKind.CHIEF_COMPLAINT, "symptom", _value),
    _Counted("count_follow_up", FactKind.FOLLOW_UP, "clinic"),
    _Counted("count_treatment", FactKind.TREATMENT, "drug", treated_with, slots=_action),
    _Counted(
        "count_symptom", FactKind.HISTORY, "symptom", so=lambda fact: fact.value == "reported"
    ),
)


def frequency_candidates(patient: PatientStays) -> Iterator[Candidate]:
    """In how many stays something recurs or lies beyond a bound, and how many doses there were."""
    for counted in _COUNTED:
        yield from _stays_with(patient, counted)
    yield from threshold_candidates(patient)
    yield from dose_counts(patient)
    yield from frequency_fallbacks(patient)


@dataclass
class _Found:
    """Where one target was found: turns that count, and stays that say it was not so."""

    label: str
    slots: Mapping[str, str]
    cites: dict[int, Cite]
    denying: set[int]


def _stays_with(patient: PatientStays, counted: _Counted) -> Iterator[Candidate]:
    found = _find(patient, counted)
    for key in sorted(found):
        one = found[key]
        stating = sorted(one.cites)
        for stays in sure_ranges(patient, one.label, stating, _MOST_COUNTED, one.denying):
            yield Candidate(
                family=counted.family,
                slots={"target": spoken(one.label), **one.slots, **range_slots(patient, stays)},
                targets=("target",),
                group=counted.group,
                answer=f"{len(stays.stating)} hospitalizations",
                cites=tuple(one.cites[at] for at in stays.stating),
                guessable=stays.tight,
            )


def _find(patient: PatientStays, counted: _Counted) -> dict[tuple[str, ...], _Found]:
    found: dict[tuple[str, ...], _Found] = {}
    for stay in patient.stays:
        for statement in stay.statements:
            fact = statement.fact
            if fact.kind is not counted.kind:
                continue
            label, slots = counted.target(fact), counted.slots(fact)
            one = found.setdefault(
                (label.casefold(), *slots.values()), _Found(label, slots, {}, set())
            )
            if counted.so(fact):
                one.cites.setdefault(stay.position, statement.cite)
            else:
                one.denying.add(stay.position)
    for one in found.values():
        one.denying |= off_the_list(patient, counted.kind, one.label) - one.cites.keys()
    for one in found.values():
        # A stay that says both tells nothing for sure: it is left to what its record mentions.
        for at in one.denying & one.cites.keys():
            del one.cites[at]
            one.denying.remove(at)
    return found
