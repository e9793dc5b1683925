"""What scores need of a patient's timeline: its order, its size, and the words of its turns."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from tasks.adapters.tokens import conversation_text, count_tokens
from tasks.contracts.clock import format_date
from tasks.contracts.evaluation import BenchmarkPatient
from tasks.contracts.questions import Evidence
from tasks.scoring.recipes import clinical_words

Words = frozenset[str]
Place = tuple[int, int]
"""A turn: position of its session in the timeline, from 0, and its turn number."""


@dataclass(frozen=True)
class TimelineIndex:
    """A patient's timeline; whatever is costly is worked out once, when it is first needed."""

    patient: BenchmarkPatient

    @cached_property
    def positions(self) -> dict[str, int]:
        """Position of each session, from 0, by hadm_id."""
        return {session.hadm_id: at for at, session in enumerate(self.patient.sessions)}

    @cached_property
    def tokens(self) -> int:
        """o200k_base tokens of all sessions."""
        return sum(
            count_tokens(conversation_text(session.lines)) for session in self.patient.sessions
        )

    @cached_property
    def turns(self) -> dict[Place, Words]:
        """Words of every turn with the day it was said on, in time order."""
        return {
            (at, line.turn_number): frozenset((*clinical_words(line.text), format_date(line.time)))
            for at, session in enumerate(self.patient.sessions)
            for line in session.lines
        }

    @cached_property
    def sessions(self) -> dict[int, Words]:
        """Words of every session, by position."""
        words: dict[int, set[str]] = {at: set() for at in range(len(self.patient.sessions))}
        for (at, _), said in self.turns.items():
            words[at] |= said
        return {at: frozenset(said) for at, said in words.items()}

    @cached_property
    def words(self) -> Words:
        """Words of the whole timeline."""
        return frozenset[str]().union(*self.sessions.values())

    def cited_sessions(self, evidence: Evidence) -> tuple[int, ...]:
        """Positions of the cited sessions that the timeline has, sorted."""
        known = (self.positions.get(hadm_id) for hadm_id in evidence.admissions)
        return tuple(sorted(at for at in known if at is not None))

    def cited_turns(self, evidence: Evidence) -> tuple[Place, ...]:
        """Places of the cited turns, sorted; empty where a release cites none."""
        return tuple(
            sorted(
                (self.positions[hadm_id], turn)
                for hadm_id, turn in cited_turns(evidence)
                if hadm_id in self.positions
            )
        )


def cited_turns(evidence: Evidence) -> Iterable[tuple[str, int]]:
    """Cited turns as (hadm_id, turn_number); empty where a release cites none."""
    if evidence.turns:
        return [(turn.hadm_id, turn.turn_number) for turn in evidence.turns]
    if len(evidence.admissions) == 1:
        return [(evidence.admissions[0], turn) for turn in evidence.turn_ids or ()]
    return []
