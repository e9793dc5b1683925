"""Vital signs and physical findings at admission and at discharge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from tasks.sample.entries import Range
from tasks.sample.lookup import Catalogue
from tasks.sample.phrases import say
from tasks.sample.problems import Problem
from tasks.sample.streams import Stream

_NORMAL: dict[str, Range] = {
    "T": (97.6, 98.9),
    "BP": (112, 146),
    "HR": (64, 88),
    "RR": (14, 18),
    "SpO2": (95, 99),
}


@dataclass(frozen=True)
class Examination:
    """One examination: the line of vital signs and the findings by region."""

    vitals: str
    findings: tuple[tuple[str, str], ...]


def examine(
    problems: Sequence[Problem], is_discharge: bool, catalogue: Catalogue, stream: Stream
) -> Examination:
    """Draw an examination; acute problems show at admission only."""
    rng = stream.draw("exam", "discharge" if is_discharge else "admission")
    wording = catalogue.wording
    table = wording.discharge_exam if is_discharge else wording.exam
    regions = {region: rng.choice(texts) for region, texts in table.items()}
    ranges = dict(_NORMAL)
    if any(p.key == "afib" for p in problems):
        regions["CV"] = "Irregularly irregular, no murmurs"
    for problem in reversed(problems):
        condition = problem.condition
        if condition is not None and problem.kind == "acute" and not is_discharge:
            ranges.update(condition.vitals)
            values = dict(problem.values)
            regions.update({r: say(text, rng, values) for r, text in condition.exam.items()})
    findings = ((region, _sentence(text)) for region, text in regions.items())
    return Examination(_vitals(ranges, rng), tuple(findings))


def _vitals(ranges: dict[str, Range], rng: Random) -> str:
    systolic = rng.randint(*_whole(ranges["BP"]))
    diastolic = round(systolic * rng.uniform(0.52, 0.64))
    oxygen = rng.randint(*_whole(ranges["SpO2"]))
    source = "RA" if oxygen >= 92 else f"{rng.choice((2, 3, 4))}L NC"
    return (
        f"T {rng.uniform(*ranges['T']):.1f} BP {systolic}/{diastolic} "
        f"HR {rng.randint(*_whole(ranges['HR']))} RR {rng.randint(*_whole(ranges['RR']))} "
        f"SpO2 {oxygen}% {source}"
    )


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _whole(limits: Range) -> tuple[int, int]:
    return int(limits[0]), int(limits[1])
