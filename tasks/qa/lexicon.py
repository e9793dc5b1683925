"""Targets of the whole cohort, and how many patients have and lack each."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator

from tasks.contracts.questions import Lexicon, PatientChart, TargetCount
from tasks.qa.candidates import CALENDAR, Candidate
from tasks.qa.cross import cross_candidates
from tasks.qa.single import single_candidates
from tasks.qa.stays import PatientStays, patient_stays

Charts = Callable[[], Iterable[PatientChart]]
"""Reads the cohort's charts, one at a time and the same each time."""


def build_lexicon(charts: Charts) -> Lexicon:
    """Count the targets that answerable questions about the cohort could have.

    Counts are taken over what the dialogues state, by family of forms, because absent targets must
    be as frequent as answerable ones of the same family. Reads the charts twice.
    """
    patients = 0
    asked: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0])
    labels: dict[tuple[str, str], str] = {}
    for chart in charts():
        patients += 1
        for key, (label, stays) in _targets(patient_stays(chart)).items():
            labels[key] = min(labels.get(key, label), label)
            asked[key][0] += len(stays)
            asked[key][1] += 1
    lacking = _lacking(charts, sorted({label for _, label in asked}))
    return Lexicon(
        patients=patients,
        targets=tuple(
            TargetCount(
                kind=key[0],
                label=labels[key],
                admissions=count[0],
                patients=count[1],
                lacking=lacking[key[1]],
            )
            for key, count in sorted(asked.items())
        ),
    )


def _lacking(charts: Charts, labels: list[str]) -> Counter[str]:
    found: Counter[str] = Counter()
    for chart in charts():
        record = patient_stays(chart).text
        found.update(label for label in labels if not record.mentions(label))
    return found


def _targets(patient: PatientStays) -> dict[tuple[str, str], tuple[str, set[int]]]:
    found: dict[tuple[str, str], tuple[str, set[int]]] = {}
    for candidate in _candidates(patient):
        if candidate.group == CALENDAR:
            continue
        for name in candidate.targets:
            label = candidate.slots[name]
            key = (candidate.family, label.casefold())
            known = found.setdefault(key, (label, set()))
            known[1].update(cite.stay for cite in candidate.cites)
    return found


def _candidates(patient: PatientStays) -> Iterator[Candidate]:
    for stay in patient.stays:
        for candidates in single_candidates(patient, stay).values():
            yield from candidates
    for candidates in cross_candidates(patient).values():
        yield from candidates


class Frequencies:
    """The lexicon by family: how common a target is, and which targets a family knows."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._patients = max(1, lexicon.patients)
        self._by_family: dict[str, dict[str, TargetCount]] = defaultdict(dict)
        for target in lexicon.targets:
            self._by_family[target.kind][target.label.casefold()] = target

    def scarcity(self, family: str, label: str) -> float:
        """Share of the cohort's patients whose record lacks a target; 0 for an unknown one."""
        target = self._by_family[family].get(label.casefold())
        return target.lacking / self._patients if target else 0.0

    def mass(self, family: str) -> float:
        """Sum over a family's targets of share that has it times share that lacks it."""
        return sum(
            target.patients * target.lacking / self._patients**2
            for target in self._by_family[family].values()
        )

    def targets(self, family: str) -> tuple[TargetCount, ...]:
        """Targets of a family, in the lexicon's order."""
        return tuple(self._by_family[family].values())
