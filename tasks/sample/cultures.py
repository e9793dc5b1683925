"""A stay's microbiology as the note tells it: by specimen and test, with its susceptibilities."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, time
from random import Random

from tasks.adapters.mimic_hosp import HospMicrobiology, HospStay
from tasks.sample.layout import paragraph
from tasks.sample.lookup import Catalogue
from tasks.sample.phrases import capitalize, join, uncapitalize
from tasks.sample.timing import hospital_day

_NOT_RESULTS = ("", "___", "CANCELLED")
_RULE_OUT = "R/O "
_MOST_BLOCKS = 8
_MOST_SENTENCES = 6


@dataclass(frozen=True)
class Isolate:
    """An organism with its tested antibiotics by interpretation."""

    organism: str
    sensitive: tuple[str, ...]
    resistant: tuple[str, ...]
    tested: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Culture:
    """One test of one specimen; ``comment`` is its free-text result, empty where none."""

    taken: datetime
    specimen: str
    test: str
    said: str
    isolates: tuple[Isolate, ...]
    comment: str


def find_cultures(stay: HospStay, catalogue: Catalogue) -> tuple[Culture, ...]:
    """The stay's cultures with a usable result in time order, growth before other results."""
    groups: dict[tuple[datetime, str, str], list[HospMicrobiology]] = {}
    for row in stay.microbiology:
        day = row.chartdate
        taken = row.charttime or (datetime.combine(day, time(12)) if day else stay.admittime)
        key = (taken, row.spec_type_desc.strip(), row.test_name.strip())
        groups.setdefault(key, []).append(row)
    cultures = [
        Culture(
            taken,
            specimen,
            test,
            _said(specimen, test, catalogue),
            _isolates(rows),
            next((c for c in (_comment(row) for row in rows) if c), ""),
        )
        for (taken, specimen, test), rows in sorted(groups.items(), key=lambda item: item[0])
    ]
    usable = [c for c in cultures if c.isolates or c.comment]
    return tuple(sorted(usable, key=lambda c: not c.isolates)[:_MOST_BLOCKS])


def unfit_drugs(cultures: Sequence[Culture], catalogue: Catalogue) -> frozenset[str]:
    """Keys of oral drugs that an isolate resists or, where blood grew one, that don't reach it."""
    useless = frozenset[str]()
    if _in_blood(cultures):
        useless = frozenset(key for key, drug in catalogue.drugs.items() if drug.bladder_only)
    return _resisted(cultures, catalogue) | useless


def _in_blood(cultures: Iterable[Culture]) -> bool:
    return any(c.isolates and c.specimen.upper().startswith("BLOOD") for c in cultures)


def _resisted(cultures: Iterable[Culture], catalogue: Catalogue) -> frozenset[str]:
    names = [name for c in cultures for i in c.isolates for name in i.resistant]
    known = [catalogue.antibiotics[name] for name in names if name in catalogue.antibiotics]
    return frozenset(drug for antibiotic in known for drug in antibiotic.predicts)


def print_culture(culture: Culture) -> list[str]:
    """The culture as a results block prints it."""
    clock = culture.taken.strftime("%I:%M %p").lower().lstrip("0")
    lines = [f"___ {clock} {culture.specimen}", " ", f"   {culture.test} (Final ___): "]
    for isolate in culture.isolates:
        lines.append(f"      {isolate.organism}.")
        lines += [f"         {name:-<24} {letter}" for name, letter in isolate.tested]
    if not culture.isolates:
        lines += paragraph(culture.comment, " " * 6)
    return lines


def culture_sentences(
    cultures: Sequence[Culture],
    stay: HospStay,
    catalogue: Catalogue,
    classes: frozenset[str],
    rng: Random,
) -> list[str]:
    """What grew and what it was treated with; repeated findings of one kind are told once."""
    sentences: list[str] = []
    told: set[tuple[str, str]] = set()
    chosen: set[str] = set()
    unfit = unfit_drugs(cultures, catalogue)
    for culture in cultures:
        day = hospital_day(culture.taken, stay)
        for isolate in culture.isolates:
            if (culture.said, isolate.organism) in told:
                continue
            told.add((culture.said, isolate.organism))
            name = organism_name(isolate.organism, catalogue)
            sentences.append(f"{capitalize(culture.said)} on {day} grew {name}{_pattern(isolate)}.")
            screening = "SCREEN" in culture.test.upper() or "R/O" in culture.test.upper()
            choice = None if screening else _choice(isolate, catalogue, classes, unfit, rng)
            if choice and choice not in chosen:
                chosen.add(choice)
                sentences.append(
                    f"Antibiotics were changed to {choice} because the {name} was sensitive to it."
                )
        plain = _plain_result(culture)
        if plain and not culture.isolates and (culture.said, plain) not in told:
            told.add((culture.said, plain))
            sentences.append(f"{capitalize(culture.said)} on {day} {plain}.")
    return sentences[:_MOST_SENTENCES]


def organism_name(name: str, catalogue: Catalogue) -> str:
    """An organism in prose: the catalogue's spelling, else first letter upper, rest lower."""
    for organism in catalogue.organisms.values():
        if organism.name == name:
            return organism.said
    return name.capitalize()


def _said(specimen: str, test: str, catalogue: Catalogue) -> str:
    entry = catalogue.specimen_of_test(specimen, test)
    if entry is not None:
        return entry.said
    if test.upper().startswith(_RULE_OUT):
        return f"screen for {_lower(test[len(_RULE_OUT) :])}"
    return (
        f"{_lower(test)} of {_lower(specimen)}" if test != specimen else f"{_lower(test)} culture"
    )


def _lower(text: str) -> str:
    words = text.lower().split()
    return uncapitalize(" ".join(words))


def _comment(row: HospMicrobiology) -> str:
    comment = " ".join(row.comments.split())
    return "" if "___" in comment or len(comment) > 160 else comment


def _isolates(rows: list[HospMicrobiology]) -> tuple[Isolate, ...]:
    by_name: dict[str, list[HospMicrobiology]] = {}
    for row in rows:
        if row.org_name.strip() not in _NOT_RESULTS:
            by_name.setdefault(row.org_name.strip(), []).append(row)
    return tuple(_isolate(name, members) for name, members in sorted(by_name.items()))


def _isolate(name: str, rows: list[HospMicrobiology]) -> Isolate:
    letters: dict[str, set[str]] = {}
    for row in rows:
        if row.ab_name and row.interpretation:
            letters.setdefault(row.ab_name.strip(), set()).add(row.interpretation.strip())
    # Two strains of one name can disagree: such a drug is told by neither letter.
    tested = tuple(sorted((ab, "".join(v)) for ab, v in letters.items() if len(v) == 1))
    return Isolate(
        name,
        tuple(ab for ab, letter in tested if letter == "S"),
        tuple(ab for ab, letter in tested if letter == "R"),
        tested,
    )


def _pattern(isolate: Isolate) -> str:
    parts: list[str] = []
    if isolate.sensitive:
        parts.append(f"sensitive to {join([_lower(a) for a in isolate.sensitive[:2]])}")
    if isolate.resistant:
        parts.append(f"resistant to {join([_lower(a) for a in isolate.resistant[:2]])}")
    return f", {join(parts)}" if parts else ""


def _choice(
    isolate: Isolate,
    catalogue: Catalogue,
    classes: frozenset[str],
    unfit: frozenset[str],
    rng: Random,
) -> str | None:
    """The antibiotic a sensitive isolate is treated with; null where none is known or allowed."""
    known = [catalogue.antibiotics[a] for a in isolate.sensitive if a in catalogue.antibiotics]
    allowed = [
        a.drug for a in known if a.drug and a.drug_class not in classes and a.drug not in unfit
    ]
    return rng.choice(allowed) if allowed else None


def _plain_result(culture: Culture) -> str:
    comment = culture.comment.lower().rstrip(". ")
    if comment.startswith("no growth"):
        return "showed no growth"
    if comment.startswith(("no mrsa", "negative", "no vre")):
        return "was negative"
    if "mixed bacterial flora" in comment and "contamination" in comment:
        return "grew mixed flora consistent with contamination"
    return ""
