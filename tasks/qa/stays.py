"""A patient's stays as questions name and cite them: dates, facts and the turns that state them."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property, lru_cache
from typing import Any, Generic, NamedTuple, TypeVar, cast

from tasks.contracts.clock import format_date
from tasks.contracts.dialogue import SourcedLine
from tasks.contracts.questions import ChartAdmission, CitedTurn, Evidence, PatientChart, Scope
from tasks.contracts.records import Fact, FactKind
from tasks.qa.presence import RecordText, admission_chunks, named_problems
from tasks.qa.shown import ShownTurn
from tasks.terminology.normalization import says, words
from tasks.terminology.statements import states

DATED_KINDS = frozenset(
    {FactKind.PROCEDURE, FactKind.CULTURE, FactKind.IMAGING, FactKind.SUSCEPTIBILITY}
)

_CHARTS_KEPT = 3

Value = TypeVar("Value")


class Cite(NamedTuple):
    """A turn by the position of its stay in the chart and its number."""

    stay: int
    turn: int


@dataclass(frozen=True)
class Statement:
    """A fact and the first turn that states it."""

    fact: Fact
    cite: Cite
    said: datetime


@dataclass(frozen=True)
class Stay:
    """One admission of the chart."""

    position: int
    admission: ChartAdmission
    name: str

    @property
    def hadm_id(self) -> str:
        """The admission's id."""
        return self.admission.bundle.hadm_id

    @property
    def start(self) -> date:
        """Day the stay began."""
        return self.admission.bundle.admission_start.date()

    @property
    def end(self) -> date:
        """Day the stay ended."""
        return self.admission.bundle.admission_end.date()

    @cached_property
    def prefix(self) -> str:
        """What every question about this one stay begins with (spec section 7)."""
        first, last = format_date(self.start), format_date(self.end)
        span = f"on {first}" if first == last else f"from {first} to {last}"
        return f"During the hospitalization {span}, "

    @cached_property
    def statements(self) -> tuple[Statement, ...]:
        """Facts that a turn really states, in the record's order."""
        found = (self._statement(fact) for fact in self.admission.facts)
        return tuple(statement for statement in found if statement is not None)

    @cached_property
    def stated(self) -> dict[str, Statement]:
        """Stated facts by their id."""
        return {statement.fact.fact_id: statement for statement in self.statements}

    def facts_of(self, kind: FactKind) -> tuple[Fact, ...]:
        """Facts of one kind in the record, stated or not."""
        return self._by_kind.get(kind, ())

    @cached_property
    def _by_kind(self) -> dict[FactKind, tuple[Fact, ...]]:
        found: dict[FactKind, list[Fact]] = defaultdict(list)
        for fact in self.admission.facts:
            found[fact.kind].append(fact)
        return {kind: tuple(facts) for kind, facts in found.items()}

    @cached_property
    def plain(self) -> str:
        """The record as one string of words, each sentence or row set off by a bar."""
        return f" {' | '.join(' '.join(chunk) for chunk in self._chunks)} "

    @cached_property
    def text(self) -> RecordText:
        """Everything the record, the facts and the dialogue of this stay say."""
        return RecordText(self._chunks, named_problems(self.admission))

    @cached_property
    def _chunks(self) -> tuple[tuple[str, ...], ...]:
        return tuple(words(chunk) for chunk in admission_chunks(self.admission))

    @cached_property
    def shown(self) -> dict[int, ShownTurn]:
        """Each turn by its number, with the facts that it states."""
        return {
            line.turn_number: ShownTurn(
                self.hadm_id,
                self.name,
                line,
                tuple(fact for fact in self.admission.facts if fact.fact_id in line.sources),
            )
            for line in self.admission.lines
        }

    @cached_property
    def read(self) -> dict[Any, Any]:
        """What was read from this stay, by aspect: several forms ask about the same."""
        return {}

    def turn_says(self, turn: int, phrase: str) -> bool:
        """Whether a turn of this stay holds a phrase verbatim."""
        return says(self._lines[turn].text, phrase)

    @cached_property
    def _lines(self) -> dict[int, SourcedLine]:
        return {line.turn_number: line for line in self.admission.lines}

    @property
    def first_turn(self) -> int:
        """Number of the first turn."""
        return self.admission.lines[0].turn_number

    def opening(self) -> Cite | None:
        """The first turn, where it shows on which day the stay began."""
        line = self.admission.lines[0]
        day = format_date(self.start)
        shown = line.time.date() == self.start or says(line.text, day)
        return Cite(self.position, line.turn_number) if shown else None

    @cached_property
    def _sourced(self) -> dict[str, list[SourcedLine]]:
        found: dict[str, list[SourcedLine]] = defaultdict(list)
        for line in self.admission.lines:
            for fact_id in line.sources:
                found[fact_id].append(line)
        return found

    def _statement(self, fact: Fact) -> Statement | None:
        for line in self._sourced.get(fact.fact_id, ()):
            if states(line.text, fact):
                if not _date_shown(fact, line.text, line.time):
                    continue
                return Statement(fact, Cite(self.position, line.turn_number), line.time)
        return None


@dataclass(frozen=True)
class PatientStays:
    """All stays of a chart, in time order."""

    subject_id: str
    stays: tuple[Stay, ...]

    def records(self, stay: Stay | None) -> tuple[RecordText, ...]:
        """What questions are about: a stay and those that they can't tell from it, or all."""
        about = self.stays if stay is None else (stay, *self.twins(stay))
        return tuple(one.text for one in about)

    def position_of(self, hadm_id: str) -> int:
        """Position of an admission in the chart; raises KeyError where it isn't there."""
        for stay in self.stays:
            if stay.hadm_id == hadm_id:
                return stay.position
        raise KeyError(hadm_id)

    def named_by_day(self, position: int) -> bool:
        """Whether a stay's first day alone names it, so that a date can be an answer."""
        stay = self.stays[position]
        return stay.name == format_date(stay.start)

    def twins(self, stay: Stay) -> tuple[Stay, ...]:
        """Other stays with the same two dates, so that questions can't tell them apart."""
        return tuple(
            other
            for other in self.stays
            if other.position != stay.position and other.prefix == stay.prefix
        )

    def evidence(self, cites: tuple[Cite, ...], scope: Scope) -> Evidence:
        """Citations as a release shows them: sorted, unique, admissions in time order."""
        ordered = sorted(set(cites))
        turns = tuple(CitedTurn(hadm_id=self.stays[s].hadm_id, turn_number=t) for s, t in ordered)
        return Evidence(
            admissions=tuple(dict.fromkeys(turn.hadm_id for turn in turns)),
            turn_ids=tuple(turn.turn_number for turn in turns)
            if scope == "single_admission"
            else None,
            turns=turns,
        )


def patient_stays(chart: PatientChart) -> PatientStays:
    """Read a chart; stays that begin on one day are told apart by their time of day.

    The few charts read last are kept: all questions of a patient are written from one chart.
    """
    return _read(SameObject(chart))


class SameObject(Generic[Value]):
    """A value as a cache key: equal to itself only, because comparing contents costs more."""

    def __init__(self, value: Value) -> None:
        self.value = value

    def __hash__(self) -> int:
        """The identity's hash."""
        return id(self.value)

    def __eq__(self, other: object) -> bool:
        """Whether both hold the very same object."""
        return (
            isinstance(other, SameObject) and self.value is cast("SameObject[Value]", other).value
        )


@lru_cache(maxsize=_CHARTS_KEPT)
def _read(same: SameObject[PatientChart]) -> PatientStays:
    admissions = same.value.admissions
    days = [format_date(admission.bundle.admission_start) for admission in admissions]
    stays = tuple(
        Stay(position, admission, _name(admission.bundle.admission_start, days))
        for position, admission in enumerate(admissions)
    )
    return PatientStays(same.value.subject_id, stays)


def _name(start: datetime, days: list[str]) -> str:
    day = format_date(start)
    return day if days.count(day) == 1 else f"{day} at {start:%H:%M:%S}"


def _date_shown(fact: Fact, text: str, said: datetime) -> bool:
    day = fact.detail.get("date")
    if fact.kind not in DATED_KINDS or day is None:
        return True
    return says(text, day) or format_date(said) == day
