"""What a stay's diagnoses mean for its story: problems with their catalogue conditions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from tasks.adapters.mimic_hosp import HospDiagnosis
from tasks.sample.entries import Condition
from tasks.sample.lookup import Catalogue
from tasks.sample.phrases import say
from tasks.sample.streams import Stream
from tasks.sample.titles import (
    is_administrative,
    is_lasting,
    is_past,
    matching_words,
    past_condition,
    plain_title,
    side_of,
)

Kind = Literal["acute", "chronic", "history"]


@dataclass(frozen=True)
class Problem:
    """One problem of a stay; ``condition`` is null for a title the catalogue can't describe.

    ``values`` are the choices made for this stay, for example the side.
    """

    key: str
    name: str
    kind: Kind
    condition: Condition | None
    values: tuple[tuple[str, str], ...] = ()


def find_problems(
    diagnoses: Iterable[HospDiagnosis],
    procedure_titles: tuple[str, ...],
    catalogue: Catalogue,
    stream: Stream,
) -> tuple[Problem, ...]:
    """The problems behind billed diagnoses, most important first, each once."""
    found: dict[str, Problem] = {}
    for rank, diagnosis in enumerate(diagnoses):
        condition = match_condition(diagnosis, rank == 0, catalogue)
        problem = _problem(diagnosis, condition, procedure_titles, stream)
        if problem is not None and rank > 0 and condition is not None and condition.elective:
            # A disease that people are admitted for by plan only lasts in any other stay.
            problem = replace(problem, kind="chronic")
        if problem is not None:
            found.setdefault(problem.key, problem)
    return tuple(found.values())


def match_condition(
    diagnosis: HospDiagnosis, is_principal: bool, catalogue: Catalogue
) -> Condition | None:
    """The condition of a code, else the one whose keywords name most of its title.

    A lasting condition that leads a stay is told as its acute form, where there is one.
    """
    found = _match(diagnosis, is_principal, catalogue)
    if found is not None and is_principal and found.kind == "chronic":
        acute = (c for c in catalogue.conditions.values() if found.key in c.covers)
        return next(acute, found)
    return found


def _match(diagnosis: HospDiagnosis, is_principal: bool, catalogue: Catalogue) -> Condition | None:
    code = diagnosis.icd_code.strip()
    exact = catalogue.conditions_of_code(diagnosis.icd_version, code)
    if exact:
        # A code shared by an acute and a chronic condition is the acute one when it leads.
        preferred = [c for c in exact if (c.kind == "acute") == is_principal]
        return (preferred or list(exact))[0]
    title = diagnosis.long_title
    administrative = is_administrative(code, diagnosis.icd_version, title)
    words = matching_words(title)
    best: tuple[int, Condition] | None = None
    for condition in catalogue.conditions.values():
        if (administrative or is_past(title)) and condition.kind == "acute":
            continue
        if is_past(title) and condition.kind != "status":
            continue
        score = _score(condition, words)
        if score and (best is None or score > best[0]):
            best = (score, condition)
    return best[1] if best else None


def _score(condition: Condition, words: str) -> int:
    if any(word in words for word in condition.unless):
        return 0
    groups = [keyword.split() for keyword in condition.keywords]
    return max((len(g) for g in groups if all(word in words for word in g)), default=0)


def _problem(
    diagnosis: HospDiagnosis,
    condition: Condition | None,
    procedure_titles: tuple[str, ...],
    stream: Stream,
) -> Problem | None:
    title = diagnosis.long_title
    if condition is None:
        return _outside_catalogue(diagnosis)
    values = _choices(condition, title, procedure_titles, stream)
    exact = any(
        c.version == diagnosis.icd_version and c.code == diagnosis.icd_code.strip()
        for c in condition.codes
    )
    if exact:
        name = say(condition.name, stream.draw("name"), dict(values))
    else:
        name = past_condition(title) if is_past(title) else plain_title(title)
    kind: Kind = "history" if condition.kind == "status" else condition.kind
    return Problem(condition.key, name, kind, condition, values)


def _outside_catalogue(diagnosis: HospDiagnosis) -> Problem | None:
    title = diagnosis.long_title
    if not title:
        return None
    if is_past(title):
        name = past_condition(title)
        return Problem(name, name, "history", None)
    if is_administrative(diagnosis.icd_code.strip(), diagnosis.icd_version, title):
        return None
    name = plain_title(title)
    return Problem(name, name, "chronic" if is_lasting(title) else "acute", None)


def _choices(
    condition: Condition, title: str, procedure_titles: tuple[str, ...], stream: Stream
) -> tuple[tuple[str, str], ...]:
    """A stay's choices: a side that the record names wins over a drawn one."""
    drawn: list[tuple[str, str]] = []
    for name in sorted(condition.variables):
        value = stream.draw("choices", condition.key, name).choice(condition.variables[name])
        if name == "side":
            value = side_of((title,)) or side_of(procedure_titles) or value
        drawn.append((name, value))
    return tuple(drawn)
