"""What can be asked about one value over three named stays: its path, direction and extremes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from tasks.qa import aspects
from tasks.qa.aspects import MAXIMUM_ANSWER_WORDS, Aspect, Reading, readings
from tasks.qa.candidates import Candidate
from tasks.qa.casing import spoken
from tasks.qa.courses import quantity
from tasks.qa.quantities import movement
from tasks.qa.stays import PatientStays

_STAYS = 3
_SUPERLATIVES = (("highest", max), ("lowest", min))


def lab_paths(patient: PatientStays) -> Iterator[Candidate]:
    """Three laboratory values in turn, and whether they rose or fell."""
    for row in _triples(patient, aspects.LAB):
        yield from _path(patient, row, "lab_path")
        numbers = [found.number for one in row if (found := quantity(one.answer))]
        if len(numbers) == len(row) and len(set(numbers)) > 1:
            yield _asked(patient, row, "lab_direction", movement(numbers))


def dose_paths(patient: PatientStays) -> Iterator[Candidate]:
    """Three discharge doses in turn."""
    for row in _triples(patient, aspects.DOSE):
        yield from _path(patient, row, "dose_path")


def lab_extremes(patient: PatientStays) -> Iterator[Candidate]:
    """The highest and lowest of three values, and the stay that had it."""
    for row in _triples(patient, aspects.LAB):
        found = [quantity(one.answer) for one in row]
        numbers = [one.number for one in found if one is not None]
        if len(numbers) < len(row):
            continue
        for word, pick in _SUPERLATIVES:
            best = pick(numbers)
            if numbers.count(best) > 1:
                continue
            chosen = row[numbers.index(best)]
            extra = {"direction": word}
            yield _asked(patient, row, "lab_extreme", chosen.answer, extra)
            if all(patient.named_by_day(one.cite.stay) for one in row):
                name = patient.stays[chosen.cite.stay].name
                yield _asked(patient, row, "lab_extreme_stay", name, extra, offers=True)


def _triples(patient: PatientStays, aspect: Aspect) -> Iterator[tuple[Reading, ...]]:
    """Three neighbouring readings of one target, and the first, middle and last one of many."""
    by_key: dict[tuple[str, ...], list[Reading]] = defaultdict(list)
    for stay in patient.stays:
        for key, reading in readings(stay, aspect).items():
            by_key[key].append(reading)
    for key in sorted(by_key):
        known = by_key[key]
        yield from zip(known, known[1:], known[2:], strict=False)
        if len(known) > _STAYS + 1:
            yield known[0], known[len(known) // 2], known[-1]


def _path(patient: PatientStays, row: Sequence[Reading], family: str) -> Iterator[Candidate]:
    answers = [one.answer for one in row]
    answer = ", ".join(answers)
    plain = all("," not in one for one in answers)
    if plain and len(set(answers)) > 1 and len(answer.split()) <= MAXIMUM_ANSWER_WORDS:
        yield _asked(patient, row, family, answer)


def _asked(
    patient: PatientStays,
    row: Sequence[Reading],
    family: str,
    answer: str,
    extra: dict[str, str] | None = None,
    *,
    offers: bool = False,
) -> Candidate:
    names = {slot: patient.stays[one.cite.stay].name for slot, one in zip("abc", row, strict=True)}
    return Candidate(
        family=family,
        slots={"target": spoken(row[0].target), **row[0].slots, **names, **(extra or {})},
        targets=("target",),
        group=row[0].aspect.group,
        answer=answer,
        cites=tuple(one.cite for one in row),
        offers=offers,
    )
