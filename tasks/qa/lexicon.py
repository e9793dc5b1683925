"""Targets of the whole cohort, and how many patients have and lack each."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from tasks.contracts.questions import AnswerShare, Lexicon, PatientChart, Scope, TargetCount
from tasks.qa.candidates import CALENDAR, Candidate
from tasks.qa.cross import cross_candidates
from tasks.qa.presence import RecordText
from tasks.qa.single import single_candidates
from tasks.qa.stays import PatientStays, SameObject, patient_stays

Charts = Callable[[], Iterable[PatientChart]]
"""Reads the cohort's charts, one at a time and the same each time."""


def build_lexicon(charts: Charts) -> Lexicon:
    """Count the targets that answerable questions about the cohort could have.

    Counts are taken over what the dialogues state, by family of forms, because absent targets must
    be as frequent as answerable ones of the same family. For families about one stay each stay
    counts by itself; for those across stays a patient counts once for each admission, as it is
    asked that many questions. Reads the charts twice.
    """
    admissions = 0
    answers = _AnswerShares()
    having: Counter[_Key] = Counter()
    labels: dict[_Key, str] = {}
    for chart in charts():
        patient = patient_stays(chart)
        size = len(chart.admissions)
        admissions += size
        for candidates, scope, weight in _asked(patient, size):
            answers.add(candidates, weight)
            for key, label in _targets(candidates, scope).items():
                labels[key] = min(labels.get(key, label), label)
                having[key] += weight
    lacking = _lacking(charts, having)
    return Lexicon(
        admissions=admissions,
        targets=tuple(
            TargetCount(
                kind=key.family, label=labels[key], having=count, lacking=lacking[key.absence]
            )
            for key, count in sorted(having.items())
        ),
        answers=answers.shares(),
    )


class _Absence(NamedTuple):
    """What it is to lack a target: in one stay or a whole patient, from which vocabulary."""

    label: str
    single: bool
    group: str


class _Key(NamedTuple):
    """A target of a family of forms."""

    family: str
    absence: _Absence


class _AnswerShares:
    """Shares of answers by family, by the weight of those that could be asked."""

    def __init__(self) -> None:
        self._weights: dict[tuple[str, str], float] = defaultdict(float)
        self._times: Counter[tuple[str, str]] = Counter()
        self._totals: dict[str, float] = defaultdict(float)

    def add(self, candidates: Sequence[Candidate], size: int) -> None:
        """Count the candidates of one stay or of one patient across its stays."""
        found = Counter((one.family, one.answer) for one in candidates)
        families = Counter(one.family for one in candidates)
        for (family, answer), count in found.items():
            self._weights[family, answer] += size * count / families[family]
            self._times[family, answer] += 1
        for family in families:
            self._totals[family] += size

    def shares(self) -> tuple[AnswerShare, ...]:
        """Answers that were found more than once, by family and answer."""
        return tuple(
            AnswerShare(kind=family, answer=answer, share=weight / self._totals[family])
            for (family, answer), weight in sorted(self._weights.items())
            if self._times[family, answer] > 1
        )


def _lacking(charts: Charts, keys: Iterable[_Key]) -> Counter[_Absence]:
    found: Counter[_Absence] = Counter()
    wanted = sorted({key.absence for key in keys})
    for chart in charts():
        patient = patient_stays(chart)
        whole = patient.records(None)
        for absence in wanted:
            if not absence.single:
                found[absence] += 0 if _told(absence, whole) else len(whole)
        for stay in patient.stays:
            own = patient.records(stay)
            for absence in wanted:
                if absence.single:
                    found[absence] += not _told(absence, own)
    return found


def _told(absence: _Absence, records: Iterable[RecordText]) -> bool:
    return not all(record.lacks(absence.label, absence.group) for record in records)


def _targets(candidates: Iterable[Candidate], scope: Scope) -> dict[_Key, str]:
    """Labels by family and folded label; the first spelling stands for all."""
    found: dict[_Key, str] = {}
    single = scope == "single_admission"
    for candidate in candidates:
        if candidate.group != CALENDAR:
            for name in candidate.targets:
                label = candidate.slots[name]
                key = _Key(
                    candidate.vocabulary, _Absence(label.casefold(), single, candidate.group)
                )
                found.setdefault(key, label)
    return found


def _asked(patient: PatientStays, size: int) -> Iterator[tuple[tuple[Candidate, ...], Scope, int]]:
    """What each stay and the whole patient could be asked, and the weight it has."""
    for stay in patient.stays:
        found = single_candidates(patient, stay).values()
        yield tuple(itertools.chain.from_iterable(found)), "single_admission", 1
    across = cross_candidates(patient).values()
    yield tuple(itertools.chain.from_iterable(across)), "cross_admission", size


def read_frequencies(lexicon: Lexicon) -> Frequencies:
    """How common the targets of a lexicon are; that of the lexicon asked for last is kept."""
    return _frequencies(SameObject(lexicon))


@lru_cache(maxsize=1)
def _frequencies(same: SameObject[Lexicon]) -> Frequencies:
    return Frequencies(same.value)


class Frequencies:
    """The lexicon by family: how common a target is, and which targets a family knows."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._masses: dict[str, float] = {}
        self._admissions = max(1, lexicon.admissions)
        self._by_family: dict[str, dict[str, TargetCount]] = defaultdict(dict)
        for target in lexicon.targets:
            self._by_family[target.kind][target.label.casefold()] = target
        self._answers = {(one.kind, one.answer): one.share for one in lexicon.answers}

    def answer_share(self, family: str, answer: str) -> float:
        """Share of a family's questions that an answer would be right for; 0 for a rare answer."""
        return self._answers.get((family, answer), 0.0)

    def scarcity(self, family: str, label: str) -> float:
        """Share of the cohort that lacks a target; 0 for an unknown one."""
        target = self._by_family[family].get(label.casefold())
        return target.lacking / self._admissions if target else 0.0

    def mass(self, family: str) -> float:
        """Sum over a family's targets of the share that has it times the share that lacks it."""
        if family not in self._masses:
            self._masses[family] = sum(
                target.having * target.lacking / self._admissions**2
                for target in self._by_family[family].values()
            )
        return self._masses[family]

    def targets(self, family: str) -> tuple[TargetCount, ...]:
        """Targets of a family, in the lexicon's order."""
        return tuple(self._by_family[family].values())
