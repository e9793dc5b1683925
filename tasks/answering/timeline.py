"""A patient's timeline as context lines, each counted once."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from itertools import accumulate

from tasks.adapters.tokens import count_tokens
from tasks.contracts.clock import format_date, format_time
from tasks.contracts.evaluation import BenchmarkPatient, BenchmarkSession
from tasks.contracts.questions import CitedTurn


@dataclass(frozen=True)
class ContextLine:
    """What a reader sees of one turn or one memory. Patient text."""

    time: datetime
    speaker: str
    text: str = field(repr=False)


@dataclass(frozen=True)
class Turn:
    """One turn of the timeline; ``tokens`` are those of its line with the line break.

    A line starts with a digit and ends in a line break, between which the tokenizer never makes a
    token: the tokens of several lines are the sum of theirs.
    """

    session: int
    turn_number: int
    shown: ContextLine
    line: str = field(repr=False)
    tokens: int


@dataclass(frozen=True)
class Session:
    """One admission; its turns are those from ``first`` up to but not including ``after``."""

    hadm_id: str
    header: str
    header_tokens: int
    first: int
    after: int

    @property
    def positions(self) -> range:
        """Positions of its turns in the timeline."""
        return range(self.first, self.after)


@dataclass(frozen=True)
class TimelineText:
    """All turns of a patient in time order."""

    sessions: tuple[Session, ...]
    turns: tuple[Turn, ...]

    @cached_property
    def tokens_before(self) -> tuple[int, ...]:
        """Tokens of all turns before each position, and at last those of all turns."""
        return tuple(accumulate((turn.tokens for turn in self.turns), initial=0))

    def tokens_of(self, session: Session) -> int:
        """Tokens of a session's lines."""
        return self.tokens_before[session.after] - self.tokens_before[session.first]

    @cached_property
    def citations(self) -> tuple[CitedTurn, ...]:
        """The turns as evidence names them."""
        return tuple(
            CitedTurn(hadm_id=self.sessions[turn.session].hadm_id, turn_number=turn.turn_number)
            for turn in self.turns
        )


def context_line(shown: ContextLine) -> str:
    """``time | speaker | text`` on one line, whatever line breaks the text has."""
    return f"{format_time(shown.time)} | {shown.speaker} | {' '.join(shown.text.split())}\n"


def timeline_text(patient: BenchmarkPatient) -> TimelineText:
    """The timeline of a patient, its questions left behind."""
    sessions: list[Session] = []
    turns: list[Turn] = []
    for number, admission in enumerate(patient.sessions):
        first = len(turns)
        turns += _turns(number, admission)
        header = _header(admission)
        sessions.append(Session(admission.hadm_id, header, count_tokens(header), first, len(turns)))
    return TimelineText(tuple(sessions), tuple(turns))


def _turns(number: int, admission: BenchmarkSession) -> list[Turn]:
    turns: list[Turn] = []
    for line in admission.lines:
        shown = ContextLine(line.time, line.speaker, line.text)
        written = context_line(shown)
        turns.append(Turn(number, line.turn_number, shown, written, count_tokens(written)))
    return turns


def _header(admission: BenchmarkSession) -> str:
    start, end = format_date(admission.admission_start), format_date(admission.admission_end)
    return f"[hospitalization from {start} to {end}]\n"
