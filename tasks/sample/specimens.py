"""Microbiology rows of an invented stay: specimens taken, what grew, what it was tested against."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from random import Random

from tasks.contracts.clock import format_date, format_time
from tasks.sample.entries import Condition, CultureChance
from tasks.sample.lookup import Catalogue
from tasks.sample.rows import MicrobiologyRow
from tasks.sample.streams import Stream
from tasks.sample.vocabulary import Organism

_COMPARISONS = ("<=", "=>", "<", ">")
_COMPARISON_WIDTH = 10


def take_specimens(
    subject_id: int,
    hadm_id: int,
    first_id: int,
    coded: Sequence[Condition],
    window: tuple[datetime, datetime],
    procedure_days: Mapping[str, date],
    catalogue: Catalogue,
    stay: Stream,
) -> list[MicrobiologyRow]:
    """The stay's rows; ids count up from ``first_id``.

    ``procedure_days`` has the day of every procedure: body fluids are sent on the day of theirs.
    """
    rng = stay.draw("specimens")
    wanted = [chance for condition in coded for chance in condition.cultures]
    if rng.random() < 0.15:
        wanted.append(CultureChance(specimen="mrsa", positive=0.1, organisms=("staph_aureus",)))
    rows: list[MicrobiologyRow] = []
    grown: dict[str, int] = {}
    for number, chance in enumerate(wanted[:6]):
        needed = catalogue.specimens[chance.specimen].procedure
        if grown.get(chance.specimen, 0) >= 2 or (needed and needed not in procedure_days):
            continue
        grown[chance.specimen] = grown.get(chance.specimen, 0) + 1
        taken = _taken(window, procedure_days.get(needed), rng)
        rows += _specimen(subject_id, hadm_id, first_id + number, chance, taken, catalogue, rng)
    return [replace(row, microevent_id=first_id + i + 1) for i, row in enumerate(rows)]


def _specimen(
    subject_id: int,
    hadm_id: int,
    specimen_id: int,
    chance: CultureChance,
    taken: datetime,
    catalogue: Catalogue,
    rng: Random,
) -> list[MicrobiologyRow]:
    specimen = catalogue.specimens[chance.specimen]
    stored = taken + timedelta(minutes=round(60 * rng.uniform(*specimen.storage_hours)))
    base = MicrobiologyRow(
        microevent_id=0,
        subject_id=subject_id,
        hadm_id=str(hadm_id),
        micro_specimen_id=specimen_id,
        order_provider_id="",
        chartdate=f"{format_date(taken)} 00:00:00",
        charttime=format_time(taken),
        spec_itemid=specimen.itemid,
        spec_type_desc=specimen.name,
        test_seq=1,
        storedate=f"{format_date(stored)} 00:00:00",
        storetime=format_time(stored),
        test_itemid=specimen.test_itemid,
        test_name=specimen.test,
        org_itemid="",
        org_name="",
        isolate_num="",
        quantity="",
        ab_itemid="",
        ab_name="",
        dilution_text="",
        dilution_comparison="",
        dilution_value="",
        interpretation="",
        comments="",
    )
    if rng.random() >= chance.positive:
        return [replace(base, comments=rng.choice(specimen.negative))]
    weights = [2.0**-i for i in range(len(chance.organisms))]
    organism = catalogue.organisms[rng.choices(chance.organisms, weights)[0]]
    grown = replace(base, org_itemid=organism.itemid, org_name=organism.name, isolate_num="1")
    return [_tested(grown, test, catalogue) for test in _antibiogram(organism, rng)] or [grown]


def _taken(window: tuple[datetime, datetime], day: date | None, rng: Random) -> datetime:
    """A time in the first hours of the stay, or on the day of the procedure."""
    begin, end = window
    if day is not None:
        middle = datetime.combine(day, time(12)) + timedelta(minutes=rng.randint(-120, 240))
        return min(max(middle, begin), end)
    hours = min((end - begin).total_seconds() / 3600 * 0.4, 20.0)
    return begin + timedelta(minutes=round(60 * rng.uniform(0.2, max(hours, 0.3))))


@dataclass(frozen=True)
class _Test:
    """An antibiotic and whether the isolate resists it."""

    antibiotic: str
    resists: bool


def _antibiogram(organism: Organism, rng: Random) -> list[_Test]:
    return [_Test(t.antibiotic, rng.random() < t.resistant) for t in organism.tested]


def _tested(row: MicrobiologyRow, test: _Test, catalogue: Catalogue) -> MicrobiologyRow:
    antibiotic = catalogue.antibiotics[test.antibiotic]
    text = antibiotic.resistant if test.resists else antibiotic.sensitive
    comparison = next((c for c in _COMPARISONS if text.startswith(c)), "=")
    return replace(
        row,
        ab_itemid=antibiotic.itemid,
        ab_name=antibiotic.name,
        dilution_text=text,
        dilution_comparison=comparison.ljust(_COMPARISON_WIDTH),
        dilution_value=text.lstrip("<=>"),
        interpretation="R" if test.resists else "S",
    )
