"""Laboratory values of a stay: at admission and at discharge, around the patient's baseline."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from tasks.sample.entries import LabTest, Range
from tasks.sample.lookup import Catalogue
from tasks.sample.prescriptions import Change, Prescription
from tasks.sample.problems import Problem
from tasks.sample.streams import Stream

_ALWAYS = ("count", "chemistry", "mineral")
_SOMETIMES = ("liver", "coagulation")


@dataclass(frozen=True)
class LabBlock:
    """Results by test name, and the clock time they are printed under."""

    results: Mapping[str, float]
    time: str


@dataclass(frozen=True)
class LabStory:
    """The values of a stay; ``notable`` are the tests its problems moved, as name and value."""

    admission: LabBlock
    discharge: LabBlock | None
    notable: tuple[str, ...]


def tell_labs(
    problems: tuple[Problem, ...],
    changes: tuple[Change, ...],
    home: tuple[Prescription, ...],
    is_short: bool,
    catalogue: Catalogue,
    patient: Stream,
    stay: Stream,
) -> LabStory:
    """Draw the values of a stay; short stays have no discharge block."""
    rng = stay.draw("labs")
    baseline = _baseline(problems, home, catalogue, patient)
    moved = _moved(problems, changes)
    for test in catalogue.labs:
        if test.name in moved and _hides(moved[test.name], baseline[test.name], test):
            del moved[test.name]
    shown = _shown(catalogue, moved, baseline, rng)
    admission: dict[str, float] = {}
    discharge: dict[str, float] = {}
    for test in catalogue.labs:
        usual = rng.uniform(*baseline[test.name])
        first = rng.uniform(*moved[test.name]) if test.name in moved else usual
        last = usual + 0.2 * (first - usual)
        if test.name in shown:
            admission[test.name] = round(first, test.decimals)
        if test.group in ("count", "chemistry") or test.name in moved:
            discharge[test.name] = round(last, test.decimals)
    notable = tuple(
        f"{test.said} {format_value(test, admission[test.name])}"
        for test in catalogue.labs
        if test.name in moved and _star(test, admission[test.name])
    )
    later = None if is_short else LabBlock(_derived(discharge), _clock(rng, 5, 7))
    return LabStory(LabBlock(_derived(admission), _clock(rng, 1, 11)), later, notable)


def print_block(block: LabBlock, catalogue: Catalogue) -> list[str]:
    """The block's result lines, as in ``___ 06:30AM BLOOD WBC-7.9 Hgb-10.1*``."""
    groups: dict[str, list[str]] = {}
    for test in _printed_tests(catalogue):
        if test.name in block.results:
            value = block.results[test.name]
            printed = f"{test.name}-{format_value(test, value)}{_star(test, value)}"
            line = printed if test.group == "single" else test.group
            groups.setdefault(line, []).append(printed)
    order = [*_ALWAYS[:2], *_SOMETIMES, "mineral"]
    lines = [" ".join(groups[name]) for name in order if name in groups]
    singles = [" ".join(items) for name, items in groups.items() if name not in order]
    return [f"___ {block.time} BLOOD {line}" for line in (*lines, *singles)]


def print_urine(rng: Random, time: str) -> list[str]:
    """An abnormal urinalysis."""
    white = rng.choice(("42*", "88*", "142*", ">182*"))
    return [
        f"___ {time} URINE Color-Yellow Appear-Hazy* Sp ___",
        f"___ {time} URINE Blood-{rng.choice(('NEG', 'SM*', 'MOD*'))} "
        f"Nitrite-{rng.choice(('POS*', 'NEG'))} Protein-{rng.choice(('30*', '100*', 'TR*'))} "
        f"Glucose-NEG Ketone-NEG pH-{rng.choice(('5.5', '6.0', '7.0'))} Leuks-LG*",
        f"___ {time} URINE RBC-{rng.randint(2, 24)}* WBC-{white} "
        f"Bacteri-{rng.choice(('FEW*', 'MOD*', 'MANY*'))} Yeast-NONE Epi-{rng.randint(0, 2)}",
    ]


def format_value(test: LabTest, value: float) -> str:
    """The value with the test's number of decimals."""
    return f"{value:.{test.decimals}f}"


def _star(test: LabTest, value: float) -> str:
    return "" if test.low <= value <= test.high else "*"


def _baseline(
    problems: tuple[Problem, ...],
    home: tuple[Prescription, ...],
    catalogue: Catalogue,
    patient: Stream,
) -> dict[str, Range]:
    rng = patient.draw("labs")
    ranges: dict[str, Range] = {}
    for test in catalogue.labs:
        width = test.high - test.low
        middle = test.low + width * rng.uniform(0.25, 0.75)
        ranges[test.name] = (middle - 0.12 * width, middle + 0.12 * width)
    if any(p.drug.key == "warfarin" for p in home):
        ranges["INR(PT)"] = (2.0, 3.0)
    for problem in reversed(problems):
        if problem.condition is not None and problem.kind == "chronic":
            ranges.update(problem.condition.labs)
    return ranges


def _moved(problems: tuple[Problem, ...], changes: tuple[Change, ...]) -> dict[str, Range]:
    """Ranges of the tests that acute problems and reasons for changes move; the first one wins."""
    moved: dict[str, Range] = {}
    for problem in problems:
        if problem.condition is not None and problem.kind == "acute":
            for name, limits in problem.condition.labs.items():
                moved.setdefault(name, limits)
    for change in changes:
        for name, limits in change.labs:
            moved.setdefault(name, limits)
    return moved


def _hides(limits: Range, usual: Range, test: LabTest) -> bool:
    """Whether an acute range would hide a worse lasting one, as a leukemia's white count."""
    is_higher_anyway = limits[0] > test.high and usual[0] > limits[1]
    is_lower_anyway = limits[1] < test.low and usual[1] < limits[0]
    return is_higher_anyway or is_lower_anyway


def _shown(
    catalogue: Catalogue, moved: Mapping[str, Range], baseline: Mapping[str, Range], rng: Random
) -> set[str]:
    groups = {*_ALWAYS, *(group for group in _SOMETIMES if rng.random() < 0.6)}
    shown: set[str] = set()
    for test in catalogue.labs:
        low, high = baseline[test.name]
        unusual = high < test.low or low > test.high
        if test.group in groups or test.name in moved or unusual:
            shown.add(test.name)
    return shown


_DERIVED = (
    LabTest(name="RBC", low=3.9, high=6.0, decimals=2, group="count", said="red cells"),
    LabTest(name="Hct", low=34.0, high=48.0, decimals=1, group="count", said="hematocrit"),
    LabTest(name="AnGap", low=8, high=20, decimals=0, group="chemistry", said="anion gap"),
)


def _printed_tests(catalogue: Catalogue) -> tuple[LabTest, ...]:
    """All tests in the order of a result line: derived ones behind those they follow from."""
    tests = list(catalogue.labs)
    for derived, before in zip(_DERIVED, ("WBC", "Hgb", "HCO3"), strict=True):
        place = next(i for i, test in enumerate(tests) if test.name == before)
        tests.insert(place + 1, derived)
    return tuple(tests)


def _derived(results: dict[str, float]) -> dict[str, float]:
    """The results with the values that follow from them by arithmetic."""
    full = dict(results)
    if "Hgb" in full and "MCV" in full:
        full["Hct"] = round(full["Hgb"] * 3.02, 1)
        full["RBC"] = round(full["Hct"] / full["MCV"] * 10, 2)
    if {"Na", "Cl", "HCO3"} <= full.keys():
        full["Cl"] = round(full["Na"] - full["HCO3"] - 12)
        full["AnGap"] = round(full["Na"] - full["Cl"] - full["HCO3"])
    return full


def _clock(rng: Random, first: int, last: int) -> str:
    return f"{rng.randint(first, last):02d}:{rng.choice((5, 10, 15, 20, 30, 40, 45, 55)):02d}AM"
