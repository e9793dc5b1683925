"""What can be asked about differences between two stays: ``cross_admission_comparison``."""

from __future__ import annotations

from collections.abc import Iterator

from tasks.qa import aspects
from tasks.qa.anchors import values_beside
from tasks.qa.aspects import MAXIMUM_ANSWER_WORDS, Aspect, Reading
from tasks.qa.candidates import Candidate
from tasks.qa.contrasts import length_candidates, state_candidates
from tasks.qa.courses import UNITS, gap, quantity
from tasks.qa.fallbacks import comparison_fallbacks
from tasks.qa.pairs import pair_candidate, reading_pairs
from tasks.qa.paths import lab_extremes
from tasks.qa.stays import PatientStays

_CONTRASTS = (
    aspects.LAB,
    aspects.DOSE,
    aspects.HOME_DOSE,
    aspects.INTERVAL,
    aspects.CULTURE,
    aspects.IMAGING,
    aspects.SUSCEPTIBILITY,
    aspects.REASON,
    aspects.CAUSE,
    aspects.FOLLOW_UP,
    aspects.CHANGE,
    aspects.COURSE,
)


def comparison_candidates(patient: PatientStays) -> Iterator[Candidate]:
    """Two values side by side, the greater of them, by how much they differ, and what was so."""
    for aspect in _CONTRASTS:
        yield from _contrasts(patient, aspect)
    for pair in reading_pairs(patient, aspects.LAB):
        yield from _measures(patient, pair, "lab_higher", "lab_difference")
    for pair in reading_pairs(patient, aspects.DOSE):
        yield from _measures(patient, pair, "dose_higher", "dose_difference")
    yield from lab_extremes(patient)
    yield from state_candidates(patient)
    yield from length_candidates(patient)
    yield from values_beside(patient)
    yield from _contrasts(patient, aspects.VITAL, fallback=True)
    yield from comparison_fallbacks(patient)


def _contrasts(
    patient: PatientStays, aspect: Aspect, *, fallback: bool = False
) -> Iterator[Candidate]:
    for earlier, later in reading_pairs(patient, aspect):
        answer = f"{earlier.answer} versus {later.answer}"
        if len(answer.split()) <= MAXIMUM_ANSWER_WORDS:
            family = f"{aspect.family}_contrast"
            yield pair_candidate(patient, (earlier, later), family, answer, fallback=fallback)


def _measures(
    patient: PatientStays, pair: tuple[Reading, Reading], higher: str, difference: str
) -> Iterator[Candidate]:
    one, other = (quantity(reading.answer) for reading in pair)
    if one is None or other is None or one.unit != other.unit or one.number == other.number:
        return
    unit = {"unit": one.unit} if one.unit else {}
    if not unit or one.unit in UNITS:
        yield pair_candidate(patient, pair, difference, gap(one, other), extra=unit)
    if not all(patient.named_by_day(reading.cite.stay) for reading in pair):
        return
    for direction, wanted in (("higher", max(one, other)), ("lower", min(one, other))):
        chosen = pair[0] if wanted == one else pair[1]
        yield pair_candidate(
            patient,
            pair,
            higher,
            patient.stays[chosen.cite.stay].name,
            extra={"direction": direction},
            offers=True,
        )
