"""Cuts a timeline into what one request can remember."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tasks.answering.timeline import ContextLine, TimelineText, Turn


@dataclass(frozen=True)
class Chunk:
    """Consecutive turns of one admission."""

    hadm_id: str
    number: int
    turns: tuple[Turn, ...]

    @property
    def lines(self) -> tuple[ContextLine, ...]:
        """What is shown of them."""
        return tuple(turn.shown for turn in self.turns)


def chunked(timeline: TimelineText, limit: int) -> Iterator[Chunk]:
    """Whole turns of one admission at a time, in chunks of at most so many tokens."""
    for session in timeline.sessions:
        number, held, tokens = 1, list[Turn](), 0
        for position in session.positions:
            turn = timeline.turns[position]
            if held and tokens + turn.tokens > limit:
                yield Chunk(session.hadm_id, number, tuple(held))
                number, held, tokens = number + 1, [], 0
            held.append(turn)
            tokens += turn.tokens
        if held:
            yield Chunk(session.hadm_id, number, tuple(held))
