"""What brings a patient in, and what is asked of the patient afterwards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from tasks.sample.lookup import Catalogue
from tasks.sample.phrases import say
from tasks.sample.problems import Problem
from tasks.sample.streams import Stream
from tasks.sample.vocabulary import RegionTexts

_MOST_TEXTS = 4


@dataclass(frozen=True)
class Presentation:
    """Chief complaint, symptoms and denials."""

    complaint: str
    symptoms: tuple[str, ...]
    denials: tuple[str, ...]


def present(problems: Sequence[Problem], catalogue: Catalogue, stream: Stream) -> Presentation:
    """The presentation of the leading problem.

    One that the catalogue can't describe presents by words of its title, else as general malaise.
    """
    rng = stream.draw("presentation")
    generic = catalogue.wording.generic
    lead = problems[0] if problems else None
    condition = lead.condition if lead else None
    values = dict[str, str]()
    if lead is not None and condition is not None and condition.complaints:
        complaint = rng.choice(condition.complaints)
        symptoms, denials, values = condition.symptoms, condition.denials, dict(lead.values)
    elif lead is not None and (region := _region(lead, catalogue)) is not None:
        complaint = rng.choice(region.complaints)
        symptoms, denials = region.symptoms, region.denials
    else:
        complaint = rng.choice(generic.complaints)
        symptoms, denials = generic.symptoms, generic.denials
    told = [say(t, rng, values) for t in _some(symptoms, 3, rng) if t.lower() != complaint.lower()]
    denied = [t for t in _some(denials, 3, rng) if t.lower() not in complaint.lower()]
    return Presentation(complaint, tuple(told), tuple(denied))


def _region(problem: Problem, catalogue: Catalogue) -> RegionTexts | None:
    """The part of the body that a problem's name speaks of, if any is known."""
    name = problem.name.lower()
    fitting = (one for one in catalogue.wording.regions if any(word in name for word in one.words))
    return next(fitting, None)


def _some(texts: Sequence[str], most: int, rng: Random) -> list[str]:
    """Up to so many of the texts, in their own order."""
    chosen = sorted(rng.sample(range(len(texts)), min(most, len(texts))))
    return [texts[index] for index in chosen]


def follow_up_texts(
    problems: Sequence[Problem], catalogue: Catalogue, stream: Stream
) -> tuple[str, ...]:
    """Visits and tests after discharge."""
    wanted = [(p, p.condition.follow_up) for p in problems if p.condition is not None]
    return _texts(wanted, catalogue.wording.generic.follow_up, stream.draw("follow_up"))


def advice_texts(
    problems: Sequence[Problem], catalogue: Catalogue, stream: Stream
) -> tuple[str, ...]:
    """What the patient is asked to do at home."""
    wanted = [(p, p.condition.advice) for p in problems if p.condition is not None]
    return _texts(wanted, catalogue.wording.generic.advice, stream.draw("advice"))


def _texts(
    wanted: Sequence[tuple[Problem, Sequence[str]]], generic: Sequence[str], rng: Random
) -> tuple[str, ...]:
    """Texts of the acute problems, of a lasting one where there is nothing else."""
    found: dict[str, None] = {}
    for problem, texts in wanted:
        if problem.kind == "acute" or not found:
            found.update(dict.fromkeys(say(t, rng, dict(problem.values)) for t in texts))
    return tuple(found)[:_MOST_TEXTS] or (rng.choice(generic),)
