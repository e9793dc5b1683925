"""Imaging studies of a stay: what was done, when, and what it showed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from tasks.adapters.mimic_hosp import HospStay
from tasks.sample.entries import Imaging
from tasks.sample.lookup import Catalogue
from tasks.sample.phrases import capitalize, join, say, uncapitalize
from tasks.sample.problems import Problem
from tasks.sample.stay_procedures import done_procedures
from tasks.sample.streams import Stream
from tasks.sample.timing import stay_days

_MOST_STUDIES = 4


@dataclass(frozen=True)
class Study:
    """One study; ``is_later`` marks a repeat of an earlier study of the stay."""

    entry: Imaging
    time: datetime
    indication: str
    technique: str
    findings: tuple[str, ...]
    impression: tuple[str, ...]
    is_later: bool


def tell_studies(
    stay: HospStay,
    problems: Sequence[Problem],
    complaint: str,
    catalogue: Catalogue,
    stream: Stream,
) -> tuple[Study, ...]:
    """The stay's studies in time order: one of each examination, some repeated later on."""
    done = done_procedures(stay, catalogue)
    first: list[Study] = []
    seen: set[str] = set()
    for problem in problems:
        keys = problem.condition.imaging if problem.condition and problem.kind == "acute" else ()
        for key in keys:
            entry = catalogue.imaging[key]
            if entry.after and entry.after not in done:
                continue
            if entry.examination not in seen and len(first) < _MOST_STUDIES:
                seen.add(entry.examination)
                values = _values(problem, complaint)
                first.append(_study(entry, stay, values, False, len(first), stream))
    if not first and stream.draw("routine study").random() < 0.5:
        entry = catalogue.imaging["routine_chest"]
        first.append(_study(entry, stay, {"complaint": complaint}, False, 0, stream))
    repeats = [
        _study(study.entry, stay, _values(problem, complaint), True, index, stream)
        for index, study in enumerate(first)
        for problem in problems
        if problem.condition is not None
        and study.entry.key in problem.condition.imaging
        and study.entry.later is not None
        and stay_days(stay) > 4
    ]
    return tuple(sorted((*first, *repeats[:1]), key=lambda s: s.time))


def study_sentence(study: Study) -> str:
    """The study's result as a sentence of the history or the course."""
    shown = [uncapitalize(text.rstrip(".")) for text in study.impression]
    name = f"Repeat {study.entry.brief}" if study.is_later else capitalize(study.entry.brief)
    return f"{name} showed {join(shown)}."


def _values(problem: Problem, complaint: str) -> dict[str, str]:
    values = dict(problem.values)
    if "side" in values:
        values["Side"] = capitalize(values["side"])
    return {"side": "left", "Side": "Left", **values, "complaint": complaint}


def _study(
    entry: Imaging,
    stay: HospStay,
    values: dict[str, str],
    is_later: bool,
    index: int,
    stream: Stream,
) -> Study:
    rng = stream.draw("study", entry.key, "later" if is_later else "first")
    report = entry.later if is_later and entry.later is not None else entry
    share = rng.uniform(0.01, 0.04) + 0.03 * index
    if is_later or entry.after:
        share = rng.uniform(0.55, 0.8)
    offset = timedelta(days=stay_days(stay) * share)
    time = (stay.admittime + offset).replace(second=0)
    person = "woman" if stay.gender == "F" else "man"
    return Study(
        entry=entry,
        time=max(time, stay.admittime),
        indication=f"___ year old {person} with {values['complaint']}  // evaluate for "
        f"{entry.question}",
        technique=say(entry.technique, rng, values),
        findings=tuple(say(text, rng, values) for text in report.findings),
        impression=tuple(say(text, rng, values) for text in report.impression),
        is_later=is_later,
    )
