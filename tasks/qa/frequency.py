"""What can be counted over a range of stays: ``frequency_pattern``.

Every form takes for granted that the target recurs, so that zero is never the right answer to an
adversarial copy.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tasks.contracts.records import Fact, FactKind
from tasks.qa import aspects
from tasks.qa.aspects import Reading, readings
from tasks.qa.candidates import Candidate, spoken
from tasks.qa.fallbacks import frequency_fallbacks
from tasks.qa.ranges import range_slots, sure_ranges
from tasks.qa.stays import Cite, PatientStays

_MOST_COUNTED = 5


def _label(fact: Fact) -> str:
    return fact.label


def _value(fact: Fact) -> str:
    return fact.value


@dataclass(frozen=True)
class _Counted:
    """Facts of a kind whose stays can be counted by target."""

    family: str
    kind: FactKind
    group: str
    target: Callable[[Fact], str] = _label


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
)


def frequency_candidates(patient: PatientStays) -> Iterator[Candidate]:
    """In how many stays something recurs, and how many different doses were prescribed."""
    for counted in _COUNTED:
        yield from _stays_with(patient, counted)
    yield from _different_doses(patient)
    yield from frequency_fallbacks(patient)


def _stays_with(patient: PatientStays, counted: _Counted) -> Iterator[Candidate]:
    cites: dict[str, dict[int, Cite]] = defaultdict(dict)
    labels: dict[str, str] = {}
    for stay in patient.stays:
        for statement in stay.statements:
            if statement.fact.kind is counted.kind:
                label = counted.target(statement.fact)
                labels.setdefault(label.casefold(), label)
                cites[label.casefold()].setdefault(stay.position, statement.cite)
    for key in sorted(cites):
        for stays in sure_ranges(patient, labels[key], sorted(cites[key]), _MOST_COUNTED):
            yield Candidate(
                family=counted.family,
                slots={"target": spoken(labels[key]), **range_slots(patient, stays)},
                targets=("target",),
                group=counted.group,
                answer=f"{len(stays.stating)} hospitalizations",
                cites=tuple(cites[key][at] for at in stays.stating),
                fallback=stays.tight,
            )


def _different_doses(patient: PatientStays) -> Iterator[Candidate]:
    found: dict[tuple[str, ...], dict[int, Reading]] = defaultdict(dict)
    for stay in patient.stays:
        for key, reading in readings(stay, aspects.DOSE).items():
            found[key][stay.position] = reading
    for key in sorted(found):
        target = next(iter(found[key].values())).target
        for stays in sure_ranges(patient, target, sorted(found[key]), _MOST_COUNTED):
            doses: dict[str, Cite] = {}
            for at in stays.stating:
                doses.setdefault(found[key][at].answer.casefold(), found[key][at].cite)
            if len(doses) > 1:
                yield Candidate(
                    family="distinct_discharge_doses",
                    slots={"target": spoken(target), **range_slots(patient, stays)},
                    targets=("target",),
                    group="drug",
                    answer=f"{len(doses)} different doses",
                    cites=tuple(doses.values()),
                )
